import { join } from 'node:path';
import { expect, test } from 'vitest';
import { medianOf, readSources, resourceLines } from './aws-lines/resource-lines.ts';
import { root } from './root.ts';

/** Maximum median length of a resource type in lines, with its rules for retries and waits. */
const MAX_COUNT = 135;

test('the resource types of the provider for AWS are short', () => {
  const resources = resourceLines(readSources(join(root, 'providers/aws/src')));
  expect(resources.length).toBeGreaterThanOrEqual(48);
  expect(medianOf(resources)).toBeLessThanOrEqual(MAX_COUNT);
});

test('modules that only one type needs count for it, and others for none', () => {
  const sources = new Map([
    ['index.ts', "export * from './provider.ts';\n"],
    ['provider.ts', "import { a } from './a/index.ts';\nimport './common.ts';\n"],
    ['common.ts', "import './deep.ts';\n"],
    ['deep.ts', '\n'],
    [
      'a/index.ts',
      `import { one } from './one.ts';
import { two, both } from './two.ts';
import { data } from './data.ts';
export const a = { resources: { t_one: one, t_two: two, t_three: both('x') }, dataSources: { data } };
`,
    ],
    [
      'a/one.ts',
      "import type { X } from './own.ts';\nimport './shared.ts';\nimport '../deep.ts';\n\n",
    ],
    ['a/own.ts', "import './own-too.ts';\n\n"],
    ['a/own-too.ts', '1;\n2;\n3;\n'],
    ['a/shared.ts', '1;\n'],
    ['a/two.ts', "import './of-data.ts';\nexport * from './shared.ts';\n"],
    ['a/data.ts', "import './of-data.ts';\n"],
    ['a/of-data.ts', '1;\n'],
  ]);
  const resources = resourceLines(sources);
  expect(resources.map(({ type, lines }) => [type, lines])).toEqual([
    ['t_one', 4 + 2 + 3],
    ['t_two', 2],
    ['t_three', 2],
  ]);
  expect([...(resources[0]?.modules.keys() ?? [])].sort()).toEqual([
    'a/one.ts',
    'a/own-too.ts',
    'a/own.ts',
  ]);
  expect(medianOf(resources)).toBe(2);
  expect(medianOf(resources.slice(0, 2))).toBe(5.5);
});
