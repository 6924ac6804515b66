import type { Path } from '@terrane/cty';
import { crc64 } from '@terrane/host';

/**
 * Sorts paths in the order in which Terraform writes a set of them: by a checksum of their names, in which all keys are
 * equal. The order has no meaning, but is deterministic.
 */
export function inSetOrder(paths: readonly Path[]): readonly Path[] {
  if (paths.length < 2) return paths;
  return paths
    .map((path) => ({ path, sum: checksum(path) }))
    .sort((a, b) => (a.sum < b.sum ? -1 : a.sum > b.sum ? 1 : 0))
    .map(({ path }) => path);
}

function checksum(path: Path): bigint {
  return crc64(path.map((step) => (step.kind === 'attr' ? step.name : '#')).join(''));
}
