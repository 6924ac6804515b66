import {
  convert,
  type Defaults,
  DYNAMIC,
  BOOL,
  listType,
  mapType,
  NUMBER,
  objectType,
  quoteText,
  setType,
  STRING,
  tupleType,
  type Type,
  type Value,
} from '@terrane/cty';
import { errorDiagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression } from '../model.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import { faultMessage } from '../evaluate/fault.ts';
import { type Range, rangeBetween } from '../source/source.ts';
import { asCall, asKeyword, asList, asMap, type StaticCall } from './static.ts';

const SUMMARY = 'Invalid type specification';

/** Options for parsing type expressions. */
export interface TypeExpressionOptions {
  /** `optional(T, default)` may have a default value */
  readonly allowDefaults: boolean;
}

/** The type of a type expression, with defaults of optional attributes, if any. */
export interface TypeExpressionResult {
  readonly type: Type;
  readonly defaults: Defaults | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A type constraint such as `map(object({ a = optional(string, "x") }))`; dynamic after errors. */
export function parseTypeExpression(
  expression: Expression,
  options: TypeExpressionOptions,
): TypeExpressionResult {
  const reader = new TypeReader(options.allowDefaults);
  const { type, defaults } = reader.read(expression);
  return { type, defaults, diagnostics: reader.diagnostics };
}

interface ReadType {
  readonly type: Type;
  readonly defaults: Defaults | undefined;
}

const ELEMENT_REQUIRED = 'requires one argument specifying the element type.';
const OBJECT_REQUIRED =
  'The object type constructor requires one argument specifying the attribute types and values as a map.';
const TUPLE_REQUIRED =
  'The tuple type constructor requires one argument specifying the element types as a list.';

/** Returns the rule for the argument of a type constructor; undefined if there is no such constructor. */
function argumentRule(name: string): string | undefined {
  switch (name) {
    case 'list':
    case 'set':
    case 'map':
      return `The ${name} type constructor ${ELEMENT_REQUIRED}`;
    case 'object':
      return OBJECT_REQUIRED;
    case 'tuple':
      return TUPLE_REQUIRED;
    default:
      return undefined;
  }
}

class TypeReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #allowDefaults: boolean;

  constructor(allowDefaults: boolean) {
    this.#allowDefaults = allowDefaults;
  }

  read(expression: Expression): ReadType {
    const keyword = asKeyword(expression);
    if (keyword !== undefined) {
      return this.#readKeyword(keyword, expression.range);
    }
    const call = asCall(expression);
    if (call === undefined) {
      const detail =
        'A type specification is either a primitive type keyword (bool, number, string) or a complex type constructor call, like list(string).';
      return this.#fail(detail, expression.range);
    }
    return this.#readCall(call, expression.range);
  }

