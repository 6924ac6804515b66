import { expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

it.each([
  ['0', 0],
  ['0s', 0],
  ['300ms', 300],
  ['1.5h', 5_400_000],
  ['1h15m30s', 4_530_000],
  ['-2s', -2000],
  ['+2s', 2000],
  ['.5s', 500],
  ['10us', 0.01],
])('%s is %d milliseconds', (text, ms) => {
  expect(parseDuration(text)).toBeCloseTo(ms, 9);
});

it.each(['', '-', '5', 's', '1 s', '1s2', '1x', '1.2.3s'])('%j is no duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
