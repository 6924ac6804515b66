// The order of the interop tests: files that run for minutes begin first, so that no worker is left with one at the end.
import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run for minutes, the longest first. */
export const LONGEST: readonly string[] = [
  'tests/aws/interchange.interop.ts',
  'tests/differential/reference-programs.interop.ts',
  'tests/interop/lifecycles.interop.ts',
  'tests/lifecycle/lifecycle.interop.ts',
  'tests/served/bundled-providers.interop.ts',
  'tests/served/served.interop.ts',
];

/** Sorts `LONGEST` before other files, whose order is that of Vitest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const path = relative(this.ctx.config.root, moduleId).split(sep).join('/');
      return LONGEST.includes(path) ? LONGEST.indexOf(path) : LONGEST.length;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
