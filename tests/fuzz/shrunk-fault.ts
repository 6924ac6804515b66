import fc from 'fast-check';

/** Shrinking ends after this time: a fault that can be read at all is worth more than a smaller one. */
const SHRINK_MS = 20_000;

/**
 * Returns the defect in the run of a seed, shown by the smallest input that was found in time; undefined if there is none.
 * Equal seeds generate equal inputs.
 */
export async function shrunkFault<T>(
  inputs: fc.Arbitrary<T>,
  seed: number,
  problemsOf: (input: T) => Promise<readonly string[]>,
): Promise<string | undefined> {
  let problems: readonly string[] = [];
  let until = Infinity;
  const property = fc.asyncProperty(inputs, async (input) => {
    if (performance.now() > until) return true;
    const newProblems = await problemsOf(input);
    if (newProblems.length === 0) return true;
    problems = newProblems;
    until = Math.min(until, performance.now() + SHRINK_MS);
    return false;
  });
  const { failed } = await fc.check(property, { seed, numRuns: 1 });
  return failed ? problems.join('\n') : undefined;
}
