// The model of a case, and the directories of cases. README.md describes the format.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from '../../scripts/oracle/install-programs.mjs';

/** The folder of these tests. */
export const here: string = fileURLToPath(new URL('.', import.meta.url));

/** Changes of the directory before a step, besides overlaying its files. */
export interface Before {
  /** Files or folders to remove. */
  readonly remove?: readonly string[];
  /** Files to write, by path. */
  readonly write?: Readonly<Record<string, string>>;
  /** Addresses of instances in the state to mark as tainted. */
  readonly taint?: readonly string[];
  /** Texts in the state file to replace, as [from, to]. */
  readonly editState?: readonly (readonly [string, string])[];
  /** Text to append to files, by path. */
  readonly append?: Readonly<Record<string, string>>;
  /** Files to copy, as [from, to]. */
  readonly copy?: readonly (readonly [string, string])[];
  /** Commands to run in the folder, such as a change behind the program's back. */
  readonly commands?: readonly (readonly string[])[];
}

/** The commands of a step. */
export type StepKind =
  /** `plan -out` with `-detailed-exitcode`, then `show -json` of the plan. */
  | 'plan'
  /** The same, then `apply` of the plan file, the state and the outputs. */
  | 'apply'
  /** `apply -auto-approve`, without a plan file. */
  | 'apply-auto'
  /** `apply` of the plan file that an earlier `plan` wrote, the state and the outputs. */
  | 'apply-planned'
  /** `plan -destroy -out`, then `apply` of the plan file. */
  | 'destroy'
  /** `destroy -auto-approve`. */
  | 'destroy-auto'
  /** `validate -json`. */
  | 'validate'
  /** `init -json` alone, compared like any other step. */
  | 'init'
  /** `show -json` of the state. */
  | 'show'
  /** `test -json`: all messages, in their order. */
  | 'test'
  /** Any other command: `args` is the whole command line, its standard output is compared as text. */
  | 'command';

/** One step of a case. */
export interface Step {
  readonly run: StepKind;
  /** Arguments after the command (for `command`: all of them). */
  readonly args?: readonly string[];
  /** Environment of this step, added to the case's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input of a `command`. */
  readonly input?: string;
  readonly before?: Before;
  /** True if `init` runs first, or its arguments; by default it runs after changes of configuration files. */
  readonly init?: boolean | readonly string[];
  /** Files whose contents and mode are part of the result. */
  readonly capture?: readonly string[];
  /** True if the order in which instances are applied is compared (if it is total). */
  readonly ordered?: boolean;
  /** True if the standard error of a `command` is compared. */
  readonly stderr?: boolean;
  /** True if the `configuration` section of the plan is compared. */
  readonly configuration?: boolean;
  /** True if the state after the command is recorded (`command` only; by default if there is a state). */
  readonly state?: boolean;
}

/** A difference that is accepted. */
export interface Exception {
  /** A regular expression for the path of the difference. */
  readonly path: string;
  readonly reason: string;
}

/** A case: a folder under `cases/TOPIC`. */
export interface Case {
  readonly name: string;
  readonly directory: string;
  /** The behavior that the case shows, in a sentence. */
  readonly about: string;
  /** Published providers that it needs (`random`, `local`, …). */
  readonly providers: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** True if a final plan is recorded, which shows whether the state has converged. */
  readonly settle: boolean;
  readonly exceptions: readonly Exception[];
  /**
   * The reference program whose behaviour the case shows, as `scripts/oracle/install-programs.mjs` names it
   * (`terraform-1.16`, `tofu-1.12`); undefined for Terraform 1.11.
   */
  readonly oracle: string | undefined;
  /** The name that Terrane is called by, for what only that program prints; default: `terraform`. */
  readonly calledAs: 'terraform' | 'tofu';
  /** Servers that it needs, which only the tests of published providers start. */
  readonly needs: readonly string[];
}

/** The topic of each case by name; a topic is a folder of cases. */
function readTopics(): ReadonlyMap<string, string> {
  const topics = new Map<string, string>();
  const folder = join(here, 'cases');
  for (const topic of readdirSync(folder)) {
    if (existsSync(join(folder, topic, 'case.json'))) {
      throw new Error(`cases/${topic} is in no topic: move it to cases/TOPIC/${topic}`);
    }
    for (const name of readdirSync(join(folder, topic))) {
      if (!existsSync(join(folder, topic, name, 'case.json'))) continue;
      const other = topics.get(name);
      if (other !== undefined) throw new Error(`two cases are called ${name}: ${other}, ${topic}`);
      topics.set(name, topic);
    }
  }
  return topics;
}

let topics: ReadonlyMap<string, string> | undefined;

/** Returns the path of a case below `cases`, and of its recording below `recorded`: `TOPIC/NAME`. */
export function casePath(name: string): string {
  topics ??= readTopics();
  const topic = topics.get(name);
  if (topic === undefined) throw new Error(`no case is called ${name}`);
  return `${topic}/${name}`;
}

/** Reads a case of `cases`, or of another folder without topics. */
export function loadCase(name: string, folder?: string): Case {
  const directory =
    folder === undefined ? join(here, 'cases', casePath(name)) : join(here, folder, name);
  const data = JSON.parse(readFileSync(join(directory, 'case.json'), 'utf8')) as Partial<Case>;
  if (data.about === undefined || data.steps === undefined) {
    throw new Error(`${directory}/case.json needs "about" and "steps"`);
  }
  return {
    name,
    directory,
    about: data.about,
    providers: data.providers ?? [],
    env: data.env ?? {},
    steps: data.steps,
    settle: data.settle ?? true,
    exceptions: data.exceptions ?? [],
    oracle: knownOracle(name, data.oracle),
    calledAs: data.calledAs ?? 'terraform',
    needs: data.needs ?? [],
  };
}

function knownOracle(caseName: string, oracle: string | undefined): string | undefined {
  if (oracle !== undefined && PROGRAMS[oracle] === undefined) {
    throw new Error(`case ${caseName} names ${oracle}, which is not in install-programs.mjs`);
  }
  return oracle;
}

/** The names of all cases, sorted. */
export function caseNames(): string[] {
  topics ??= readTopics();
  return [...topics.keys()].sort();
}

/** Cases by the names or prefixes given, or all. A name with `*` at the end is a prefix. */
export function selectCases(wanted: readonly string[]): Case[] {
  const names = caseNames();
  const chosen =
    wanted.length === 0
      ? names
      : names.filter((name) => wanted.some((want) => matches(name, want)));
  for (const want of wanted) {
    if (!names.some((name) => matches(name, want))) throw new Error(`no case is called ${want}`);
  }
  return chosen.map((name) => loadCase(name));
}

function matches(name: string, want: string): boolean {
  return want.endsWith('*') ? name.startsWith(want.slice(0, -1)) : name === want;
}
