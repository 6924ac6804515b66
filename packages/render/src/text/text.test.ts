import { describe, expect, test } from 'vitest';
import { byteLength, padRight } from './go-text.ts';
import { trimSpace } from '@terrane/cty';
import { colorize, horizontalRule } from './style.ts';
import { wordWrap, wrapLine } from './word-wrap.ts';

describe('colors', () => {
  test('tags become escape sequences, unknown names stay, the end resets', () => {
    expect(colorize('[bold]a[0] ["red"][reset]', true)).toBe(
      '\u001b[1ma[0] ["red"]\u001b[0m\u001b[0m',
    );
    expect(colorize('a[0]', true)).toBe('a[0]');
  });
  test('brackets before a tag, without an end and around keys are text', () => {
    expect(colorize('[a [red]b [bold', false)).toBe('[a b [bold');
    expect(colorize('a["x[bold]y"] [light_magenta_]', false)).toBe('a["xy"] [light_magenta_]');
    expect(colorize('[_light_magenta_]c[]][[dim]', false)).toBe('c[]][');
  });
  test('without color tags are dropped', () => {
    expect(colorize('[bold]a[0] [red]b[reset]', false)).toBe('a[0] b');
  });
  test('a rule leaves one column free', () => {
    expect(horizontalRule({ color: false, width: 5 })).toBe('\n────');
    expect(horizontalRule({ color: false, width: 0 })).toBe('\n');
  });
});

describe('wrapping', () => {
  test.each([
    ['breaks at white space and drops it', 'one two three', 8, 'one two\nthree'],
    ['leaves long words whole', 'a incomprehensible b', 6, 'a\nincomprehensible\nb'],
    ['keeps what fits', 'one two', 7, 'one two'],
    ['never breaks at a no-break space', 'one\u00a0two three', 6, 'one\u00a0two\nthree'],
    ['counts characters', 'éé éé éé', 5, 'éé éé\néé'],
  ])('%s', (_name, line, limit, wrapped) => {
    expect(wrapLine(line, limit)).toBe(wrapped);
  });
  test('lines that begin with a space stay', () => {
    expect(wordWrap('one two\n one two', 5)).toBe('one\ntwo\n one two');
    expect(wordWrap('one two', 1)).toBe('one two');
  });
});

describe('texts as Go counts and trims them', () => {
  test('lengths are in bytes, padding in characters', () => {
    expect(byteLength('é')).toBe(2);
    expect(padRight('é', 3)).toBe('é  ');
    expect(padRight('abc', 2)).toBe('abc');
  });
  test('a byte order mark is no white space', () => {
    expect(trimSpace('\u0085\u00a0 a \n')).toBe('a');
    expect(trimSpace('\ufeffa')).toBe('\ufeffa');
  });
});
