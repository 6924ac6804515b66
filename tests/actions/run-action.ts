// Runs an action as the runner of GitHub does: inputs and files in the environment, the bundled script in Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { packAction } from '../../scripts/release/actions.ts';
import { readIdentity } from '../../scripts/release/identity.ts';

/** Writes the files of an action into a folder. */
export async function buildAction(name: string, folder: string): Promise<void> {
  for (const { path, contents } of await packAction(name, readIdentity())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
}

/** The result of a step. */
export interface Step {
  readonly code: number;
  /** the log, with the commands to the runner */
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** directories that were added to PATH */
  readonly path: readonly string[];
  readonly summary: string;
}

/** The place of a job: its workspace, its home and the directories of the runner. */
export class Job {
  readonly folder: string;
  readonly workspace: string;

  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'job-'));
    this.workspace = join(this.folder, 'workspace');
    for (const name of ['workspace', 'temp', 'tools', 'home'])
      mkdirSync(join(this.folder, name), { recursive: true });
  }

  write(path: string, text: string): void {
    const target = join(this.workspace, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /** Runs an action with inputs. The defaults are those of its `action.yml`. */
  async use(
    action: string,
    inputs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Step> {
    const { inputs: declared, runs } = parse(readFileSync(join(action, 'action.yml'), 'utf8')) as {
      readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
      readonly runs: { readonly main: string };
    };
    const values: Record<string, string> = {};
    for (const [name, { default: initial = '' }] of Object.entries(declared))
      values[`INPUT_${name.toUpperCase()}`] = initial.replace(/^\$\{\{.*\}\}$/, 'token');
    for (const [name, value] of Object.entries(inputs)) {
      if (!(name in declared)) throw new Error(`the action has no input "${name}"`);
      values[`INPUT_${name.toUpperCase()}`] = value;
    }
    return await this.run(process.execPath, [resolve(action, runs.main)], { ...values, ...env });
  }

  /** Runs a program as a step. */
  async run(
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Step> {
    const files = mkdtempSync(join(this.folder, 'step-'));
    for (const name of ['output', 'path', 'env', 'summary']) writeFileSync(join(files, name), '');
    const child = spawn(program, args, {
      cwd: this.workspace,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: join(this.folder, 'home'),
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: this.workspace,
        GITHUB_OUTPUT: join(files, 'output'),
        GITHUB_PATH: join(files, 'path'),
        GITHUB_ENV: join(files, 'env'),
        GITHUB_STEP_SUMMARY: join(files, 'summary'),
        RUNNER_TEMP: join(this.folder, 'temp'),
        RUNNER_TOOL_CACHE: join(this.folder, 'tools'),
        CHECKPOINT_DISABLE: '1',
        ...env,
      },
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    const code = await new Promise<number>((done, failed) => {
      child.on('error', failed);
      child.on('close', (status) => done(status ?? 1));
    });
    const read = (name: string): string =>
      existsSync(join(files, name)) ? readFileSync(join(files, name), 'utf8') : '';
    const outputs = Array.from(
      read('output').matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n\2$/gm),
      ([, name = '', , value = '']) => [name, value] as const,
    );
    return {
      code,
      log,
      outputs: Object.fromEntries(outputs),
      path: read('path').split('\n').filter(Boolean),
      summary: read('summary'),
    };
  }
}
