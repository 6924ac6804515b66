/** Functions that give their first argument, of another type or with other marks. */
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