  #readKeyword(keyword: string, range: Range): ReadType {
    switch (keyword) {
      case 'bool':
        return { type: BOOL, defaults: undefined };
      case 'string':
        return { type: STRING, defaults: undefined };
      case 'number':
        return { type: NUMBER, defaults: undefined };
      case 'any':
        return { type: DYNAMIC, defaults: undefined };
      default: {
        const detail = `The keyword ${quoteText(keyword)} is not a valid type specification.`;
        return this.#fail(argumentRule(keyword) ?? detail, range);
      }
    }
  }

  #readCall(call: StaticCall, range: Range): ReadType {
    const { name, args, argsRange } = call;
    if (name === 'bool' || name === 'string' || name === 'number') {
      const detail = `Primitive type keyword ${quoteText(name)} does not expect arguments.`;
      return this.#fail(detail, argsRange);
    }
    if (name === 'any') {
      const detail = `Type constraint keyword ${quoteText(name)} does not expect arguments.`;
      return this.#fail(detail, argsRange);
    }
    const rule = argumentRule(name);
    const [argument, surplus] = args;
    const last = args.at(-1);
    if (rule !== undefined && (argument === undefined || args.length !== 1)) {
      const subject =
        surplus === undefined || last === undefined
          ? argsRange
          : rangeBetween(surplus.range, last.range);
      return this.#fail(rule, subject, argsRange);
    }
    if (rule === undefined || argument === undefined) {
      return name === 'optional'
        ? this.#fail(
            `Keyword ${quoteText(name)} is valid only as a modifier for object type attributes.`,
            call.nameRange,
          )
        : this.#fail(`Keyword ${quoteText(name)} is not a valid type constructor.`, range);
    }
    switch (name) {
      case 'list':
        return this.#readCollection(argument, listType);
      case 'set':
        return this.#readCollection(argument, setType);
      case 'map':
        return this.#readCollection(argument, mapType);
      case 'object':
        return this.#readObject(argument, range);
      default:
        return this.#readTuple(argument, range);
    }
  }

  #readCollection(argument: Expression, make: (element: Type) => Type): ReadType {
    const element = this.read(argument);
    const type = make(element.type);
    const { defaults } = element;
    return {
      type,
      defaults: defaults === undefined ? undefined : { type, children: new Map([['', defaults]]) },
    };
  }

  #readTuple(argument: Expression, range: Range): ReadType {
    const items = asList(argument);
    if (items === undefined) {
      const detail = 'Tuple type constructor requires a list of element types.';
      return this.#fail(detail, argument.range, range);
    }
    const children = new Map<string, Defaults>();
    const types: Type[] = [];
    for (const [i, item] of items.entries()) {
      const element = this.read(item);
      types.push(element.type);
      if (element.defaults !== undefined) {
        children.set(String(i), element.defaults);
      }
    }
    const type = tupleType(types);
    return { type, defaults: structuralDefaults(type, new Map(), children) };
  }

  #readObject(argument: Expression, range: Range): ReadType {
    const items = asMap(argument);
    if (items === undefined) {
      const detail =
        'Object type constructor requires a map whose keys are attribute names and whose values are the corresponding attribute types.';
      return this.#fail(detail, argument.range, range);
    }
    const types = new Map<string, Type>();
    const optional = new Set<string>();
    const values = new Map<string, Value>();
    const children = new Map<string, Defaults>();
    for (const { key, value } of items) {
      const name = asKeyword(key);
      if (name === undefined) {
        this.#fail('Object constructor map keys must be attribute names.', key.range, range);
        continue;
      }
      if (types.has(name)) {
        this.#fail('Object constructor map keys must be unique.', key.range, range);
        continue;
      }
      const attribute = this.#readAttribute(value);
      if (attribute === undefined) {
        continue;
      }
      types.set(name, attribute.type);
      if (attribute.optional) {
        optional.add(name);
      }
      if (attribute.value !== undefined) {
        values.set(name, attribute.value);
      }
      if (attribute.defaults !== undefined) {
        children.set(name, attribute.defaults);
      }
    }
    const type = objectType(types, optional);
    return { type, defaults: structuralDefaults(type, values, children) };
  }

  /** An attribute's type, which may be inside `optional(…)`. */
  #readAttribute(
    expression: Expression,
  ): (ReadType & { readonly optional: boolean; readonly value?: Value }) | undefined {
    const call = asCall(expression);
    if (call?.name !== 'optional') {
      return { ...this.read(expression), optional: false };
    }
    const { args, argsRange } = call;
    const [typeExpression, defaultExpression] = args;
    if (typeExpression === undefined) {
      const detail = 'Optional attribute modifier requires the attribute type as its argument.';
      this.#fail(detail, argsRange, expression.range);
      return undefined;
    }
    let optional = true;
    let value: Value | undefined;
    if (args.length > (this.#allowDefaults ? 2 : 1)) {
      const detail = this.#allowDefaults
        ? 'Optional attribute modifier expects at most two arguments: the attribute type, and a default value.'
        : 'Optional attribute modifier expects only one argument: the attribute type.';
      this.#fail(detail, argsRange, expression.range);
      optional = false;
    } else if (defaultExpression !== undefined) {
      const mark = this.diagnostics.length;
      value = evaluate(defaultExpression, undefined, this.diagnostics);
      if (hasErrors(this.diagnostics, mark)) {
        optional = false;
        value = undefined;
      }
    }
    const read = this.read(typeExpression);
    const converted =
      value === undefined || defaultExpression === undefined
        ? undefined
        : this.#convertDefault(value, read.type, defaultExpression);
    return { ...read, optional, ...(converted === undefined ? {} : { value: converted }) };
  }

  #convertDefault(value: Value, type: Type, expression: Expression): Value | undefined {
    try {
      return convert(value, type);
    } catch (error) {
      const summary = 'Invalid default value for optional attribute';
      const detail = `This default value is not compatible with the attribute's type constraint: ${faultMessage(error)}.`;
      this.diagnostics.push(errorDiagnostic(summary, detail, expression.range));
      return undefined;
    }
  }

  #fail(detail: string, subject: Range, context?: Range): ReadType {
    this.diagnostics.push(
      errorDiagnostic(SUMMARY, detail, subject, context === undefined ? {} : { context }),
    );
    return { type: DYNAMIC, defaults: undefined };
  }
}

function structuralDefaults(
  type: Type,
  values: ReadonlyMap<string, Value>,
  children: ReadonlyMap<string, Defaults>,
): Defaults | undefined {
  if (values.size === 0 && children.size === 0) {
    return undefined;
  }
  return {
    type,
    ...(values.size > 0 ? { values } : {}),
    ...(children.size > 0 ? { children } : {}),
  };
}
