import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** A seeded pseudo-random generator of numbers below a limit. */
export function seededNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    // A linear congruential generator (Numerical Recipes); its upper bits are good enough to choose samples.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Configuration files of the differential suite with one of the endings, in a stable order. */
export function suiteFiles(...endings: readonly string[]): readonly string[] {
  const cases = join(root, 'tests/differential/cases');
  return readdirSync(cases, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
    .map((name) => join(cases, name));
}

/** A seeded sample of the files, with their texts. */
export function sampledFiles(
  count: number,
  seed: number,
  ...endings: readonly string[]
): readonly { readonly path: string; readonly text: string }[] {
  const files = [...suiteFiles(...endings)];
  const next = seededNumbers(seed);
  const sample: { path: string; text: string }[] = [];
  while (sample.length < count && files.length > 0) {
    const [path = ''] = files.splice(next(files.length), 1);
    sample.push({ path: path.replaceAll('\\', '/'), text: readFileSync(path, 'utf8') });
  }
  return sample;
}
