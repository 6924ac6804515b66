import type {
  State,
  TestedFile,
  TestedRun,
  TestedSuite,
  TestEvent,
  TestStatus,
} from '@terrane/engine';
import { planText } from '../human/plan-text.ts';
import { stateText } from '../state/state-text.ts';
import { colorize, type TextStyle } from '../text/style.ts';
import { wordWrap } from '../text/word-wrap.ts';
import { cleanupLine, type Leftover, leftovers, statusWord, summaryLine } from './test-words.ts';

const COLORS: Readonly<Record<TestStatus, string>> = {
  pending: '[light_gray]',
  skip: '[light_gray]',
  pass: '[green]',
  fail: '[red]',
  error: '[red]',
};

/** Formats the status line of a test file. */
export function testFileText(
  file: TestedFile,
  progress: 'starting' | 'teardown' | 'complete',
  style: TextStyle,
): string {
  switch (progress) {
    case 'starting':
      return `${file.name}... ${colorize('[light_gray]in progress[reset]', style.color)}\n`;
    case 'teardown':
      return `${file.name}... ${colorize('[light_gray]tearing down[reset]', style.color)}\n`;
    case 'complete':
      return `${file.name}... ${statusText(file.status, style)}\n`;
  }
}

function statusText(status: TestStatus, style: TextStyle): string {
  return colorize(`${COLORS[status]}${statusWord(status)}[reset]`, style.color);
}

/** Formats the result line of a run, and its plan or state if requested. */
export function testRunText(run: TestedRun, style: TextStyle): string {
  const line = `  run "${run.name}"... ${statusText(run.status, style)}\n`;
  if (run.verbose === undefined) return line;
  const { plan, state, schemas } = run.verbose;
  if (plan !== undefined) return `${line}${planText(plan, style)}\n`;
  return state === undefined ? line : `${line}\n${stateText(state, schemas, style)}\n`;
}

/** Formats the final summary. */
export function testSummaryText(suite: TestedSuite, style: TextStyle): string {
  const text = suite.onlyCleansUp === true ? cleanupLine(suite) : summaryLine(suite);
  const [word = ''] = text.split(' ', 1);
  if (!word.endsWith('!')) return `\n${text}\n`;
  const color = suite.status === 'pass' ? '[green]' : '[red]';
  return `\n${colorize(`${color}${word}[reset]`, style.color)}${text.slice(word.length)}\n`;
}

/**
 * Formats the message, before the diagnostics, for a run whose objects could not all be removed. `program` is the name
 * of the program, as in {@link leftoversText} and {@link interruptText}.
 */
export function cleanupFailedText(
  program: string,
  file: TestedFile,
  run: TestedRun,
  style: TextStyle,
): string {
  return wordWrap(
    `${program} encountered an error destroying resources created while executing ${file.name}/${run.name}.\n`,
    style.width,
  );
}

/** Formats the remaining objects of a run; undefined if there are none. */
export function leftoversText(
  program: string,
  file: TestedFile,
  run: TestedRun,
  state: State,
  style: TextStyle,
): string | undefined {
  const remaining = leftovers(state);
  if (remaining.length === 0) return undefined;
  const heading = `\n${program} left the following resources in state after executing ${file.name}/${run.name}`;
  const text = run.config.skipCleanup
    ? `${heading} because the skip_cleanup attribute was set:\n`
    : `${heading}, and they need to be cleaned up manually:\n`;
  return wordWrap(text, style.width) + listText(remaining);
}

function listText(objects: readonly Leftover[]): string {
  return objects
    .map(({ address, deposed }) =>
      deposed === '' ? `  - ${address}\n` : `  - ${address} (${deposed})\n`,
    )
    .join('');
}

/** Formats the objects that exist when tests are interrupted. */
export function interruptText(
  program: string,
  event: Extract<TestEvent, { readonly kind: 'interrupt' }>,
  style: TextStyle,
): string {
  const { file, run, state, states, created } = event;
  const wrapped = (text: string): string => wordWrap(text, style.width);
  const parts = [
    wrapped(
      `\n${program} was interrupted while executing ${file.name}, and may not have performed the expected cleanup operations.\n`,
    ),
  ];
  if (!state.isEmpty) {
    parts.push(
      wrapped(
        `\n${program} has already created the following resources from the module under test:\n`,
      ),
      listText(leftovers(state)),
    );
  }
  for (const { run: otherRun, state: its } of states) {
    if (its.isEmpty) continue;
    const source = sourceOf(otherRun);
    const from = source === '' ? '' : ` from "${source}"`;
    parts.push(
      wrapped(
        `\n${program} has already created the following resources for "${otherRun.name}"${from}:\n`,
      ),
      listText(leftovers(its)),
    );
  }
  if (created.length > 0) {
    const source = sourceOf(run);
    const from = source === '' ? 'the module under test' : `"${source}"`;
    parts.push(
      wrapped(
        `\n${program} was in the process of creating the following resources for "${run.name}" from ${from}, and they may not have been destroyed:\n`,
      ),
      created.map((address) => `  - ${address}\n`).join(''),
    );
  }
  return parts.join('');
}

function sourceOf({ config }: TestedRun): string {
  return config.module?.configuration?.rootDirectory ?? '';
}
