import { NO_MARKS } from './marks.ts';
import { BOOL, DYNAMIC } from './type.ts';
import { nullOf, plainUnknown, textValue, Value } from './value.ts';

/** The bool value true. */
export const TRUE: Value = new Value(BOOL, true, NO_MARKS, 0);
/** The bool value false. */
export const FALSE: Value = new Value(BOOL, false, NO_MARKS, 0);
/** The string without characters. */
export const EMPTY_STRING: Value = textValue('');
/** The null of no particular type. */
export const NULL: Value = nullOf(DYNAMIC);
/** The unknown value of unknown type. */
export const UNKNOWN: Value = plainUnknown(DYNAMIC);

/** A bool value. */
export function bool(b: boolean): Value {
  return b ? TRUE : FALSE;
}
