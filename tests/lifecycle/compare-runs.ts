// The recordings of the cases, and the comparison of a run with them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, Exception } from '../differential/case.ts';
import { differences, report } from '../differential/difference.ts';
import { elements, isObject, member } from '../differential/json.ts';
import type { JsonObject } from '../differential/json.ts';
import { readRecorded, writeRecorded } from '../differential/recorded.ts';
import { callProblems, missingIn, narrowed, orderOf, textOf, without } from './call-order.ts';
import type { Call, Calls } from './call-order.ts';
import type { LifecycleRun } from './run-cases.ts';

/** The number of runs of Terraform that determine its order. */
export const RUNS = 5;

const folder = join(import.meta.dirname, 'recorded');
const recordedName = (name: string): string => `../../lifecycle/recorded/${name}`;
const callsFile = (name: string): string => join(folder, `${name}.calls.json`);

type Recorded = readonly ({ readonly command: string } & Calls)[];

/** The calls that were recorded, by command. */
export function recordedCalls(name: string): Recorded | undefined {
  return existsSync(callsFile(name))
    ? (JSON.parse(readFileSync(callsFile(name), 'utf8')) as Recorded)
    : undefined;
}

/** Keeps what runs of terraform have in common. Gives how they differ, for people, and then keeps nothing. */
export function writeLifecycle({ name, exceptions }: Case, runs: readonly LifecycleRun[]): string {
  const [first, ...others] = runs;
  if (first === undefined) throw new Error('nothing ran');
  for (const each of others) {
    const differenceText = report(
      differences(withoutPlans(first.record), withoutPlans(each.record), exceptions),
    );
    if (differenceText !== '') return differenceText;
  }
  const calls: Recorded[number][] = [];
  for (const [i, { command }] of first.calls.entries()) {
    const ofCommand = runs.map((each) => each.calls[i]?.calls ?? []);
    const common = orderOf(ofCommand);
    for (const each of ofCommand) {
      const problems = callProblems(common, each);
      if (problems.length > 0) return `${command}\n${problems.join('\n')}`;
    }
    calls.push({ command, ...common });
  }
  writeRecorded(recordedName(name), first.record);
  writeFileSync(callsFile(name), linesOf(calls));
  return '';
}

/** Takes out of what was recorded the order that another run of terraform did not keep to; gives how much. */
export function narrowOrder(name: string, run: LifecycleRun): number {
  const before = recordedCalls(name) ?? [];
  const after = before.map((each, i) => ({
    command: each.command,
    ...narrowed(each, run.calls[i]?.calls ?? []),
  }));
  writeFileSync(callsFile(name), linesOf(after));
  const size = (all: Recorded): number => all.reduce((sum, { order }) => sum + order.length, 0);
  return JSON.stringify(before) === JSON.stringify(after)
    ? 0
    : Math.max(1, size(before) - size(after));
}

/** Without what runs that are only for the order of calls do not ask for. */
function withoutPlans(record: JsonObject): JsonObject {
  const steps = elements(record['steps']).map((step) =>
    isObject(step)
      ? Object.fromEntries(
          Object.entries(step).filter(([name]) => !['plan', 'outputs', 'shown'].includes(name)),
        )
      : step,
  );
  return { ...record, steps };
}

/** A call is a line, and so is what it comes before. */
function linesOf(calls: Recorded): string {
  const commands = calls.map(
    ({ command, calls: made, order }) =>
      `  { "command": ${JSON.stringify(command)},\n    "calls": [\n${made.map((each) => `      ${JSON.stringify(each)}`).join(',\n')}\n    ],\n    "order": ${JSON.stringify(order)} }`,
  );
  return `[\n${commands.join(',\n')}\n]\n`;
}

/** Without resources that have no instances in a state, which Terrane does not write. */
function withoutEmpty(record: JsonObject): JsonObject {
  const steps = elements(record['steps']).map((step) => {
    const state = member(step, 'state');
    if (!isObject(step) || !isObject(state)) return step;
    const resources = elements(state['resources']).filter(
      (each) => elements(member(each, 'instances')).length > 0,
    );
    return { ...step, state: { ...state, resources } };
  });
  return { ...record, steps };
}

/** Rows of docs/differences.md. */
const ALWAYS: readonly Exception[] = [
  {
    path: String.raw`diagnostics\[\w+ (to delete|planning) .* at undefined:undefined\]\.address`,
    reason: 'what a provider says while it destroys an object, or plans to, names it',
  },
  {
    path: String.raw`apply\.events\[apply_errored .* delete\]`,
    reason: 'and so does the -json stream, for deposed objects too',
  },
];

/**
 * Without calls that Terrane may leave out, as docs/differences.md says: providers that have nothing to do are not
 * configured, and what an apply leaves alone is not brought to the current schema again.
 */
function withoutNeedless(expected: Recorded[number], actual: readonly Call[]): Calls {
  const needless = /^(apply|destroy)\b/.test(expected.command) ? /^(configure|upgrade) / : /^$/;
  const needlessCalls = missingIn(actual.map(textOf), expected.calls).filter((each) =>
    needless.test(each),
  );
  return without(expected, needlessCalls);
}

/**
 * Returns the differences between a run and its recording, for people; empty if there are none. For a run of terraform
 * itself the calls are compared without their order, which may have been chance on the recording machine.
 */
export function compareRun(
  { name, exceptions }: Case,
  run: LifecycleRun,
  by: 'terrane' | 'terraform' = 'terrane',
): string {
  const expected = readRecorded(recordedName(name));
  const calls = recordedCalls(name);
  if (expected === undefined || calls === undefined) return 'nothing recorded';
  const accepted = [...exceptions, ...ALWAYS];
  const parts = [report(differences(withoutEmpty(expected), withoutEmpty(run.record), accepted))];
  const made = run.calls.filter(
    ({ command, calls: some }) => some.length > 0 || calls.some((each) => each.command === command),
  );
  let next = 0;
  for (const [i, each] of calls.entries()) {
    // Commands without provider calls have no record.
    while (made[next]?.command !== each.command && made[next]?.calls.length === 0) next += 1;
    const actual = made[next];
    next += 1;
    if (actual?.command !== each.command) {
      parts.push(`command ${i + 1} is ${actual?.command ?? 'missing'} and not ${each.command}`);
      break;
    }
    const wanted = withoutNeedless(each, actual.calls);
    const problems = callProblems(
      by === 'terrane' ? wanted : { calls: wanted.calls, order: [] },
      actual.calls,
    );
    if (problems.length > 0)
      parts.push(`calls of ${i + 1}: ${each.command}\n${problems.join('\n')}`);
  }
  if (made.slice(next).some((each) => each.calls.length > 0))
    parts.push('there are more commands with calls');
  return parts.filter((each) => each !== '').join('\n');
}
