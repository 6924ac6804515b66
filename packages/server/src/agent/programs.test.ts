import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programExecutor } from './execute-program.ts';
import { Programs } from './programs.ts';

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'terrane-programs-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

const environment = { PATH: process.env['PATH'] ?? '' };

/** Writes a program that states a version, and a line in the file `asked` for each time. */
async function addProgram(directory: string, name: string, output: string, mode = 0o755) {
  const path = join(directory, name);
  await writeFile(path, `#!/bin/sh\necho ${name} >>'${directory}/asked'\n${output}\n`);
  await chmod(path, mode);
  return path;
}

const states = (version: string): string => `echo '{"terraform_version":"${version}"}'`;

describe.skipIf(process.platform === 'win32')('the programs of an agent', () => {
  it('are chosen by version, and asked once as long as they do not change', async () => {
    const directory = await newDirectory();
    await addProgram(directory, 'terraform', states('1.10.5'));
    const newest = await addProgram(directory, 'terraform-1.11.4', states('1.11.4'));
    await addProgram(directory, 'terraform-1.9.0', states('1.9.0'));
    await addProgram(directory, 'terraform-1.12.0-rc1', states('1.12.0-rc1'));
    await addProgram(directory, 'terraform-2.0.0', states('2.0.0'), 0o644);
    await addProgram(directory, 'terraform-ls', states('3.0.0'));
    const tofu = await addProgram(directory, 'tofu-1.12.6', states('1.12.6'));
    const programs = new Programs(nodeHost(), directory, environment);
    const chosen = async (version: string, name: 'terraform' | 'tofu' = 'terraform') =>
      (await programs.choose({ name, version })).version;
    expect(await programs.choose({ name: 'terraform', version: 'latest' })).toEqual({
      path: newest,
      version: '1.11.4',
    });
    expect(await chosen('~> 1.10')).toBe('1.11.4');
    expect(await chosen('~> 1.10.0')).toBe('1.10.5');
    expect(await chosen('< 1.10, != 1.9.1')).toBe('1.9.0');
    expect(await chosen('1.12.0-rc1')).toBe('1.12.0-rc1');
    expect(await chosen('latest', 'tofu')).toBe('1.12.6');
    const asked = (await readFile(join(directory, 'asked'), 'utf8')).trim().split('\n');
    expect(asked.toSorted()).toEqual([
      'terraform',
      'terraform-1.11.4',
      'terraform-1.12.0-rc1',
      'terraform-1.9.0',
      'tofu-1.12.6',
    ]);
    await addProgram(directory, 'tofu-1.12.6', `${states('1.13.0')} # replaced`);
    expect(await programs.choose({ name: 'tofu', version: '>= 1.13' })).toEqual({
      path: tofu,
      version: '1.13.0',
    });
  });

  it('are those on the PATH, in absolute directories', async () => {
    const [first, second] = [await newDirectory(), await newDirectory()];
    await addProgram(first, 'tofu', states('1.9.0'));
    const path = await addProgram(second, 'tofu', states('1.10.0'));
    const programs = new Programs(nodeHost({ cwd: first }), undefined, {
      PATH: `.::/nonexistent:${second}:${environment.PATH}`,
    });
    expect(await programs.choose({ name: 'tofu', version: '1.10.0' })).toMatchObject({ path });
    const missing = programs.choose({ name: 'tofu', version: '1.9.0' });
    await expect(missing).rejects.toThrow(/no such version, but:\n {2}- /);
  });

  it('are listed with their problems if none is suitable', async () => {
    const directory = await newDirectory();
    const programs = new Programs(nodeHost(), directory, environment);
    await expect(programs.choose({ name: 'terraform', version: 'latest' })).rejects.toThrow(
      'The agent has no program "terraform".',
    );
    await addProgram(directory, 'terraform', states('1.10.5'));
    await addProgram(directory, 'terraform-1', 'exit 3');
    await addProgram(directory, 'terraform-2', 'echo nothing');
    await addProgram(directory, 'terraform-3', `head -c 2000000 /dev/zero`);
    await addProgram(directory, 'terraform-4', states('1; rm -rf'));
    await writeFile(join(directory, 'terraform-5'), '\u0000', { mode: 0o755 });
    const problem: unknown = await programs
      .choose({ name: 'terraform', version: '~> 1.11.0' })
      .catch((error: unknown) => error);
    const text = String(problem);
    expect(text).toContain('The run is executed with terraform of the version "~> 1.11.0".');
    for (const line of [
      `terraform: 1.10.5`,
      `terraform-1: "version -json" ended with the exit code 3`,
      `terraform-2: "version -json" has no version`,
      `terraform-3: "version -json" wrote too much`,
      `terraform-4: "version -json" has no version`,
      `terraform-5: `,
    ]) {
      expect(text).toContain(`  - ${directory}/${line}`);
    }
    expect(text).toContain('-programs');
    // A problem is not remembered: the program may have been copied only in part.
    const asked = async () =>
      (await readFile(join(directory, 'asked'), 'utf8')).match(/^terraform-1$/gm)?.length;
    expect(await asked()).toBe(1);
    await programs.choose({ name: 'terraform', version: '9' }).catch(() => undefined);
    expect(await asked()).toBe(2);
  });
});

