/** Functions that return their first argument with another type or other marks. */
export const TRANSPARENT: ReadonlySet<string> = new Set([
  'tostring',
  'tonumber',
  'tobool',
  'tolist',
  'toset',
  'tomap',
  'sensitive',
  'nonsensitive',
  'ephemeralasnull',
  'issensitive',
  'one',
]);
