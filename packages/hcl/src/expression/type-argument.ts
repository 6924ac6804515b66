import { capsule, type CapsuleType, type Defaults, type Type, type Value } from '@terrane/cty';
import { decodedArgument } from '../evaluate/decoded-argument.ts';
import { parseTypeExpression } from './type-expression.ts';

/** A type that an argument names, with the defaults of its optional attributes. */
export class TypeArgument {
  readonly type: Type;
  readonly defaults: Defaults | undefined;

  constructor(type: Type, defaults: Defaults | undefined) {
    this.type = type;
    this.defaults = defaults;
  }
}

/**
 * A function parameter of this type receives its argument as a type constraint, in a capsule of a TypeArgument: for
 * functions such as `convert`.
 */
export const TYPE_ARGUMENT: CapsuleType = decodedArgument(
  'type_constraint',
  (expression, diagnostics) => {
    const read = parseTypeExpression(expression, { allowDefaults: true });
    diagnostics.push(...read.diagnostics);
    return capsule(TYPE_ARGUMENT, new TypeArgument(read.type, read.defaults));
  },
);

/** The type inside an argument value; undefined for any other value. */
export function typeArgumentOf(value: Value): TypeArgument | undefined {
  return value.type === TYPE_ARGUMENT && value.payload instanceof TypeArgument
    ? value.payload
    : undefined;
}
