// A run that was suspended for longer than its lease lasts writes nothing once another one has the lock.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTerrane } from '../differential/program.ts';
import { type Moto, MOTO, startMoto } from './moto.ts';

/** Long enough for a slow machine to take over a lock, which takes several requests. */
const LEASE = '8s';

/** The program in a folder of its own, with the state of all. */
class Run {
  readonly directory: string;
  readonly #child: ChildProcess;
  #output = '';
  readonly ended: Promise<number>;

  constructor(directory: string, args: readonly string[]) {
    this.directory = directory;
    this.#child = spawn(findTerrane().command, [...args], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'secret',
        TERRANE_LOCK_LEASE: LEASE,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (piece: Buffer) => (this.#output += piece.toString()));
    }
    this.ended = new Promise((resolve) => this.#child.once('close', (code) => resolve(code ?? 1)));
  }

  get output(): string {
    return this.#output.replace(/\s+/g, ' ');
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }
}

/** Waits for a condition that a run fulfils before it ends. */
async function until(what: () => boolean, run: Run): Promise<void> {
  while (!what()) {
    if (run.hasEnded) throw new Error(`waited in vain: ${run.output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe.runIf(MOTO && process.platform !== 'win32')('a suspended run', () => {
  let moto: Moto;
  let folder: string;
  beforeAll(async () => {
    moto = await startMoto();
    folder = await mkdtemp(join(tmpdir(), 'terrane-suspended-'));
  });
  afterAll(async () => {
    await moto.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A project whose apply waits, with the lock, until there is a file `go`. */
  const project = async (name: string, key: string, lock: string): Promise<string> => {
    const directory = join(folder, `${key}-${name}`);
    await mkdir(directory);
    const main = `terraform {
  backend "s3" {
    bucket = "bucket"
    key = "${key}"
    region = "us-east-1"
    use_path_style = true
    skip_credentials_validation = true
    endpoints = { s3 = "${moto.endpoint}", dynamodb = "${moto.endpoint}" }
    ${lock}
  }
}
resource "terraform_data" "${name}" {
  provisioner "local-exec" {
    command = "touch began; until [ -e go ]; do sleep 0.1; done"
  }
}
`;
    await writeFile(join(directory, 'main.tf'), main);
    const init = new Run(directory, ['init', '-no-color', '-input=false']);
    expect(await init.ended, init.output).toBe(0);
    return directory;
  };
  const stored = async (directory: string): Promise<readonly unknown[]> => {
    const pull = new Run(directory, ['state', 'list']);
    expect(await pull.ended, pull.output).toBe(0);
    return pull.output.trim().split(' ');
  };

  it.each([
    ['lock-file', 'use_lockfile = true'],
    ['table', 'dynamodb_table = "locks"'],
  ])('cannot write (%s)', async (key, lock) => {
    const [firstProject, other] = [
      await project('one', key, lock),
      await project('other', key, lock),
    ];
    const apply = ['apply', '-no-color', '-auto-approve', '-lock-timeout=60s'];
    const first = new Run(firstProject, apply);
    await until(() => existsSync(join(firstProject, 'began')), first);
    first.signal('SIGSTOP');
    // It takes over what is not renewed any more, and is itself under way when the first one wakes up.
    const second = new Run(other, apply);
    await until(() => existsSync(join(other, 'began')), second);
    await writeFile(join(firstProject, 'go'), '');
    first.signal('SIGCONT');
    expect(await first.ended, first.output).toBe(1);
    expect(first.output).toContain('Error: State lock lost');
    expect(first.output).toContain('Error: Failed to persist state to backend');
    const saved: unknown = JSON.parse(
      await readFile(join(firstProject, 'errored.tfstate'), 'utf8'),
    );
    expect(saved).toMatchObject({ resources: [{ name: 'one' }] });
    await writeFile(join(other, 'go'), '');
    expect(await second.ended, second.output).toBe(0);
    expect(await stored(other)).toEqual(['terraform_data.other']);
  });
});
