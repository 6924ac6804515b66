import { parseTestReference, referenceableText } from '@terrane/addresses';
import type { TestRun } from '@terrane/engine';
import {
  checkOrigin,
  type CheckExtra,
  type Diagnostic,
  errorDiagnostic,
  type Range,
  warningDiagnostic,
} from '@terrane/hcl';

/** Validates the expected failures of a run, independently of its execution. */
export function expectationProblems({ expectFailures }: TestRun): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const traversal of expectFailures) {
    const { reference, diagnostics } = parseTestReference(traversal);
    problems.push(...diagnostics);
    if (reference === undefined) continue;
    const { subject, range } = reference;
    switch (subject.kind) {
      case 'output':
      case 'variable':
      case 'check':
      case 'resource':
        break;
      default:
        problems.push(
          errorDiagnostic(
            'Invalid `expect_failures` reference',
            `You cannot expect failures from ${referenceableText(subject)}. You can only expect failures from checkable objects such as input variables, output values, check blocks, managed resources and data sources.`,
            range,
          ),
        );
    }
  }
  return problems;
}

/** Returns the expected failures of a run, by address. */
function expectedBy(run: TestRun): ReadonlyMap<string, Range> {
  const expected = new Map<string, Range>();
  for (const traversal of run.expectFailures) {
    const { reference } = parseTestReference(traversal);
    if (reference !== undefined)
      expected.set(referenceableText(reference.subject), reference.range);
  }
  return expected;
}

/** Returns the expectation that the failure of an object meets: its own or, for an instance, its resource's. */
function expectationOf(
  { object, checkable }: CheckExtra,
  expected: ReadonlyMap<string, Range>,
): string | undefined {
  // Failures in child modules cannot be expected by a test.
  if (object.startsWith('module.')) return undefined;
  if (expected.has(object)) return object;
  if (checkable !== 'resource') return undefined;
  const resource = object.replace(/\[.*$/s, '');
  return expected.has(resource) ? resource : undefined;
}

/** Diagnostics of a plan or an apply, compared with the failures that the run expects. */
export interface ComparedFailures {
  /** Diagnostics that no expectation is about; failed checks are errors among them. */
  readonly unexpected: readonly Diagnostic[];
  /** An error for each expected failure that did not occur. */
  readonly missing: readonly Diagnostic[];
  /** All diagnostics in their order, the expected ones as they were reported; then the missing ones. */
  readonly all: readonly Diagnostic[];
}

/** Compares the diagnostics of a plan or an apply with the failures that a run expects. */
export function compareWithExpectations(
  run: TestRun,
  diagnostics: readonly Diagnostic[],
): ComparedFailures {
  const expected = expectedBy(run);
  const metExpectations = new Set<string>();
  const unexpected: Diagnostic[] = [];
  const all: Diagnostic[] = [];
  const addUnchanged = (diagnostic: Diagnostic): void => {
    unexpected.push(diagnostic);
    all.push(diagnostic);
  };
  const meet = (expectation: string, diagnostic: Diagnostic): void => {
    metExpectations.add(expectation);
    all.push(diagnostic);
  };
  for (const diagnostic of diagnostics) {
    const origin = checkOrigin(diagnostic);
    if (origin === undefined) {
      addUnchanged(diagnostic);
      continue;
    }
    const expectation = expectationOf(origin, expected);
    if (origin.checkable === 'check') {
      // Failed checks only warn, but fail a test.
      const severity = origin.kind === 'check' ? 'error' : (origin.severity ?? 'error');
      if (severity === 'error' && expectation !== undefined) meet(expectation, diagnostic);
      else addUnchanged({ ...diagnostic, severity });
    } else if (diagnostic.severity === 'error' && expectation !== undefined) {
      meet(expectation, diagnostic);
    } else addUnchanged(diagnostic);
  }
  const missing = [...expected]
    .filter(([address]) => !metExpectations.has(address))
    .map(([address, range]) =>
      errorDiagnostic(
        'Missing expected failure',
        `The checkable object, ${address}, was expected to report an error but did not.`,
        range,
      ),
    );
  return { unexpected, missing, all: [...all, ...missing] };
}

/** Explains why expected failures of an apply make the run fail if its plan already fails. */
export function explainedExpectations(
  run: TestRun,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const expected = expectedBy(run);
  return diagnostics.flatMap((diagnostic) => {
    const origin = diagnostic.severity === 'error' ? checkOrigin(diagnostic) : undefined;
    const expectation = origin && expectationOf(origin, expected);
    if (origin === undefined || expectation === undefined) return [diagnostic];
    const range = origin.checkable === 'output_value' ? expected.get(expectation) : undefined;
    return [
      warningDiagnostic(
        'Expected failure while planning',
        `A custom condition within ${origin.object} failed during the planning stage and prevented the requested apply operation. While this was an expected failure, the apply operation could not be executed and so the overall test case will be marked as a failure and the original diagnostic included in the test report.`,
        range,
      ),
      diagnostic,
    ];
  });
}
