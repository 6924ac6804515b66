import { capsule, capsuleType, type CapsuleType, type FunctionSpec, type Type } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { anything, argument, define } from './spec.ts';

/** The type of values that represent types; only the console can show them. */
const TYPE_OF_TYPES: CapsuleType = capsuleType('type');

/** The content of a value created by `type`. */
export interface TypeBox {
  readonly type: Type;
}

/** Returns the type that a value created by `type` represents; undefined for any other value. */
export function typeInside(value: Value): Type | undefined {
  if (value.type !== TYPE_OF_TYPES || value.isNull || !value.isKnown) return undefined;
  const box = value.unmark().payload;
  return isTypeBox(box) ? box.type : undefined;
}

function isTypeBox(box: unknown): box is TypeBox {
  return typeof box === 'object' && box !== null && 'type' in box;
}

/** `type`, in the console only. */
export const TYPE_FUNCTION: FunctionSpec = define('type', {
  description: 'The type of a value, for the console to show.',
  parameters: [anything('value', 'dynamic', 'unknown', 'null')],
  nullable: true,
  returns: TYPE_OF_TYPES,
  run: (args) =>
    capsule(TYPE_OF_TYPES, { type: argument(args, 0).type }).mark({ kind: 'typeValue' }),
});
