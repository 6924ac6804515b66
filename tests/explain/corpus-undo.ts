// Plans of a case once more, without the causes that explanations of the first plan name.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { Explanation } from '@terrane/engine';
import type { Step } from '../differential/case.ts';
import { run } from '../differential/program.ts';
import { TERRANE_WITHIN } from '../differential/terrane-within.ts';
import type { Moment } from './project.ts';
import { CANNOT, leavesOf, undo } from './undo.ts';

/** What a step of a case was given. */
export interface StepMoment extends Moment {
  readonly args: readonly string[];
}

/** The configuration in a folder, and the variables that a step gives. */
export function momentOf(work: string, step: Step): StepMoment {
  const files: Record<string, string> = {};
  const read = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) read(path);
      else if (/\.(tf|tofu|tfvars)(\.json)?$/.test(entry.name))
        files[relative(work, path)] = readFileSync(path, 'utf8');
    }
  };
  read(work);
  const args = step.args ?? [];
  const variables: Record<string, string> = {};
  for (const [at, arg] of args.entries()) {
    const text = /^--?var$/.test(arg) ? args[at + 1] : /^--?var=(.*)$/s.exec(arg)?.[1];
    const pair = /^([^=]+)=(.*)$/s.exec(text ?? '');
    if (pair?.[1] !== undefined) variables[pair[1]] = pair[2] ?? '';
  }
  return { files, choices: { variables }, args };
}

/** Kinds whose undoing needs more than the configuration and the options. */
const ELSEWHERE: ReadonlySet<string> = new Set(['drift', 'tainted', ...Object.keys(CANNOT)]);

/** Whether the action vanishes once its causes are undone; `cannot` where that takes more than files and options. */
export async function vanishes(
  explanation: Explanation,
  before: StepMoment,
  after: StepMoment,
  where: { readonly work: string; readonly environment: Readonly<Record<string, string>> },
): Promise<'vanishes' | 'cannot' | string> {
  const leaves = leavesOf(explanation.causes);
  if (leaves.some(({ kind, possible }) => possible !== true && ELSEWHERE.has(kind)))
    return 'cannot';
  if (leaves.some(({ origin }) => origin?.source === 'env' || origin?.source === 'input'))
    return 'cannot';
  // What moved was declared elsewhere before: a part put back is about another address.
  if (Object.values(after.files).some((text) => /^moved \{/m.test(text))) return 'cannot';
  const undoing = undo(explanation, before, after);
  if (typeof undoing === 'string') return undoing;
  const folder = mkdtempSync(join(tmpdir(), 'explain-undo-'));
  try {
    const work = join(folder, 'work');
    cpSync(where.work, work, { recursive: true });
    for (const name of Object.keys(after.files)) rmSync(join(work, name), { force: true });
    for (const [name, text] of Object.entries(undoing.files)) {
      if (text.trim() === '') continue;
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), text);
    }
    const isOption = (arg: string): boolean => /^--?(var|replace|destroy)(=|$)/.test(arg);
    const kept = after.args.filter(
      (arg, at) => !isOption(arg) && !/^--?(var|replace)$/.test(after.args[at - 1] ?? ''),
    );
    const variables = Object.entries(undoing.choices.variables ?? {}).map(
      ([name, value]) => `-var=${name}=${value}`,
    );
    const options = { cwd: work, env: { ...where.environment } };
    await run(TERRANE_WITHIN, ['init', '-input=false', '-no-color'], options);
    const args = ['plan', '-input=false', '-no-color', '-out=undone', ...kept, ...variables];
    const planned = await run(TERRANE_WITHIN, args, options);
    // A part of an earlier configuration need not go with the rest of the later one.
    if (planned.exit !== 0) return 'cannot';
    const shown = await run(TERRANE_WITHIN, ['show', '-json', 'undone'], options);
    const { resource_changes: changes = [], output_changes: outputs = {} } = JSON.parse(
      shown.stdout,
    ) as Shown; // as docs of the plan JSON say
    const { address } = explanation;
    const left =
      explanation.kind === 'output'
        ? outputs[address.replace(/^output\./, '')]?.actions
        : changes.find((one) => one.address === address && one.deposed === undefined)?.change
            .actions;
    const isLeft = left !== undefined && left.join() !== 'no-op';
    const comesOrGoes = explanation.action === 'create' || explanation.action === 'delete';
    if (!isLeft || (comesOrGoes && left.join() !== explanation.action)) return 'vanishes';
    return `still ${left.join()} without its causes`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Shown {
  readonly resource_changes?: readonly {
    readonly address: string;
    readonly deposed?: string;
    readonly change: { readonly actions: readonly string[] };
  }[];
  readonly output_changes?: Readonly<Record<string, { readonly actions: readonly string[] }>>;
}
