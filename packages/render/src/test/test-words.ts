import type { State, TestedSuite, TestStatus } from '@terrane/engine';

/** Returns the word for a status: runs that failed and runs with errors are both failures. */
export function statusWord(status: TestStatus): 'pass' | 'fail' | 'skip' | 'pending' {
  return status === 'error' ? 'fail' : status;
}

/** Returns the number of runs by status. */
export function suiteCounts({ files }: TestedSuite): Readonly<Record<TestStatus, number>> {
  const counts = { pending: 0, skip: 0, pass: 0, fail: 0, error: 0 };
  for (const { runs } of files) for (const { status } of runs) counts[status]++;
  return counts;
}

/** Returns the summary line of all tests. */
export function summaryLine(suite: TestedSuite): string {
  const counts = suiteCounts(suite);
  const skipped = counts.skip > 0 ? `, ${counts.skip} skipped.` : '.';
  if (suite.status === 'pending' || suite.status === 'skip') return `Executed 0 tests${skipped}`;
  const word = suite.status === 'pass' ? 'Success!' : 'Failure!';
  return `${word} ${counts.pass} passed, ${counts.fail + counts.error} failed${skipped}`;
}

/** Returns the summary line of `test cleanup`. */
export function cleanupLine(suite: TestedSuite): string {
  if (suite.status === 'pending' || suite.status === 'skip') return 'Executed 0 tests.';
  return suite.status === 'pass' ? 'Success!' : 'Failure!';
}

/** A managed object that remains in a state. */
export interface Leftover {
  readonly address: string;
  /** the key of a deposed object; "" for the current one */
  readonly deposed: string;
}

/** The managed objects in a state, in the order of their addresses. */
export function leftovers(state: State): readonly Leftover[] {
  const objects: Leftover[] = [];
  for (const addr of state.managedInstances()) {
    const instance = state.instance(addr);
    if (instance?.current !== undefined) objects.push({ address: addr.text, deposed: '' });
    for (const key of instance?.deposed.keys() ?? [])
      objects.push({ address: addr.text, deposed: key });
  }
  return objects;
}