describe.skipIf(process.platform === 'win32')('the execution of a program', () => {
  /** Executes a shell script; `pause` replaces the pauses before a program is ended by force. */
  const execute = async (script: string, pause?: (ms: number) => Promise<void>) => {
    const directory = await newDirectory();
    const path = join(directory, 'program');
    await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    let listener: ((isLost: boolean) => void) | undefined;
    let [output, errors] = ['', ''];
    const { spawn, clock } = nodeHost();
    const host = { spawn, clock: { ...clock, sleep: pause ?? clock.sleep } };
    const ended = programExecutor(host, path)(['a', 'b c'], {
      directory,
      environment: { ...environment, NAME: 'value' },
      files: (files) => files,
      onOutput: (text) => (output += text),
      onErrorOutput: (text) => (errors += text),
      onInterrupt: (added) => {
        listener = added;
        return () => (listener = undefined);
      },
    });
    return {
      ended,
      output: () => output,
      errors: () => errors,
      interrupt: (isLost: boolean) => listener?.(isLost),
    };
  };
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await nodeHost().clock.sleep(5);
  };

  it('has the arguments, environment and directory, and both outputs as they are', async () => {
    const long = 'x'.repeat(3_000_000);
    const started = await execute(
      `printf '%s|%s|%s|%s\\r\\n' "$#" "$2" "$NAME" "$(pwd)"; head -c 3000000 /dev/zero | tr '\\0' x; echo problem >&2; exit 7`,
    );
    expect(await started.ended).toEqual({ code: 7 });
    expect(started.output()).toMatch(/^2\|b c\|value\|.*terrane-programs-\w+\r\nx+$/);
    expect(started.output().endsWith(long)).toBe(true);
    expect(started.errors()).toBe('problem\n');
  });

  it('is interrupted once by a cancellation', async () => {
    const started = await execute(
      `trap 'echo stopping; exit 5' INT; echo ready; while :; do sleep 0.05; done`,
    );
    await until(() => started.output().includes('ready'));
    started.interrupt(false);
    expect(await started.ended).toEqual({ code: 5 });
    expect(started.output()).toBe('ready\nstopping\n');
  });

  it('is interrupted a second time and killed after the job was lost', async () => {
    const interrupts = (): number => started.output().match(/interrupted/g)?.length ?? 0;
    const pauses: number[] = [];
    const started = await execute(
      `trap 'echo interrupted' INT; echo ready; while :; do sleep 0.05; done`,
      async (ms) => {
        pauses.push(ms);
        await until(() => interrupts() === pauses.length);
      },
    );
    await until(() => started.output().includes('ready'));
    started.interrupt(true);
    started.interrupt(true);
    expect(await started.ended).toEqual({ code: 128 + 9 });
    expect(started.output()).toBe('ready\ninterrupted\ninterrupted\n');
    expect(pauses).toEqual([30_000, 10_000]);
  });

  it('is interrupted again at once if the cancellation is followed by force', async () => {
    const pauses: number[] = [];
    const started = await execute(
      `trap 'echo interrupted' INT; echo ready; while :; do sleep 0.05; done`,
      async (ms) => {
        pauses.push(ms);
        await until(() => started.output().includes('interrupted'));
      },
    );
    await until(() => started.output().includes('ready'));
    started.interrupt(false);
    await until(() => started.output().includes('interrupted'));
    expect(pauses).toEqual([]);
    started.interrupt(true);
    expect(await started.ended).toEqual({ code: 128 + 9 });
    expect(pauses).toEqual([0, 10_000]);
  });
});
