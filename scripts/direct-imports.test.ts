import { expect, test } from 'vitest';
import { withDirectImports } from './direct-imports.ts';

const ORIGINS = new Map([
  ['first', { file: '/ops/src/first.ts', name: 'first' }],
  ['renamed', { file: '/ops/src/second.ts', name: 'original' }],
]);

function rewritten(text: string): string {
  return withDirectImports('a.ts', text, (name) => (name === 'ops' ? ORIGINS : new Map()));
}

test('an import of an index file becomes imports of the files that declare the names', () => {
  expect(
    rewritten(
      "import { first, renamed as local, type Some, other } from '@terrane/ops';\nfirst(local);",
    ),
  ).toBe(
    'import{first as first}from"/ops/src/first.ts";import{original as local}from"/ops/src/second.ts";import{other as other}from"@terrane/ops";\nfirst(local);',
  );
});

test('an export of names of another package becomes exports of the files that declare them', () => {
  expect(rewritten("export { renamed as again, type Some } from '@terrane/ops';")).toBe(
    'export{original as again}from"/ops/src/second.ts";',
  );
});

test.each([
  "import type { first } from '@terrane/ops';",
  "export type { first } from '@terrane/ops';",
  "import * as ops from '@terrane/ops';",
  "import { first } from '@terrane/ops/part';",
  "import { first } from './ops.ts';",
  "const ops = await import('@terrane/ops');",
])('%s stays as it is', (text) => expect(rewritten(text)).toBe(text));
