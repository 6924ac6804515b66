import { expect, test } from 'vitest';
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['é', 1],
  ['e\u0301', 1],
  ['寿司', 4],
  ['한국어', 6],
  ['ｶﾅ', 2],
  ['ＡＢ', 4],
  ['🍣', 2],
  ['👩‍👩‍👧', 2],
  ['🇯🇵', 2],
  ['❤️', 2],
  ['👍🏽', 2],
  ['✓ ok', 4],
  ['─│', 2],
  ['a\u200bb', 2],
  ['\u001b[1m\u001b[31mred\u001b[0m', 3],
  ['\u001b]8;;file:///x\u001b\\link\u001b]8;;\u001b\\', 4],
])('%j takes %i columns', (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test('texts are cut between characters, never through one', () => {
  expect(cutToWidth('寿司が好き', 10)).toBe('寿司が好き');
  expect(cutToWidth('寿司が好き', 9)).toBe('寿司が好…');
  expect(cutToWidth('寿司が好き', 8)).toBe('寿司が…');
  expect(cutToWidth('👩‍👩‍👧👩‍👩‍👧', 3)).toBe('👩‍👩‍👧…');
  expect(cutToWidth('abc', 0)).toBe('');
});

test('texts are padded to columns', () => {
  expect(padToWidth('寿司', 6)).toBe('寿司  ');
  expect(padToWidth('long', 2)).toBe('long');
});
