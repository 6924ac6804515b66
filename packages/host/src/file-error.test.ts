import { expect, it } from 'vitest';
import { errorText } from './error-text.ts';
import { fileError, fileErrorAdvice } from './file-error.ts';

const failed = (code: string, syscall: string, path?: string): Error =>
  Object.assign(new Error(`${code}: whatever, ${syscall} '${path}'`), {
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
  });

it.each([
  [failed('ENOENT', 'open', '/a/b'), 'open /a/b: no such file or directory'],
  [failed('EACCES', 'mkdir', '/a'), 'mkdir /a: permission denied'],
  [failed('ENOTDIR', 'scandir', '/a'), 'open /a: not a directory'],
  [failed('ENOSPC', 'write'), 'write: no space left on device'],
  [failed('ENOENT', 'spawn git', 'git'), "ENOENT: whatever, spawn git 'git'"],
  [failed('EACCES', 'connect', '/run/x.sock'), "EACCES: whatever, connect '/run/x.sock'"],
  [new Error('other'), 'other'],
  ['text', 'text'],
])('formats %s', (error, text) => {
  expect(errorText(error)).toBe(text);
});

it('names the path as passed by the caller', () => {
  expect(errorText(failed('EISDIR', 'read'), 'x')).toBe('read x: is a directory');
});

it.each(['EACCES', 'ENOSPC', 'EROFS', 'EEXIST', 'EISDIR', 'EMFILE', 'ENOENT', 'EIO'])(
  'suggests a remedy for %s',
  (code) => {
    const facts = fileError(failed(code, 'open', 'x'));
    expect(facts && fileErrorAdvice(facts)).toMatch(/^[A-Z].*\.$/);
  },
);
