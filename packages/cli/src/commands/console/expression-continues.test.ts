import { expect, it } from 'vitest';
import { expressionContinues } from './expression-continues.ts';

it.each([
  [['1 + 1'], false],
  [['['], true],
  [['[', '  1,'], true],
  [['[', '  1,', ']'], false],
  [['{ a = "}"'], true],
  [['"${', 'a'], true],
  [['"$${"'], false],
  [['<<EOT', 'text'], true],
  [['<<EOT', 'text', 'EOT'], false],
  [['f( # )'], true],
  [['[', ''], false],
  [['"open'], false],
  [[']'], false],
])('after %j there is more to come: %j', (lines, more) => {
  expect(expressionContinues(lines)).toBe(more);
});
