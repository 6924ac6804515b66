/** A statement of HashiCorp's guide for authors of AWS providers on retries and waiters, and the tests that show it. */
export interface Claim {
  /** the statement in our own words; unique */
  readonly claim: string;
  /** at least one */
  readonly tests: readonly [TestName, ...TestName[]];
}

/** A test by its file, relative to the repository, and its title without those of the groups around it. */
export interface TestName {
  readonly file: string;
  /** as written in the source, with the placeholders of a table (`%s`) and of templates (`${…}`) */
  readonly title: string;
}

/** Tests in a file, by title. */
export function testsIn(file: string): (title: string) => TestName {
  return (title) => ({ file, title });
}

export const REQUESTS: (title: string) => TestName = testsIn('tests/aws/patterns/requests.test.ts');
export const PASSING_ERRORS: (title: string) => TestName = testsIn(
  'tests/aws/patterns/passing-errors.test.ts',
);
export const LATE_ERRORS: (title: string) => TestName = testsIn(
  'tests/aws/patterns/late-errors.test.ts',
);
export const OBJECTS: (title: string) => TestName = testsIn('tests/aws/patterns/objects.test.ts');
export const OPERATIONS: (title: string) => TestName = testsIn(
  'tests/aws/patterns/operations.test.ts',
);
export const RULES: (title: string) => TestName = testsIn('tests/aws/consistency/run-rules.ts');
export const REMOTE_OBJECT: (title: string) => TestName = testsIn(
  'packages/provider/src/consistency/remote-object.test.ts',
);
export const CONSISTENCY: (title: string) => TestName = testsIn(
  'packages/provider/src/consistency/consistency.test.ts',
);
