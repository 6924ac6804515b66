import { expect, it } from 'vitest';
import { shellWords } from './shell-words.ts';

it.each([
  ['-input=false -no-color', ['-input=false', '-no-color']],
  [`-var 'a=b c' -var="d=e f"`, ['-var', 'a=b c', '-var=d=e f']],
  ['a\\ b', ['a b']],
  [`'it''s'`, ['its']],
  [`"say \\"hi\\""`, ['say "hi"']],
  [`''`, ['']],
  ['  a   b  ', ['a', 'b']],
  ['', []],
])('%s has the words %j', (text, words) => {
  expect(shellWords(text)).toEqual(words);
});

it.each([`'open`, `"open`, 'end\\'])('%s is cut off', (text) => {
  expect(shellWords(text)).toBeUndefined();
});
