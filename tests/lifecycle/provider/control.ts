// Deviations from a correct provider, read from a file beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { nullOf, str, unknownOf, valueFromJson } from '@terrane/cty';
import type { ObjectType, Path, Value } from '@terrane/cty';
import { attributeType } from '@terrane/provider';
import type { BlockSchema, ProviderDiagnostic } from '@terrane/provider';
import { withAttributes } from '../../served/test-provider/computed-values.ts';

/** The deviation of one call. */
export interface Behaviour {
  /** `before`: nothing is done, and the prior object answered; `after`: done, and an error besides. */
  readonly error?: 'before' | 'after';
  readonly warn?: boolean;
  /** The argument that the error or warning is about. */
  readonly at?: string;
  /** The call itself fails. */
  readonly throw?: boolean;
  /** The object of the answer is null. */
  readonly null?: boolean;
  /** The object of the answer is the prior one. */
  readonly prior?: boolean;
  /** Attributes of the object in the answer; `?` is unknown. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Attributes that keep their prior value. */
  readonly keep?: readonly string[];
  /** Attributes that the provider cannot change in place. */
  readonly replace?: readonly string[];
  /** The object of the response also replaces the one of the service, as drift. */
  readonly drift?: Readonly<Record<string, unknown>>;
  /** Milliseconds that the call takes. */
  readonly slow?: number;
  readonly private?: string;
  /** An attribute that the schema does not have is in the answer. */
  readonly wrongType?: boolean;
}

const SHORT: Readonly<Record<string, Behaviour>> = {
  fail: { error: 'before' },
  'fail after': { error: 'after' },
  warn: { warn: true },
  throw: { throw: true },
  null: { null: true },
  prior: { prior: true },
  'null and fail': { null: true, error: 'after' },
  'wrong type': { wrongType: true },
};

type Rules = Readonly<Record<string, Readonly<Record<string, Behaviour | string>>>>;

/** Returns the entry for an object and the first of some occasions that the file has. */
export function behaviourOf(file: string, name: string, occasions: readonly string[]): Behaviour {
  if (!existsSync(file)) return {};
  const rules = (JSON.parse(readFileSync(file, 'utf8')) as Rules)[name] ?? {};
  const occasion = occasions.find((each) => rules[each] !== undefined);
  const rule = occasion === undefined ? undefined : rules[occasion];
  if (typeof rule !== 'string') return rule ?? {};
  const meant = SHORT[rule];
  if (meant === undefined) throw new Error(`nobody knows how to ${rule}`);
  return meant;
}

/** The diagnostics that a behaviour asks for. */
export function diagnosticsOf(
  { error, warn, at }: Behaviour,
  occasion: string,
  name: string,
): ProviderDiagnostic[] {
  const attribute: Path | undefined = at === undefined ? undefined : [{ kind: 'attr', name: at }];
  const diagnostic = (severity: 'error' | 'warning', word: string): ProviderDiagnostic => ({
    severity,
    summary: `${occasion} ${word}`,
    detail: `The service says of ${name} that ${occasion} ${word}.`,
    ...(attribute === undefined ? {} : { attribute }),
  });
  return [
    ...(warn === true ? [diagnostic('warning', 'is odd')] : []),
    ...(error === 'before' ? [diagnostic('error', 'was refused')] : []),
    ...(error === 'after' ? [diagnostic('error', 'ended badly')] : []),
  ];
}

/** The object of an answer, as the behaviour has it. */
export function changedBy(
  { null: none, prior: back, set, keep, wrongType }: Behaviour,
  { attributes }: BlockSchema,
  value: Value,
  prior: Value,
): Value {
  if (none === true) return nullOf(value.type);
  if (wrongType === true) return str('of another type');
  const from = back === true ? prior : value;
  if (from.isNull) return from;
  const changes: Record<string, Value> = {};
  for (const [name, plain] of Object.entries(set ?? {})) {
    const attribute = attributes[name];
    const type = attribute === undefined ? (from.type as ObjectType) : attributeType(attribute);
    const valueType = attribute === undefined ? from.attr(name).type : type;
    changes[name] =
      plain === '?'
        ? unknownOf(valueType)
        : valueFromJson(JSON.stringify(plain ?? null), valueType);
  }
  if (!prior.isNull) for (const name of keep ?? []) changes[name] = prior.attr(name);
  return withAttributes(from, changes);
}
