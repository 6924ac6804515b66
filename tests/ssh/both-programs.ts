// One configuration applied by Terrane and, where it is there, by Terraform, and what either left.
import { spawn } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { findTerraform } from '../differential/program.ts';

/** Terrane as it is built. */
export const TERRANE: string = resolve(import.meta.dirname, '../../bin/terrane');

/** The output of a run and the files after it. */
export interface Outcome {
  readonly code: number | null;
  /** what provisioners showed, without what differs from run to run, and one try to connect of each kind */
  readonly shown: readonly string[];
  /** the diagnostics, likewise, in one line: where they wrap depends on what differs */
  readonly problems: string;
  /** path in the target folder → mode and content */
  readonly left: Readonly<Record<string, string>>;
}

/** A configuration with the files that it uses; it has a variable `target`, a folder to write to. */
export interface Project {
  readonly config: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** what is shown when the run is to be interrupted */
  readonly interruptAt?: string;
  /** how much is done at once; without it one thing after another */
  readonly parallelism?: number;
}

/** Terrane's outcome, and Terraform's where it is on PATH. */
export async function applyByBoth(project: Project): Promise<[Outcome, Outcome | undefined]> {
  const terraform = findTerraform();
  return await Promise.all([
    apply(TERRANE, project),
    terraform === undefined ? undefined : apply(terraform.command, project),
  ]);
}

/** Applies in a folder of its own. */
export async function apply(
  program: string,
  { config, files, env, interruptAt, parallelism = 1 }: Project,
): Promise<Outcome> {
  const work = mkdtempSync(join(tmpdir(), 'terrane-apply-'));
  try {
    const target = join(work, 'target');
    const project = join(work, 'project');
    mkdirSync(target);
    for (const [path, text] of Object.entries({ ...files, 'main.tf': config })) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const environment = {
      PATH: process.env['PATH'] ?? '',
      HOME: work,
      CHECKPOINT_DISABLE: '1',
      TF_VAR_target: target,
      ...env,
    };
    await run(program, ['init', '-no-color'], project, environment);
    const args = ['apply', '-auto-approve', '-no-color', `-parallelism=${parallelism}`];
    const { code, stdout, stderr } = await run(program, args, project, environment, interruptAt);
    const steady = (text: string): string =>
      text
        .replaceAll(target, 'TARGET')
        .replaceAll(/terraform_\d+\.(sh|cmd)/g, 'terraform_RAND.$1')
        .replaceAll(/(?:winrmcp|terrane)-[0-9a-f-]{36}\.tmp/g, 'TEMPORARY');
    return {
      code,
      shown: withoutFurtherTries(
        steady(stdout)
          .split('\n')
          .filter((line) => / \((remote-exec|file)\): |Provisioning with/.test(line)),
      ),
      problems: steady(stderr.replaceAll(/\s+/g, ' ').trim()),
      left: Object.fromEntries(tree(target)),
    };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Leaves out tries to connect that another one follows: how many there are depends on the time they take. */
function withoutFurtherTries(lines: readonly string[]): readonly string[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (/Connecting to remote host via \w+\.\.\.$/.test(line)) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return blocks
    .filter((block, index) => {
      const next = blocks[index + 1];
      return next === undefined || block.some((line, at) => line !== next[at]);
    })
    .flat();
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  interruptAt?: string,
): Promise<Ran> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const isAwaited = interruptAt !== undefined && !stdout.includes(interruptAt);
    stdout += chunk;
    if (isAwaited && stdout.includes(interruptAt)) child.kill('SIGINT');
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return await new Promise((done, fail) => {
    child.once('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

function* tree(folder: string, prefix = ''): Generator<[string, string]> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isDirectory()) {
      yield [`${prefix}${name}/`, mode];
      yield* tree(path, `${prefix}${name}/`);
    } else yield [`${prefix}${name}`, `${mode} ${readFileSync(path, 'utf8')}`];
  }
}
