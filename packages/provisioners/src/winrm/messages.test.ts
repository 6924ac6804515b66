import { parseXml } from '@terrane/host/xml';
import { expect, it } from 'vitest';
import { duration, startCommand } from './messages.ts';

it.each([
  [0, 'PT0S'],
  [500, 'PT0.5S'],
  [60_000, 'PT1M'],
  [300_000, 'PT5M'],
  [3_630_000, 'PT1H30S'],
  [90_061_000, 'PT25H1M1S'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

it('a command line is transferred verbatim, with any quotes', () => {
  const line = 'echo "a" & type <b> ]]> %TEMP%\\ü\r\n';
  const to = { url: 'http://h:1/wsman?a&b', timeoutMs: 1, nextId: () => '1' };
  const elements = parseXml(startCommand(to, 'the-shell', line));
  expect(elements.find(({ name }) => name === 'Command')?.text).toBe(line);
  expect(elements.find(({ name }) => name === 'To')?.text).toBe(to.url);
  expect(elements.find(({ name }) => name === 'Selector')?.text).toBe('the-shell');
});
