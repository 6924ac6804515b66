// Options that name an output file, with paths that are no regular files: these stay what they are.
import { execFileSync, spawn } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAM, Work } from './fixture.ts';

/** A command that writes a file, and what it needs before. */
interface Output {
  readonly args: (path: string) => readonly string[];
  readonly env?: (path: string) => Record<string, string>;
  /** True if there must be a state with `terraform_data.a`. */
  readonly needsState?: boolean;
  /** The beginning or a part of the output. */
  readonly contains: string;
}

const OUTPUTS: Readonly<Record<string, Output>> = {
  'plan -out': { args: (path) => ['plan', `-out=${path}`], contains: 'TERRANE PLAN 1' },
  'plan -json-into': { args: (path) => ['plan', `-json-into=${path}`], contains: '"@level"' },
  'apply -json-into': {
    args: (path) => ['apply', '-auto-approve', `-json-into=${path}`],
    contains: '"@level"',
  },
  'apply -state-out': {
    args: (path) => ['apply', '-auto-approve', `-state-out=${path}`],
    contains: '"lineage"',
  },
  'apply -backup': {
    args: (path) => ['apply', '-auto-approve', '-replace=terraform_data.a', `-backup=${path}`],
    needsState: true,
    contains: '"lineage"',
  },
  'taint -backup': {
    args: (path) => ['taint', `-backup=${path}`, 'terraform_data.a'],
    needsState: true,
    contains: '"lineage"',
  },
  'taint -state-out': {
    args: (path) => ['taint', `-state-out=${path}`, 'terraform_data.a'],
    needsState: true,
    contains: '"lineage"',
  },
  'state mv -backup': {
    args: (path) => ['state', 'mv', `-backup=${path}`, 'terraform_data.a', 'terraform_data.b'],
    needsState: true,
    contains: '"lineage"',
  },
  'state rm -backup': {
    args: (path) => ['state', 'rm', `-backup=${path}`, 'terraform_data.a'],
    needsState: true,
    contains: '"lineage"',
  },
  'import -state-out': {
    args: (path) => ['import', `-state-out=${path}`, 'terraform_data.a', 'x'],
    contains: '"lineage"',
  },
  'test -junit-xml': { args: (path) => ['test', `-junit-xml=${path}`], contains: '<testsuites>' },
  TF_LOG_PATH: {
    args: () => ['validate'],
    env: (path) => ({ TF_LOG: 'trace', TF_LOG_PATH: path }),
    contains: '[INFO]',
  },
};

async function workFor({ needsState = false }: Output): Promise<Work> {
  const work = new Work({
    'main.tf': 'resource "terraform_data" "a" {}\n',
    'main.tftest.hcl': 'run "r" {}\n',
  });
  if (needsState) expect((await work.run(['apply', '-auto-approve'])).code).toBe(0);
  mkdirSync(work.at('elsewhere'));
  return work;
}

/** Creates a character device that discards everything: never the machine's own, which a mistake would destroy. */
function nullDevice(work: Work): string {
  if (process.getuid?.() !== 0) return '/dev/null'; // which others than root cannot replace
  execFileSync('mknod', [work.at('elsewhere/null'), 'c', '1', '3']);
  return work.at('elsewhere/null');
}

