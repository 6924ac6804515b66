import { commonType, CtyError, type Type, type Value } from '@terrane/cty';

/**
 * Returns the common type of all elements of a list or set. It differs from the converted type if that contains any:
 * `tolist([])` is a list of any, and so is a list of strings. Throws if the elements have several types.
 */
export function sameType(values: readonly Value[], converted: Type): Type {
  const type = values.length === 0 ? converted : commonType(values);
  if (type === undefined) throw new CtyError('all elements must have the same type');
  return type;
}
