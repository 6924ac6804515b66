import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LONGEST } from './longest-first.ts';
import { root } from './root.ts';

test('files that begin first exist', () => {
  expect(LONGEST.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
