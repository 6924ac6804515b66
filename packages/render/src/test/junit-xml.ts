import type { TestedFile, TestedRun, TestedSuite } from '@terrane/engine';
import { comparisonOf, type Diagnostic, sortDiagnostics } from '@terrane/hcl';
import { diagnosticText } from '../human/diagnostic-text.ts';
import type { TextStyle } from '../text/style.ts';
import { attribute, element, secondsText } from './junit-elements.ts';

const PLAIN: TextStyle = { color: false, width: 80 };
const FAILED_ASSERTION = 'Test assertion failed';

/** Options of JUnit XML. */
export interface JunitStyle {
  /** the user ended the tests early */
  readonly stopped: boolean;
  /** sorts the diagnostics of runs as in the text output; otherwise they keep their order */
  readonly sorted: boolean;
}

/** Formats test results as JUnit XML. */
export function junitXml(suite: TestedSuite, style: JunitStyle): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
  if (suite.files.length === 0) lines[0] += '<testsuites></testsuites>';
  else {
    lines[0] += '<testsuites>';
    for (const file of suite.files) lines.push(...suiteLines(file, style));
    lines.push('</testsuites>');
  }
  return lines.join('\n');
}

function suiteLines(file: TestedFile, style: JunitStyle): readonly string[] {
  const count = (status: TestedRun['status']): number =>
    file.runs.filter((run) => run.status === status).length;
  const head = `  <testsuite name="${attribute(file.name)}" tests="${file.runs.length}" skipped="${count('skip')}" failures="${count('fail')}" errors="${count('error')}">`;
  if (file.runs.length === 0) return [`${head}</testsuite>`];
  return [head, ...file.runs.flatMap((run) => caseLines(run, file, style)), '  </testsuite>'];
}

function caseLines(
  testedRun: TestedRun,
  file: TestedFile,
  { stopped, sorted }: JunitStyle,
): readonly string[] {
  const run = sorted
    ? { ...testedRun, diagnostics: sortDiagnostics(testedRun.diagnostics) }
    : testedRun;
  const time =
    run.startedAt === undefined || run.durationMs === 0
      ? ''
      : ` time="${secondsText(run.durationMs)}"`;
  const stamp =
    run.startedAt === undefined
      ? ''
      : ` timestamp="${run.startedAt.toISOString().replace(/\.\d+Z$/, 'Z')}"`;
  const head = `    <testcase name="${attribute(run.name)}" classname="${attribute(file.name)}"${time}${stamp}>`;
  const inside = [...outcomeLines(run, file, stopped), ...errorOutputLines(run)];
  if (inside.length === 0) return [`${head}</testcase>`];
  return [head, ...inside.map((line) => `      ${line}`), '    </testcase>'];
}

function outcomeLines(run: TestedRun, file: TestedFile, stopped: boolean): readonly string[] {
  switch (run.status) {
    case 'skip':
      return [skippedElement(run, file, stopped)];
    case 'fail': {
      const failed = run.diagnostics.filter(
        ({ severity, summary }) => severity === 'error' && summary === FAILED_ASSERTION,
      );
      const [first] = failed;
      const including = failed.length === 1 ? ':' : ', including:';
      const message =
        first === undefined
          ? ''
          : `${failed.length} of ${run.config.asserts.length} assertions failed${including} ${first.detail}`;
      return [element('failure', message, textOf(failed))];
    }
    case 'error': {
      const errors = run.diagnostics.filter(({ severity }) => severity === 'error');
      return [element('error', 'Encountered an error', textOf(errors))];
    }
    default:
      return [];
  }
}

function skippedElement(run: TestedRun, file: TestedFile, stopped: boolean): string {
  if (stopped) {
    return element(
      'skipped',
      'Testcase skipped due to an interrupt',
      'Terraform received an interrupt and stopped gracefully. This caused all remaining testcases to be skipped',
    );
  }
  const culprit =
    file.status === 'error'
      ? file.runs.slice(0, run.index + 1).findLast(({ status }) => status === 'error')
      : undefined;
  if (culprit === undefined) return element('skipped', '', '');
  return element(
    'skipped',
    'Testcase skipped due to a previous testcase error',
    `Previous testcase "${culprit.name}" ended in error, which caused the remaining tests in the file to be skipped`,
  );
}

/** Returns all messages except the reason of a failure. */
function errorOutputLines(run: TestedRun): readonly string[] {
  const messages =
    run.status === 'error'
      ? run.diagnostics.filter(({ severity }) => severity === 'warning')
      : run.diagnostics.filter(({ summary }) => summary !== FAILED_ASSERTION);
  return messages.length === 0 ? [] : [element('system-err', '', textOf(messages))];
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => diagnosticText(asInTerraform(diagnostic), PLAIN)).join('');
}

/** Removes comparisons that Terraform's reports do not contain. */
function asInTerraform(diagnostic: Diagnostic): Diagnostic {
  if (comparisonOf(diagnostic)?.isShownInFull !== false) return diagnostic;
  return { ...diagnostic, extra: { kind: 'assertion' } };
}
