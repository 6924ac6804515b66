import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import {
  invokeAction,
  openEphemeral,
  readData,
  ResourceLife,
  UNKNOWN_TEXT,
} from '@terrane/provider/testing';
import { str } from '@terrane/cty';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { provider } from './index.ts';

const checked = enforceContract(provider.create(nodeHost()), provider.address);

let directory = '';
let umask = 0;
beforeEach(() => {
  umask = process.umask(0o022);
  directory = mkdtempSync(join(tmpdir(), 'terrane-local-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
  process.umask(umask);
});

const at = (name: string) => join(directory, name);
const life = (type = 'local_file') => ResourceLife.of(checked, type);
const hash = (algorithm: string, text: string | Buffer, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(text).digest(encoding);

const checksums = (text: string | Buffer) => ({
  content_md5: hash('md5', text, 'hex'),
  content_sha1: hash('sha1', text, 'hex'),
  content_sha256: hash('sha256', text, 'hex'),
  content_sha512: hash('sha512', text, 'hex'),
  content_base64sha256: hash('sha256', text, 'base64'),
  content_base64sha512: hash('sha512', text, 'base64'),
  id: hash('sha1', text, 'hex'),
});

test('a file is written with its directories, and its checksums are stored', async () => {
  const file = await life();
  const filename = at('a/b/c.txt');
  const step = await file.apply({ filename, content: 'hé', file_permission: '0640' });
  expect(step).toEqual({
    action: 'create',
    state: {
      content: 'hé',
      content_base64: null,
      sensitive_content: null,
      source: null,
      filename,
      file_permission: '0640',
      directory_permission: '0777',
      ...checksums('hé'),
    },
  });
  expect(readFileSync(filename, 'utf8')).toBe('hé');
  expect(statSync(filename).mode & 0o777).toBe(0o640);
  expect((await file.apply({ filename, content: 'hé', file_permission: '0640' })).action).toBe(
    'no-op',
  );
});

test('directories get the configured permissions', async () => {
  const file = await life();
  await file.apply({ filename: at('x/y/z'), content: '', directory_permission: '0700' });
  expect(statSync(at('x')).mode & 0o777).toBe(0o700);
  expect(statSync(at('x/y')).mode & 0o777).toBe(0o700);
});

test.each([
  ['content', { content: 'other' }],
  ['filename', { filename: 'elsewhere' }],
  ['file_permission', { file_permission: '0600' }],
  ['directory_permission', { directory_permission: '0700' }],
])('changed %s replaces the file', async (_, change) => {
  const file = await life();
  const written = { filename: at('f'), content: 'one' };
  await file.apply(written);
  const changed = { ...written, ...change };
  if ('filename' in change) changed.filename = at(change.filename);
  const step = await file.apply(changed);
  expect(step).toMatchObject({ action: 'replace', state: changed });
  expect(readFileSync(changed.filename, 'utf8')).toBe(changed.content);
});

test('content can be base64, from another file or sensitive', async () => {
  const bytes = Buffer.from([0, 255, 1]);
  const binary = await life();
  await binary.apply({ filename: at('b'), content_base64: bytes.toString('base64') });
  expect(readFileSync(at('b')).equals(bytes)).toBe(true);
  const copy = await life();
  const copied = await copy.apply({ filename: at('c'), source: at('b') });
  expect(readFileSync(at('c')).equals(bytes)).toBe(true);
  expect(copied.state).toMatchObject(checksums(bytes));
  const secret = await life();
  await secret.apply({ filename: at('s'), sensitive_content: 'hush' });
  expect(readFileSync(at('s'), 'utf8')).toBe('hush');
});

test('a sensitive file is readable by its owner only', async () => {
  const file = await life('local_sensitive_file');
  const { state } = await file.apply({ filename: at('d/s'), content: 'hush' });
  expect(state).toMatchObject({ file_permission: '0700', directory_permission: '0700' });
  expect(statSync(at('d/s')).mode & 0o777).toBe(0o700);
});

test('a missing or changed file counts as deleted and is written again', async () => {
  const file = await life();
  const written = { filename: at('f'), content: 'one' };
  const { state } = await file.apply(written);
  expect(await file.refresh()).toEqual({ state });
  writeFileSync(at('f'), 'two');
  expect(await file.refresh()).toEqual({ state: null });
  expect(await file.apply(written)).toEqual({ action: 'create', state });
  rmSync(at('f'));
  expect(await file.refresh()).toEqual({ state: null });
});

test('other permissions alone are not noticed', async () => {
  const file = await life();
  const { state } = await file.apply({ filename: at('f'), content: 'one' });
  chmodSync(at('f'), 0o600);
  expect(await file.refresh()).toEqual({ state });
});

test('destroying removes the file and ignores a missing one', async () => {
  const file = await life();
  await file.apply({ filename: at('f'), content: 'one' });
  expect(await file.destroy()).toEqual({ action: 'delete', state: null });
  expect(() => statSync(at('f'))).toThrow('ENOENT');
  const missing = await life();
  await missing.apply({ filename: at('g'), content: 'one' });
  rmSync(at('g'));
  expect(await missing.destroy()).toEqual({ action: 'delete', state: null });
});

test('exactly one kind of content has to be written', async () => {
  const file = await life();
  const { diagnostics } = await file.apply({ filename: at('f'), content: 'a', source: 'b' });
  expect(diagnostics).toContainEqual({
    severity: 'error',
    summary: 'Invalid Attribute Combination',
    detail:
      '2 attributes specified when one (and only one) of [sensitive_content,content_base64,source] is required',
  });
});

test('a missing source is reported, and no object is stored', async () => {
  const file = await life();
  const source = at('none');
  expect(await file.apply({ filename: at('f'), source })).toEqual({
    action: 'create',
    state: null,
    diagnostics: [
      {
        severity: 'error',
        summary: 'Create local file error',
        detail: `An unexpected error occurred while parsing local file content\n\n+Original Error: open ${source}: no such file or directory`,
      },
    ],
  });
});

test('a directory in the place of the file is reported', async () => {
  const file = await life();
  const step = await file.apply({ filename: directory, content: 'x' });
  expect(step.diagnostics).toMatchObject([
    {
      summary: 'Create local file error',
      detail: `An unexpected error occurred while writing the file\n\n+Original Error: open ${directory}: is a directory`,
    },
  ]);
});

test.each(['local_file', 'local_sensitive_file'])('data %s reads a file', async (type) => {
  writeFileSync(at('f'), 'hello');
  expect(await readData(checked, type, { filename: at('f') })).toEqual({
    state: {
      filename: at('f'),
      content: 'hello',
      content_base64: Buffer.from('hello').toString('base64'),
      ...checksums('hello'),
    },
  });
  const { diagnostics } = await readData(checked, type, { filename: at('none') });
  expect(diagnostics).toEqual([
    {
      severity: 'error',
      summary: 'Read local file data source error',
      detail: `The file at given path cannot be read.\n\n+Original Error: open ${at('none')}: no such file or directory`,
    },
  ]);
});

test('data local_command runs a program and returns its output', async () => {
  const { state, diagnostics } = await readData(checked, 'local_command', {
    command: 'sh',
    arguments: ['-c', 'cat; pwd; echo oops >&2; exit 3'],
    stdin: 'in\n',
    working_directory: directory,
    allow_non_zero_exit_code: true,
  });
  expect(diagnostics).toBeUndefined();
  expect(state).toMatchObject({ exit_code: 3, stderr: 'oops\n' });
  expect(state?.['stdout']).toMatch(/^in\n.*terrane-local-/);
});

test('data local_command fails with the program', async () => {
  const written = { command: 'sh', arguments: ['-c', 'echo oops >&2; exit 3'] };
  const { diagnostics } = await readData(checked, 'local_command', written);
  expect(diagnostics).toMatchObject([{ summary: 'Command Execution Failed' }]);
  expect(diagnostics?.[0]?.detail).toMatch(/Command Error: oops\n\nState: exit status 3$/);
});

test('ephemeral local_command opens with the output', async () => {
  const written = { command: 'sh', arguments: ['-c', 'printf hi'] };
  const { state } = await openEphemeral(checked, 'local_command', written);
  expect(state).toMatchObject({ exit_code: 0, stdout: 'hi', stderr: null });
});

test('action local_command prints the output of the program', async () => {
  const { messages, diagnostics } = await invokeAction(checked, 'local_command', {
    command: 'sh',
    arguments: ['-c', 'cat; printf %s "$GREETING"; pwd; test -n "$PATH"'],
    environment: { GREETING: 'hello' },
    stdin: 'in\n',
    working_directory: directory,
  });
  expect(diagnostics).toBeUndefined();
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/^\n\nin\nhello.*terrane-local-.*\n\n$/);
});

test('action local_command fails with the program, with or without its errors', async () => {
  const run = (script: string) =>
    invokeAction(checked, 'local_command', { command: 'sh', arguments: ['-c', script] });
  const loud = await run('echo oops >&2; exit 3');
  expect(loud.messages).toEqual([]);
  expect(loud.diagnostics).toMatchObject([{ summary: 'Command Execution Failed' }]);
  expect(loud.diagnostics?.[0]?.detail).toMatch(/Command Error: oops\n\nState: exit status 3$/);
  const silent = await run('exit 4');
  expect(silent.diagnostics?.[0]?.detail).toMatch(/Command: \S+sh\nError: exit status 4$/);
});

test('action local_command resolves the program during the plan', async () => {
  const unknown = await invokeAction(checked, 'local_command', { command: UNKNOWN_TEXT });
  expect(unknown.diagnostics).toBeUndefined();
  const { diagnostics } = await invokeAction(checked, 'local_command', { command: 'no-such' });
  expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'Command Lookup Failed' }]);
  expect(diagnostics?.[0]?.detail).toMatch(/^The action received an unexpected error/);
});

test('a command that does not exist is reported', async () => {
  const { diagnostics } = await readData(checked, 'local_command', { command: 'no-such-thing' });
  expect(diagnostics).toMatchObject([{ summary: 'Command Lookup Failed' }]);
  expect(diagnostics?.[0]?.detail).toContain(
    'Error: exec: "no-such-thing": executable file not found in $PATH',
  );
});

test('direxists distinguishes directories from missing paths and rejects files', async () => {
  const call = (path: string) => checked.callFunction({ name: 'direxists', args: [str(path)] });
  expect((await call(directory)).result?.asBool()).toBe(true);
  expect((await call(at('none'))).result?.asBool()).toBe(false);
  writeFileSync(at('f'), '');
  expect((await call(at('f'))).error).toEqual({
    message: `Invalid file mode detected: "${at('f')}" was found, but is not a directory`,
    argument: 0,
  });
});
