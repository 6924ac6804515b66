import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as sdk from './index.ts';

test('docs/provider-sdk.md names exactly the exports', () => {
  const page = readFileSync(new URL('../../../../docs/provider-sdk.md', import.meta.url), 'utf8');
  const [exports = '', options = '', rest = ''] = page.split(
    /^## (?:Options of attributes|Validators)$/m,
  );
  expect(options).not.toBe('');
  const documented = new Set<string>();
  for (const text of [exports, rest]) {
    for (const line of text.split('\n')) {
      const names = line.startsWith('|')
        ? line.split('|')[1]
        : /^For the whole object/.exec(line) && line;
      for (const [, name = ''] of (names ?? '').matchAll(/`(\w+)`/g)) documented.add(name);
    }
  }
  documented.delete('validators');
  expect([...documented].sort()).toEqual(Object.keys(sdk).sort());
});
