import {
  BOOL,
  convert,
  CtyError,
  listType,
  mapType,
  NUMBER,
  numToFloat,
  STRING,
  type Type,
  type Value,
} from '@terrane/cty';
import {
  type Body,
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  hasErrors,
  startRange,
} from '@terrane/hcl';
import { type Keys, keysFrom } from './keys.ts';

/** An argument of a key provider or method. */
export interface Argument {
  readonly name: string;
  /** `keys`: the output of a key provider, in JSON syntax also as the text of a reference */
  readonly type: Type | 'keys';
  readonly required?: boolean;
}

/** The schema of a block: arguments, and nested blocks by type. */
export interface Shape {
  readonly arguments: readonly Argument[];
  readonly blocks?: Readonly<Record<string, Shape & { readonly many?: boolean }>>;
}

/**
 * Evaluates one expression; unknown, with diagnostics, if that fails. Never returns marks. For keys, a text may be the
 * reference to a key provider.
 */
export type EvaluateArgument = (
  expression: Expression,
  diagnostics: Diagnostic[],
  keysMeant?: boolean,
) => Value;

/** Shorthands for tables of arguments. */
export const text = (name: string, required = false): Argument => ({
  name,
  type: STRING,
  required,
});
/** An argument for the output of a key provider. */
export const keys = (name: string, required = false): Argument => ({
  name,
  type: 'keys',
  required,
});
/** An argument that is true or false. */
export const flag = (name: string): Argument => ({ name, type: BOOL });
/** An argument that is a number. */
export const count = (name: string, required = false): Argument => ({
  name,
  type: NUMBER,
  required,
});
/** An argument for several texts: a list of strings. */
export const texts = (name: string, required = false): Argument => ({
  name,
  type: listType(STRING),
  required,
});
/** An argument for texts by name. */
export const textMap = (name: string): Argument => ({ name, type: mapType(STRING) });

/** The decoded arguments of a block. Absent arguments are empty, as in OpenTofu. */
export class Settings {
  readonly #values: ReadonlyMap<string, Value>;
  readonly #keys: ReadonlyMap<string, Keys | undefined>;
  readonly #blocks: ReadonlyMap<string, readonly Settings[]>;

  constructor(
    values: ReadonlyMap<string, Value>,
    allKeys: ReadonlyMap<string, Keys | undefined>,
    blocks: ReadonlyMap<string, readonly Settings[]>,
  ) {
    this.#values = values;
    this.#keys = allKeys;
    this.#blocks = blocks;
  }

  /** Returns the configured keys; `keys` is undefined if they are not known before they are requested. */
  configuredKeys(name: string): { readonly keys: Keys | undefined } | undefined {
    return this.#keys.has(name) ? { keys: this.#keys.get(name) } : undefined;
  }

  /** Returns the value of an argument without conversion. */
  value(name: string): Value | undefined {
    return this.#values.get(name);
  }

  text(name: string): string {
    return this.#values.get(name)?.asString() ?? '';
  }

  /** Returns a number; `otherwise` if absent. */
  number(name: string, otherwise = 0): number {
    const value = this.#values.get(name);
    return value === undefined ? otherwise : numToFloat(value.asNum());
  }

  flag(name: string): boolean | undefined {
    return this.#values.get(name)?.asBool();
  }

  texts(name: string): readonly string[] {
    return (this.#values.get(name)?.elements() ?? []).map((element) => element.asString());
  }

  map(name: string): Readonly<Record<string, string>> {
    const entries = this.#values.get(name)?.entries() ?? [];
    return Object.fromEntries(entries.map(([key, value]) => [key.asString(), value.asString()]));
  }

  block(type: string): Settings | undefined {
    return this.#blocks.get(type)?.[0];
  }

  blocks(type: string): readonly Settings[] {
    return this.#blocks.get(type) ?? [];
  }
}

/** Decodes a block by its shape; undefined, with diagnostics, if it is invalid. */
export function decodeSettings(
  body: Body,
  shape: Shape,
  evaluate: EvaluateArgument,
  diagnostics: Diagnostic[],
): Settings | undefined {
  const before = diagnostics.length;
  const nested = Object.entries(shape.blocks ?? {});
  const { content, diagnostics: contentDiagnostics } = body.content({
    attributes: shape.arguments.map(({ name, required = false }) => ({ name, required })),
    blocks: nested.map(([type]) => ({ type })),
  });
  diagnostics.push(...contentDiagnostics);
  const values = new Map<string, Value>();
  const allKeys = new Map<string, Keys | undefined>();
  if (hasErrors(diagnostics, before)) return undefined;
  for (const { name, type } of shape.arguments) {
    const expression = content.attributes.get(name)?.expression;
    if (expression === undefined) continue;
    if (type === 'keys') {
      const start = diagnostics.length;
      const value = evaluate(expression, diagnostics, true);
      if (hasErrors(diagnostics, start)) continue;
      allKeys.set(name, keysFrom(value, expression.range, diagnostics));
    } else {
      const value = suitable(expression, type, evaluate, diagnostics);
      if (value !== undefined) values.set(name, value);
    }
  }
  const blocks = new Map<string, readonly Settings[]>();
  for (const [type, inner] of nested) {
    const matchingBlocks = content.blocks.filter((block) => block.type === type);
    const [first, second] = matchingBlocks;
    if (first !== undefined && second !== undefined && inner.many !== true) {
      diagnostics.push(
        errorDiagnostic(
          `Duplicate ${type} block`,
          `Only one ${type} block is allowed. Another was defined at ${first.defRange}.`,
          second.defRange,
        ),
      );
    }
    const decoded = matchingBlocks.map((block) =>
      decodeSettings(block.body, inner, evaluate, diagnostics),
    );
    blocks.set(
      type,
      decoded.filter((settings) => settings !== undefined),
    );
  }
  return hasErrors(diagnostics, before) ? undefined : new Settings(values, allKeys, blocks);
}

function suitable(
  expression: Expression,
  type: Type,
  evaluate: EvaluateArgument,
  diagnostics: Diagnostic[],
): Value | undefined {
  const before = diagnostics.length;
  const result = evaluate(expression, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  let reason: string;
  try {
    const value = convert(result, type);
    if (!value.isWhollyKnown()) reason = 'value must be known';
    // Null counts as absent, so that variables can leave an argument unset.
    else if (value.isNull) return undefined;
    else if (hasNull(value)) reason = 'null value is not allowed';
    else return value;
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    reason = error.message;
  }
  diagnostics.push(
    errorDiagnostic(
      'Unsuitable value type',
      `Unsuitable value: ${reason}`,
      startRange(expression),
      { context: expression.range },
    ),
  );
  return undefined;
}

function hasNull(value: Value): boolean {
  const { kind } = value.type;
  if (kind !== 'list' && kind !== 'map') return false;
  return value.elements().some((element) => element.isNull);
}
