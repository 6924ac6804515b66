import { expect, test } from 'vitest';
import { importOptional } from './optional-package.ts';

const absent = (name: string, code: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /a.js`), { code });

test('a missing package is reported with the command that installs all of them', async () => {
  const error = absent('@a/b/lib/x.js', 'ERR_MODULE_NOT_FOUND');
  const load = () => Promise.reject(error);
  await expect(importOptional('The backend "x"', ['c', '@a/b'], load)).rejects.toThrow(
    'The backend "x" requires the package "@a/b", which is not installed. Install it with: npm install c @a/b',
  );
});

test('other errors are passed on', async () => {
  const other = absent('another', 'ERR_MODULE_NOT_FOUND');
  await expect(importOptional('X', ['a'], () => Promise.reject(other))).rejects.toBe(other);
  const inside = new TypeError("'a' is undefined");
  await expect(importOptional('X', ['a'], () => Promise.reject(inside))).rejects.toBe(inside);
});

test('an installed package is returned', async () => {
  await expect(importOptional('X', ['a'], () => Promise.resolve(1))).resolves.toBe(1);
});
