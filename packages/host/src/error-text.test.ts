import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorText, expectUserError, isInternalError, userErrorText } from './error-text.ts';

/** The error that an action throws. */
function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

class Bug extends Error {
  override readonly name: string = 'Bug';
}

describe('internal errors', () => {
  test.each([
    ['a property of undefined', thrownBy(() => (undefined as unknown as string).length)],
    ['a call of a value', thrownBy(() => (1 as unknown as () => void)())],
    ['an undeclared variable', new ReferenceError('x is not defined')],
    ['a length below zero', thrownBy(() => new Array(-1))],
    ['a failed assertion', new AssertionError({ message: 'no' })],
    ['a broken promise between packages', new Bug('no')],
    ['a wrong type for a function of Node', thrownBy(() => readFileSync({} as unknown as string))],
  ])('%s', (_, error) => {
    expect(isInternalError(error)).toBe(true);
    expect(() => expectUserError(error)).toThrow(error as Error);
    expect(() => userErrorText(error)).toThrow(error as Error);
    expect(errorText(error)).toBe((error as Error).message);
  });
});

describe('errors that input can cause', () => {
  const recurse = (): number => 1 + recurse();
  test.each([
    ['malformed JSON', thrownBy(() => JSON.parse('{'))],
    ['an invalid URL', thrownBy(() => new URL('x'))],
    ['a NUL in a path', thrownBy(() => readFileSync('a\0b'))],
    [
      'an invalid encoding',
      thrownBy(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.of(255))),
    ],
    ['a truncated buffer', thrownBy(() => Buffer.alloc(1).readUInt32LE(0))],
    ['nesting beyond the stack', thrownBy(recurse)],
    ['a string beyond the limit', thrownBy(() => 'a'.repeat(2 ** 30))],
    ['a failed fetch', new TypeError('fetch failed', { cause: new Error('reset') })],
    ['a class derived from TypeError', new (class extends TypeError {})('x')],
    ['anything else', 'a string'],
  ])('%s', (_, error) => {
    expect(isInternalError(error)).toBe(false);
    expect(() => expectUserError(error)).not.toThrow();
  });
});

describe('the text of an error', () => {
  const missing = thrownBy(() => readFileSync('/nonexistent/file'));
  const coded = Object.assign(new Error(''), { code: 'ECONNREFUSED' });

  test.each([
    ['its message', new Error('no'), 'no'],
    ['a file in the words of Go', missing, 'open /nonexistent/file: no such file or directory'],
    ['a code', coded, 'ECONNREFUSED'],
    ['the first of several errors', new AggregateError([new Error('a'), new Error('b')], ''), 'a'],
    ['a cause', new Error('', { cause: new Error('why') }), 'why'],
    ['its class', new SyntaxError(''), 'SyntaxError'],
    ['a value', 7, '7'],
  ])('%s', (_, error, text) => {
    expect(userErrorText(error)).toBe(text);
  });

  test('a path as the user wrote it', () => {
    expect(userErrorText(missing, './file')).toBe('open ./file: no such file or directory');
  });
});
