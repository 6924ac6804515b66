// One state that two programs work on by turns through the same backend: each finds what the other wrote, and is kept
// out by the other's lock.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { findTerraform, findTerrane, type Program } from '../differential/program.ts';

const terrane = findTerrane();
const terraform = findTerraform();

/** The programs that write first and second; only Terrane if terraform is not installed. */
export const PAIRS: readonly (readonly [Program, Program])[] =
  terraform === undefined
    ? [[terrane, terrane]]
    : [
        [terrane, terraform],
        [terraform, terrane],
      ];

/** A backend that both programs are pointed at. */
export interface Pointed {
  /** the `backend` block */
  readonly block: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly hasWorkspaces: boolean;
  readonly hasLocks: boolean;
  /** the lock can be broken by its number from a process that does not hold it */
  readonly breaksLocks: boolean;
}

/** The result of one run of a program. */
export interface Run {
  readonly code: number;
  readonly output: string;
}

/** Folders for projects, gone at the end. */
export class Projects implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(folder: string, env: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#env = env;
  }

  static async make(env: Readonly<Record<string, string>> = {}): Promise<Projects> {
    return new Projects(await realpath(await mkdtemp(join(tmpdir(), 'terrane-backends-'))), env);
  }

  /** A project of its own for a program, with the same configuration as others of that text. */
  async project(name: string, program: Program, configuration: string): Promise<Project> {
    const directory = join(this.#folder, name);
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'main.tf'), configuration);
    return new Project(directory, program, { HOME: this.#folder, ...this.#env });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A program in a folder. */
export class Project {
  readonly directory: string;
  readonly program: Program;
  readonly #env: Readonly<Record<string, string>>;
  #hasBroken = false;

  constructor(directory: string, program: Program, env: Readonly<Record<string, string>>) {
    this.directory = directory;
    this.program = program;
    this.#env = env;
  }

  /** Runs a command line to its end; `input` is what users type. */
  async run(line: string, input = ''): Promise<Run> {
    const start = Date.now();
    const child = this.#start(line.split(' '));
    child.stdin.end(input);
    const result = await child.ended;
    return (await this.#breakOwnLock(result.output, start)) ? await this.run(line, input) : result;
  }

  /** Runs a command line that has to go well, and gives what it says. */
  async ok(line: string): Promise<string> {
    const { code, output } = await this.run(line);
    expect(code, `${this.program.name} ${line}\n${output}`).toBe(0);
    return output;
  }

  /** Begins an apply and keeps it waiting for an answer, with the lock; what it gives ends it with "no". */
  async holdLock(): Promise<() => Promise<Run>> {
    const start = Date.now();
    const child = this.#start(['apply', '-no-color', '-var=value=another']);
    try {
      await child.says('Enter a value:');
    } catch (error) {
      const { output } = await child.ended;
      if (await this.#breakOwnLock(output, start)) return await this.holdLock();
      throw error;
    }
    return async () => {
      child.stdin.end('no\n');
      return await child.ended;
    };
  }

  /**
   * Breaks a lock that the command itself created and then mistook for another's, and returns true if there was one.
   * Terraform's SDK for S3 and DynamoDB repeats a conditional write after a lost response, and Terraform reports its own
   * lock as the obstacle. (With other backends it names the lock that it tried to acquire, whoever holds the real one.) Terrane must recognise its own lock, so nothing is broken for it.
   */
  async #breakOwnLock(output: string, start: number): Promise<boolean> {
    if (
      this.program.name === terrane.name ||
      !/PreconditionFailed|ConditionalCheckFailed/.test(output)
    )
      return false;
    const id = /^ +ID: +(\S+)/m.exec(output)?.[1];
    const created = /^ +Created: +(\S+ \S+) \+0000 UTC/m.exec(output)?.[1];
    if (id === undefined || created === undefined || Date.parse(`${created}Z`) < start)
      return false;
    if (this.#hasBroken) return false;
    this.#hasBroken = true;
    const breaking = this.#start(['force-unlock', '-force', id]);
    breaking.stdin.end();
    const { code, output: answer } = await breaking.ended;
    expect(code, answer).toBe(0);
    return true;
  }

  #start(args: readonly string[]): {
    readonly stdin: NodeJS.WritableStream;
    readonly ended: Promise<Run>;
    says(text: string): Promise<void>;
  } {
    const child = spawn(this.program.command, [...args], {
      cwd: this.directory,
      env: { PATH: process.env['PATH'], CHECKPOINT_DISABLE: '1', ...this.#env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let output = '';
    const waiting: { readonly text: string; readonly resolve: () => void }[] = [];
    const hear = (piece: Buffer): void => {
      output += piece.toString();
      for (const { text, resolve } of waiting) if (output.includes(text)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.stdin.on('error', () => undefined);
    const ended = new Promise<Run>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, output }));
    });
    return {
      stdin: child.stdin,
      ended,
      says: (text) =>
        new Promise((resolve, reject) => {
          waiting.push({ text, resolve });
          if (output.includes(text)) resolve();
          void ended.then(
            () => reject(new Error(`ended without saying ${text}: ${output}`)),
            reject,
          );
        }),
    };
  }
}

/** A configuration with one resource of the built-in provider, whose input is a variable. */
export function configurationWith(block: string): string {
  return `terraform {
${block}
}

variable "value" {
  default = "first"
}

resource "terraform_data" "x" {
  input = var.value
}

output "value" {
  value = terraform_data.x.output
}
`;
}

/**
 * While the real terraform holds the lock of a state, Terrane does nothing to it and tells who has it; when it is given
 * back, Terrane goes on. Both folders have a configuration with an output `x` that is not stored yet.
 */
export async function keepsOut(
  theirs: string,
  ours: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  if (terraform === undefined) throw new Error('no terraform');
  const holder = new Project(theirs, terraform, { HOME: theirs, ...env });
  const other = new Project(ours, terrane, { HOME: ours, ...env });
  await writeFile(
    join(theirs, 'held.tf'),
    'variable "value" {}\n\noutput "held" {\n  value = var.value\n}\n',
  );
  const letGo = await holder.holdLock();
  const kept = await other.run('apply -no-color -auto-approve');
  expect(kept.code, kept.output).toBe(1);
  expect(kept.output).toContain('Error acquiring the state lock');
  expect(kept.output).toMatch(/Operation: +OperationTypeApply\n/);
  expect(kept.output).toMatch(/Who: +\S+@/);
  const { output } = await letGo();
  expect(output).toContain('Apply cancelled');
  await other.ok('apply -no-color -auto-approve');
}

/** Both programs work on one state by turns. */
export async function takeTurns(
  [first, other]: readonly [Program, Program],
  { block, env, hasWorkspaces, hasLocks, breaksLocks }: Pointed,
): Promise<void> {
  await using projects = await Projects.make(env);
  const configuration = configurationWith(block);
  const a = await projects.project('a', first, configuration);
  const b = await projects.project('b', other, configuration);
  await a.ok('init -no-color -input=false');
  await a.ok('apply -no-color -auto-approve');
  await b.ok('init -no-color -input=false');
  expect(await b.ok('output -raw value')).toBe('first');
  expect(await b.ok('plan -no-color -detailed-exitcode')).toContain('No changes');
  await b.ok('apply -no-color -auto-approve -var=value=second');
  expect(await a.ok('output -raw value')).toBe('second');
  const [mine, theirs] = [await a.ok('state pull'), await b.ok('state pull')].map((text): unknown =>
    JSON.parse(text),
  );
  expect(mine).toEqual(theirs);

  if (hasWorkspaces) {
    await a.ok('workspace new -no-color green');
    await a.ok('apply -no-color -auto-approve -var=value=green');
    expect(await b.ok('workspace list -no-color')).toMatch(/\* default\n +green\n/);
    await b.ok('workspace select -no-color green');
    expect(await b.ok('output -raw value')).toBe('green');
    await b.ok('destroy -no-color -auto-approve');
    await b.ok('workspace select -no-color default');
    await a.ok('workspace select -no-color default');
    await b.ok('workspace delete -no-color green');
    expect(await a.ok('workspace list -no-color')).not.toContain('green');
    expect(await a.ok('output -raw value')).toBe('second');
  }

  if (hasLocks) {
    const letGo = await a.holdLock();
    const kept = await b.run('apply -no-color -auto-approve -var=value=third');
    expect(kept.code).toBe(1);
    expect(kept.output).toContain('Error acquiring the state lock');
    if (breaksLocks) {
      const id = /^ +ID: +(\S+)/m.exec(kept.output)?.[1] ?? '';
      await b.ok(`force-unlock -force ${id}`);
      await b.ok('apply -no-color -auto-approve -var=value=broken');
    }
    const { output } = await letGo();
    if (!breaksLocks) expect(output).toContain('Apply cancelled');
    await b.ok('apply -no-color -auto-approve -var=value=third');
    expect(await a.ok('output -raw value')).toBe('third');
  }
  await b.ok('destroy -no-color -auto-approve');
}
