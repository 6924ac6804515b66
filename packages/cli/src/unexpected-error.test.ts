import { expect, it } from 'vitest';
import { unexpectedError } from './unexpected-error.ts';

it('names the failed file operation and a remedy, without a stack trace', () => {
  const error = Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write', path: '/d/f' });
  expect(unexpectedError(error)).toBe(
    '\nError: Cannot go on without "/d/f"\n\nwrite /d/f: no space left on device. What was done so far is recorded. Make room on that disk, or work on another one. Then run the command again.\n',
  );
});

it('requests a report of any other error, with its stack', () => {
  const text = unexpectedError(new TypeError('oops'));
  expect(text).toContain('has a fault that it cannot go on from');
  expect(text).toContain('TypeError: oops\n    at ');
});
