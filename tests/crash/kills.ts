// Kills the built program with SIGKILL at random instants, and looks at what later runs make of it.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { seededRandom } from '@terrane/testkit';
import { buildCrashPlugin } from './build-crash-plugin.ts';
import type { CrashObject } from './crash-world.ts';
import { KILLED_TEXTS } from './workloads.ts';

const PROGRAM = resolve(import.meta.dirname, '../../packages/cli/dist/terrane.js');
const STATE = 'terraform.tfstate';
const OVERDUE_MS = 240_000;

/** The result of killing runs. */
export interface Kills {
  readonly kills: number;
  /** of them those in the middle of a call of the provider */
  readonly inCalls: number;
  /** objects that the next run recovered, and those that could only be reported */
  readonly recovered: number;
  readonly reported: number;
  /** kills after which the state file could not be read */
  readonly unreadable: number;
  readonly problems: readonly string[];
}

/** Kills so many runs, several at a time; `tell` is called with the number of those done, after each. */
export async function killRuns(
  kills: number,
  seed: number,
  jobs: number,
  tell: (done: number) => void,
): Promise<Kills> {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-kills-'));
  try {
    await buildCrashPlugin(directory);
    let ended = 0;
    const killed = (): void => tell(++ended);
    const lanes = Array.from({ length: jobs }, (_, n) => {
      const share = Math.floor((kills + jobs - 1 - n) / jobs);
      return new Lane(directory, n, seed * 1000 + n, killed).kill(share);
    });
    const done = await Promise.all(lanes);
    const sum = (key: Exclude<keyof Kills, 'problems'>): number =>
      done.reduce((total, lane) => total + lane[key], 0);
    return {
      kills: sum('kills'),
      inCalls: sum('inCalls'),
      recovered: sum('recovered'),
      reported: sum('reported'),
      unreadable: sum('unreadable'),
      problems: done.flatMap(({ problems }) => problems),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** One directory, one run in it after the other. */
class Lane {
  readonly #directory: string;
  readonly #world: string;
  readonly #plugins: string;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #problems: string[] = [];
  readonly #killed: () => void;
  #label = '';
  #recovered = 0;
  #inCalls = 0;
  #unreadable = 0;

  constructor(plugins: string, number: number, seed: number, killed: () => void) {
    this.#killed = killed;
    this.#plugins = plugins;
    this.#directory = join(plugins, `lane-${number}`);
    this.#world = join(this.#directory, 'world');
    this.#random = seededRandom(seed);
    mkdirSync(this.#world, { recursive: true });
    writeFileSync(
      join(this.#directory, 'terraformrc'),
      `provider_installation {\n  dev_overrides {\n    "hashicorp/crash" = ${JSON.stringify(plugins)}\n  }\n  direct {}\n}\n`,
    );
  }

  /** A whole number from 0 up to, and without, a limit. */
  #below(limit: number): number {
    const [a = 0, b = 0, c = 0] = this.#random.bytes(3);
    return Math.floor(((a * 65_536 + b * 256 + c) / 16_777_216) * limit);
  }

  async kill(kills: number): Promise<Kills> {
    let killed = 0;
    for (let round = 0; killed < kills && this.#problems.length === 0; round++) {
      const text = KILLED_TEXTS[round % KILLED_TEXTS.length];
      if (text !== undefined) writeFileSync(join(this.#directory, 'main.tf'), text);
      const command = text === undefined ? 'apply -destroy' : 'apply';
      const before = this.#stored();
      this.#label = `round ${round} (${command})`;
      if (!(await this.#killOne(command))) continue;
      killed++;
      this.#checkReadable(before);
      await this.#recover(command, killed);
      this.#killed();
    }
    const reported = await this.#forgetAll();
    return {
      kills: killed,
      inCalls: this.#inCalls,
      recovered: this.#recovered,
      reported,
      unreadable: this.#unreadable,
      problems: this.#problems.map((problem) => `${this.#directory}: ${problem}`),
    };
  }

  /** Starts a run and kills it; false where it ended before. */
  async #killOne(command: string): Promise<boolean> {
    // Looked at often, so that it is to stay short.
    rmSync(join(this.#world, 'log'), { force: true });
    // Before the first call, at one of them, or when all is done but the state is not stored.
    const after = this.#below(60);
    const late = this.#below(25);
    const dies = this.#below(2) === 0;
    const { child, ended } = this.#start([...command.split(' '), '-auto-approve']);
    const due = after === 0 ? this.#below(900) : 0;
    const began = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - began < due || this.#logLines() < after) return;
      clearInterval(timer);
      setTimeout(() => child.kill('SIGKILL'), late);
    }, 2);
    await ended;
    clearInterval(timer);
    const isKilled = child.signalCode === 'SIGKILL';
    this.#label += `, ${after} calls and ${late} ms on, plugin ${dies ? 'killed' : 'goes on'}`;
    if (isKilled && readdirIn(join(this.#world, 'under-way')).length > 0) this.#inCalls++;
    await this.#endPlugins(dies);
    return isKilled;
  }

  /** Plugins die with the run, or do what they were asked first. */
  async #endPlugins(atOnce: boolean): Promise<void> {
    const underWay = join(this.#world, 'under-way');
    const until = performance.now() + OVERDUE_MS;
    const processes = join(this.#world, 'processes');
    const living = (): readonly number[] =>
      // Numbers of processes are used again.
      linesOf(processes)
        .map(Number)
        .filter((pid) => commandOf(pid).includes(this.#plugins));
    while (!atOnce && living().length > 0 && readdirIn(underWay).length > 0) {
      if (performance.now() > until) throw new Error('a call of the plugin does not end');
      await new Promise((done) => setTimeout(done, 5));
    }
    for (const pid of living()) {
      process.kill(pid, 'SIGKILL');
      while (commandOf(pid) !== '') await new Promise((done) => setTimeout(done, 2));
    }
    rmSync(processes, { force: true });
    rmSync(underWay, { recursive: true, force: true });
  }

  #checkReadable(before: number): void {
    try {
      this.#ids();
      const { size } = { size: readIf(join(this.#directory, STATE)).length };
      if (size === 0 && before > 0)
        throw new Error(`${before} objects were in it, now it is empty`);
    } catch (error) {
      this.#unreadable++;
      this.#say(`the state can't be read: ${String(error)}`);
    }
  }

  async #recover(command: string, number: number): Promise<void> {
    const words = command.split(' ').slice(1);
    if (number % 4 === 0) {
      const looked = await this.#run(['plan', ...words]);
      if (looked.code !== 0) this.#say(`the plan fails: ${looked.output}`);
    }
    const applied = await this.#run(['apply', ...words, '-auto-approve']);
    if (applied.code !== 0) this.#say(`the next apply fails: ${applied.output}`);
    this.#recovered += occurrences(applied.output, 'Object of an interrupted run found');
    this.#checkInventory(applied.output);
    if (number % 2 === 0) return;
    const last = await this.#run(['plan', ...words, '-detailed-exitcode']);
    if (last.code !== 0) this.#say(`the last plan is not empty: ${last.output}`);
    this.#checkInventory(last.output);
  }

  /** Each object that exists is in the state, once, or is reported; and nothing else is in the state. */
  #checkInventory(output: string): void {
    const known = this.#ids();
    const objects = this.#objects();
    const existing = new Set(objects.map(({ id }) => id));
    if (new Set(known).size !== known.length) this.#say(`the state has an object twice: ${known}`);
    for (const id of known) if (!existing.has(id)) this.#say(`${id} is in the state but not there`);
    const lost = objects.filter(({ id }) => !known.includes(id));
    for (const address of new Set(lost.map((object) => object.address))) {
      const count = lost.filter((object) => object.address === address).length;
      const mentions = occurrences(output, `terrane import '${address}' ID`);
      if (mentions < count)
        this.#say(`${count} objects of ${address} are lost, ${mentions} reported`);
    }
  }

  /** Settles the reported objects, which are reported again until the user settles them. */
  async #forgetAll(): Promise<number> {
    const { output } = await this.#run(['state', 'recover', '-json']);
    const { interrupted } = JSON.parse(output) as { readonly interrupted: { address: string }[] };
    if (interrupted.length === 0) return 0;
    const options = interrupted.map(({ address }) => `-forget=${address}`);
    await this.#run(['state', 'recover', ...options]);
    const after = await this.#run(['state', 'recover']);
    if (!after.output.includes('nothing to recover')) this.#say(`not forgotten: ${after.output}`);
    return interrupted.length;
  }

  #start(args: readonly string[]) {
    const color = args[0] === 'state' ? [] : ['-no-color', '-input=false'];
    const child = spawn(process.execPath, [PROGRAM, ...args, ...color], {
      cwd: this.#directory,
      env: {
        PATH: process.env['PATH'],
        HOME: this.#directory,
        TF_CLI_CONFIG_FILE: join(this.#directory, 'terraformrc'),
        CRASH_WORLD: this.#world,
        CHECKPOINT_DISABLE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = new Promise<Ended>((done) => {
      // A plugin that goes on may keep the pipes open.
      child.on('exit', (code) => setTimeout(() => done({ code, output }), code === null ? 0 : 20));
    });
    return { child, ended, outputSoFar: () => output };
  }

  async #run(args: readonly string[]): Promise<Ended> {
    const { child, ended, outputSoFar } = this.#start(args);
    const closed = new Promise<void>((done) => {
      child.on('close', () => done());
    });
    const { code } = await ended;
    await closed;
    return { code, output: outputSoFar() };
  }

  #say(problem: string): void {
    this.#problems.push(`${this.#label}: ${problem}`);
  }

  #logLines(): number {
    return linesOf(join(this.#world, 'log')).length;
  }

  #objects(): readonly CrashObject[] {
    const directory = join(this.#world, 'objects');
    return readdirIn(directory).map(
      (name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as CrashObject, // the plugin wrote it
    );
  }

  #stored(): number {
    return this.#ids().length;
  }

  /** The ids of all objects in the state file. */
  #ids(): readonly string[] {
    const text = readIf(join(this.#directory, STATE));
    if (text === '') return [];
    const state = JSON.parse(text) as {
      readonly resources: readonly {
        readonly instances: readonly { readonly attributes: { readonly id: string } }[];
      }[];
    };
    return state.resources.flatMap(({ instances }) =>
      instances.map(({ attributes }) => attributes.id),
    );
  }
}

function readIf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function linesOf(path: string): readonly string[] {
  return readIf(path)
    .split('\n')
    .filter((line) => line !== '');
}

function readdirIn(path: string): readonly string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

/** The command line of a process; empty where there is none, or only what is left of one. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function occurrences(text: string, part: string): number {
  // Lines are wrapped where they are long, but not within commands.
  return text.split(part).length - 1;
}
