import { expect, it } from 'vitest';
import { Source } from '../source/source.ts';
import { parseJsonSyntax } from './json-parser.ts';

it.each([
  ['an unclosed string', '{"locals": {"a": "x', 'Invalid JSON string', '1:20,19-1:20,19'],
  ['a line break', '{"a": "x\n"}', 'Invalid JSON string', '1:9,8-2:1,9'],
  ['a bad start', '{"é": é}', 'Invalid start of value', '1:7,7-1:8,9'],
  [
    'after a bad keyword',
    '{"locals": {"a": trué}}',
    'Missing attribute seperator comma',
    '1:22,22-1:22,22',
  ],
])('reports ranges within the source: %s', (_about, text, summary, expected) => {
  const { diagnostics } = parseJsonSyntax(new Source('x.tf.json', text));
  const subject = diagnostics.find((diagnostic) => diagnostic.summary === summary)?.subject;
  const { from, to } = subject ?? {};
  expect(`${from?.line}:${from?.column},${from?.byte}-${to?.line}:${to?.column},${to?.byte}`).toBe(
    expected,
  );
});
