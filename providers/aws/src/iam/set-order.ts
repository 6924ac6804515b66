import { crc32 } from 'node:zlib';

/** The values of a set element that its hash is computed from: texts, ordered lists of texts, and sets of texts. */
export interface Hashed {
  readonly text?: Readonly<Record<string, string>>;
  readonly list?: Readonly<Record<string, readonly string[]>>;
  readonly set?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Sorts elements in the set order of Terraform's older SDK: by hashes of their content, compared as text. Lists derived
 * from a set use that order.
 */
export function inSetOrder<T>(
  elements: readonly T[],
  hashed: (element: T) => Hashed,
): readonly T[] {
  return byHash(elements, (element) => serialize(hashed(element)));
}

function serialize({ text = {}, list = {}, set = {} }: Hashed): string {
  const members = (values: readonly string[]): string => values.map((each) => `${each};`).join('');
  const fields = [
    ...Object.entries(text).map(([name, value]) => [name, value]),
    ...Object.entries(list).map(([name, values]) => [name, `(${members(values)})`]),
    ...Object.entries(set).map(([name, values]) => [
      name,
      `{${members(byHash(values, (each) => `${each};`))}}`,
    ]),
  ];
  return fields
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value};`)
    .join('');
}

function byHash<T>(elements: readonly T[], serialize: (element: T) => string): readonly T[] {
  return elements
    .map((element) => ({ element, hash: String(crc32(serialize(element))) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ element }) => element);
}