describe.skipIf(process.platform === 'win32')('an output path', () => {
  describe.each(Object.entries(OUTPUTS))('%s', (_, output) => {
    it('that is a pipe is written into, also through a link', async () => {
      const work = await workFor(output);
      execFileSync('mkfifo', [work.at('elsewhere/pipe')]);
      symlinkSync('elsewhere/pipe', work.at('out'));
      const reader = spawn('cat', [work.at('elsewhere/pipe')]);
      const read = new Promise<string>((done) => {
        let text = '';
        onTestFinished(() => void reader.kill());
        reader.stdout.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
        reader.once('close', () => done(text));
      });
      const { code, stderr } = await work.run(output.args('out'), { env: output.env?.('out') });
      // A reader that got nothing would wait for ever.
      const idle = setTimeout(() => reader.kill(), 240_000);
      expect(await read).toContain(output.contains);
      clearTimeout(idle);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(lstatSync(work.at('elsewhere/pipe')).isFIFO()).toBe(true);
      expect(readlinkSync(work.at('out'))).toBe('elsewhere/pipe');
    });

    it('that is a device is written into, and keeps its mode', async () => {
      const work = await workFor(output);
      const device = nullDevice(work);
      symlinkSync(device, work.at('out'));
      const before = statSync(device);
      const { code, stderr } = await work.run(output.args(work.at('out')), {
        env: output.env?.(work.at('out')),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { rdev, mode, ino } = statSync(device);
      expect({ rdev, mode, ino }).toEqual({
        rdev: before.rdev,
        mode: before.mode,
        ino: before.ino,
      });
      expect(lstatSync(work.at('out')).isSymbolicLink()).toBe(true);
    });

    it('that is a link to a link to no file yet creates that file', async () => {
      const work = await workFor(output);
      symlinkSync('file', work.at('elsewhere/second'));
      symlinkSync('elsewhere/second', work.at('out'));
      const { code } = await work.run(output.args('out'), { env: output.env?.('out') });
      expect(code).toBe(0);
      expect(readFileSync(work.at('elsewhere/file'), 'latin1')).toContain(output.contains);
      expect(readlinkSync(work.at('out'))).toBe('elsewhere/second');
      expect(readlinkSync(work.at('elsewhere/second'))).toBe('file');
    });

    it('that is a directory is an error, and stays', async () => {
      const work = await workFor(output);
      mkdirSync(work.at('out'));
      writeFileSync(work.at('out/kept'), '');
      const { code, stderr } = await work.run(output.args('out'), { env: output.env?.('out') });
      expect(stderr).toMatch(/is\s+a\s+directory/);
      // A log that cannot be written does not fail the command.
      expect(code).toBe(output.env === undefined ? 1 : 0);
      expect(lstatSync(work.at('out/kept')).isFile()).toBe(true);
    });
  });

  it('of generated configuration must not exist, as any kind of file', async () => {
    const work = new Work({
      'main.tf': 'import {\n  to = terraform_data.a\n  id = "x"\n}\n',
    });
    execFileSync('mkfifo', [work.at('pipe')]);
    const { code, stderr } = await work.run(['plan', '-generate-config-out=pipe']);
    expect(stderr).toContain('Target generated file already exists');
    expect(code).toBe(1);
    expect(lstatSync(work.at('pipe')).isFIFO()).toBe(true);
  });

  it.each(['pipe', 'device'])(
    'of moved objects that keeps nothing is refused: %s',
    async (kind) => {
      const work = await workFor({ args: () => [], contains: '', needsState: true });
      const path = kind === 'pipe' ? work.at('pipe') : nullDevice(work);
      if (kind === 'pipe') execFileSync('mkfifo', [path]);
      const move = ['state', 'mv', `-state-out=${path}`, 'terraform_data.a', 'terraform_data.b'];
      const { code, stderr } = await work.run(move);
      expect(stderr).toContain('Objects cannot be moved there');
      expect(code).toBe(1);
      expect((await work.run(['state', 'list'])).stdout).toBe('terraform_data.a\n');
      expect(statSync(path).isFile()).toBe(false);
    },
  );

  it('that is standard output is written there', async () => {
    const work = await workFor({ args: () => [], contains: '' });
    const { code, stdout } = await work.run(['plan', '-out=/dev/stdout'], {
      command: ['/bin/sh', '-c', '"$0" "$@" | cat', PROGRAM],
    });
    expect(code).toBe(0);
    expect(stdout).toContain('TERRANE PLAN 1');
    expect(stdout).toContain('Plan: 1 to add');
  });
});
