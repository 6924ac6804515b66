import { commonType, CtyError, type Type, type Value } from '@terrane/cty';

/**
 * The type that all elements of a list or set have. It is not the one that they were converted to where that has any
 * in it: `tolist([])` is a list of any, and a list of strings is one too. Throws where there are several.
 */
export function sameType(values: readonly Value[], converted: Type): Type {
  const type = values.length === 0 ? converted : commonType(values);
  if (type === undefined) throw new CtyError('all elements must have the same type');
  return type;
}
