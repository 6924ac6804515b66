import type { Path } from '@terrane/cty';

/** The polynomial of ISO 3309, reflected. */
const POLYNOMIAL = 0xd800000000000000n;
const ALL = 0xffffffffffffffffn;

let table: readonly bigint[] | undefined;

function makeTable(): readonly bigint[] {
  return Array.from({ length: 256 }, (_, i) => {
    let crc = BigInt(i);
    for (let bit = 0; bit < 8; bit++)
      crc = (crc & 1n) === 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n;
    return crc;
  });
}

/**
 * Paths in the order in which Terraform writes a set of them: by a checksum of their names, in
 * which all keys count alike. The order has no meaning, but it is the same every time.
 */
export function inSetOrder(paths: readonly Path[]): readonly Path[] {
  if (paths.length < 2) return paths;
  return paths
    .map((path) => ({ path, sum: checksum(path) }))
    .sort((a, b) => (a.sum < b.sum ? -1 : a.sum > b.sum ? 1 : 0))
    .map(({ path }) => path);
}

function checksum(path: Path): bigint {
  table ??= makeTable();
  let crc = ALL;
  for (const step of path) {
    for (const byte of Buffer.from(step.kind === 'attr' ? step.name : '#', 'utf8')) {
      crc = (table[Number(crc & 0xffn) ^ byte] ?? 0n) ^ (crc >> 8n);
    }
  }
  return BigInt.asIntN(64, crc ^ ALL);
}
