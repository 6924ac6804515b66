import type { Diagnostic, Range } from '@terrane/hcl';
import {
  diagnosticJsonText,
  diagnosticText,
  indentJson,
  junitAttribute,
  junitElement,
  junitSeconds,
} from '@terrane/render';
import { terminalText } from '@terrane/render/terminal-text';
import type { PolicyCoverage } from '../testing/coverage.ts';
import type { TestedMock, TestedPolicies, TestedPolicyFile } from '../testing/run-policy-tests.ts';

/** Returns the lines of a test file and, if `verbose`, of each of its mocks. Diagnostics are printed separately. */
export function policyTestFileText(file: TestedPolicyFile, verbose: boolean): string {
  const count = countsOf(file.mocks);
  const counted = file.mocks.length - count.skip;
  const lines = [`${file.path}... ${file.status} (${counted} ${counted === 1 ? 'mock' : 'mocks'})`];
  for (const { object, status } of file.mocks) {
    const isShown = verbose || status === 'fail' || status === 'error';
    if (isShown) lines.push(`  ${object.address}... ${status}`);
  }
  return terminalText(`${lines.join('\n')}\n`);
}

/** Returns the diagnostics of a test file and its mocks. */
export function policyTestDiagnostics(file: TestedPolicyFile): readonly Diagnostic[] {
  return [...file.diagnostics, ...file.mocks.flatMap(({ diagnostics }) => diagnostics)];
}

/** Returns the last line of a test run. */
export function policyTestSummaryText(tested: TestedPolicies): string {
  const { pass, fail, error, skip } = countsOf(tested.files.flatMap(({ mocks }) => mocks));
  const failedFiles = tested.files.filter(
    ({ status, mocks }) => status === 'error' && mocks.length === 0,
  ).length;
  const parts = [`${pass} passed`, `${fail} failed`];
  if (error > 0) parts.push(`${error} with errors`);
  if (skip > 0) parts.push(`${skip} skipped`);
  if (failedFiles > 0) parts.push(`${failedFiles} ${failedFiles === 1 ? 'file' : 'files'} invalid`);
  return `${tested.isSuccessful ? 'Success!' : 'Failure!'} ${parts.join(', ')}.`;
}

function countsOf(mocks: readonly TestedMock[]): Record<TestedMock['status'], number> {
  const counts = { pass: 0, fail: 0, error: 0, skip: 0 };
  for (const { status } of mocks) counts[status]++;
  return counts;
}

/** Returns the coverage of each policy: the numbers of evaluations, and conditions with one outcome only. */
export function policyCoverageText(coverage: readonly PolicyCoverage[]): string {
  const enforcements = coverage.flatMap((each) => each.enforcements);
  const complete = enforcements.filter(({ passed, failed }) => passed && failed).length;
  const lines = [
    `Coverage: ${complete} of ${enforcements.length} conditions were true and false at least once.`,
  ];
  for (const { file, policy, evaluated, enforcements: policyEnforcements } of coverage) {
    const missing = policyEnforcements.filter(({ passed, failed }) => !passed || !failed);
    if (missing.length === 0) continue;
    lines.push(`\n  ${policy.address} (${file.path})`);
    if (evaluated === 0) {
      lines.push('    not evaluated by any test');
      continue;
    }
    for (const { enforcement, passed, failed } of missing) {
      const subject = passed ? 'never false' : failed ? 'never true' : 'never true or false';
      lines.push(`    line ${enforcement.range.from.line}: condition ${subject}`);
    }
  }
  return terminalText(`${lines.join('\n')}\n`);
}

/** Returns the results as a JSON document, with the coverage if requested. */
export function policyTestsJson(tested: TestedPolicies, withCoverage: boolean): string {
  const counts = countsOf(tested.files.flatMap(({ mocks }) => mocks));
  const document = {
    format_version: '1.0',
    success: tested.isSuccessful,
    passed: counts.pass,
    failed: counts.fail,
    errors: counts.error,
    skipped: counts.skip,
    files: tested.files.map((file) => ({
      path: file.path,
      status: file.status,
      mocks: file.mocks.map(({ object, status, durationMs, results, diagnostics }) => ({
        address: object.address,
        status,
        duration_ms: Math.round(durationMs * 1000) / 1000,
        policies: results.map(({ policy, level, outcome }) => ({
          policy: policy.address,
          enforcement_level: level,
          result: outcome,
        })),
        diagnostics: diagnostics.map(diagnosticJson),
      })),
      diagnostics: file.diagnostics.map(diagnosticJson),
    })),
    ...(withCoverage ? { coverage: tested.coverage.map(coverageJson) } : {}),
    diagnostics: tested.diagnostics.map(diagnosticJson),
  };
  return indentJson(JSON.stringify(document));
}

function diagnosticJson(diagnostic: Diagnostic): unknown {
  return JSON.parse(diagnosticJsonText(diagnostic));
}

function coverageJson({
  file,
  policy,
  evaluated,
  filtered,
  enforcements,
}: PolicyCoverage): unknown {
  return {
    policy: policy.address,
    file: file.path,
    evaluated,
    filtered,
    enforcements: enforcements.map(({ enforcement, passed, failed }) => ({
      index: enforcement.index,
      line: lineOf(enforcement.range),
      passed,
      failed,
    })),
  };
}

function lineOf(range: Range): number {
  return range.from.line;
}

const PLAIN = { color: false, width: 80 };

/** Returns the results as JUnit XML: a suite for each file, a case for each mock. */
export function policyTestsJunit(tested: TestedPolicies): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?><testsuites>'];
  for (const file of tested.files) {
    const counts = countsOf(file.mocks);
    // A file that cannot be read has no mocks; its errors are those of the suite.
    const isInvalid = file.status === 'error' && file.mocks.length === 0;
    lines.push(
      `  <testsuite name="${junitAttribute(file.path)}" tests="${file.mocks.length}" skipped="${counts.skip}" failures="${counts.fail}" errors="${isInvalid ? 1 : counts.error}">`,
    );
    for (const mock of file.mocks) lines.push(...caseLines(file, mock));
    if (file.diagnostics.length > 0)
      lines.push(`    ${junitElement('system-err', '', textOf(file.diagnostics))}`);
    lines.push('  </testsuite>');
  }
  lines.push('</testsuites>');
  return `${lines.join('\n')}\n`;
}

function caseLines(file: TestedPolicyFile, mock: TestedMock): readonly string[] {
  const { object, status, diagnostics, durationMs } = mock;
  const time = durationMs === 0 ? '' : ` time="${junitSeconds(durationMs)}"`;
  const head = `    <testcase name="${junitAttribute(object.address)}" classname="${junitAttribute(file.path)}"${time}>`;
  const message = diagnostics[0]?.summary ?? '';
  switch (status) {
    case 'pass':
      return [`${head}</testcase>`];
    case 'skip':
      return [head, '      <skipped></skipped>', '    </testcase>'];
    case 'fail':
    case 'error': {
      const name = status === 'fail' ? 'failure' : 'error';
      return [head, `      ${junitElement(name, message, textOf(diagnostics))}`, '    </testcase>'];
    }
  }
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => diagnosticText(diagnostic, PLAIN)).join('');
}
