// Every statement of the guide for authors of AWS providers has a test.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Argument, parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import type { Claim } from './claim.ts';
import { LIFECYCLE_AND_WAITERS } from './lifecycle-and-waiters.ts';
import { REQUESTS_AND_RETRIES } from './requests-and-retries.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CLAIMS: readonly Claim[] = [...REQUESTS_AND_RETRIES, ...LIFECYCLE_AND_WAITERS];

const titles = new Map<string, ReadonlySet<string>>();

/** The titles of the tests in a file, as they are written. */
function titlesIn(file: string): ReadonlySet<string> {
  const known = titles.get(file);
  if (known !== undefined) return known;
  const source = readFileSync(resolve(ROOT, file), 'utf8');
  const testTitles = new Set<string>();
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      const text = textOf(title);
      if (text === undefined) return;
      // it('…'), test('…'), it.each([…])('…')
      const called = source.slice(callee.start, callee.end);
      if (/^(it|test)\b/.test(called) && !/\.(skip|todo)/.test(called)) testTitles.add(text);
    },
  }).visit(parseSync(file, source).program);
  titles.set(file, testTitles);
  return testTitles;

  function textOf(argument: Argument | undefined): string | undefined {
    if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value;
    if (argument?.type !== 'TemplateLiteral') return undefined;
    return source.slice(argument.start + 1, argument.end - 1).replaceAll(/\$\{[^}]*\}/g, '${…}');
  }
}

describe('statements on retries and waiters', () => {
  it('are written once', () => {
    const names = CLAIMS.map(({ claim }) => claim);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(CLAIMS)('have a test: $claim', ({ tests }) => {
    for (const { file, title } of tests) expect([...titlesIn(file)]).toContain(title);
  });
});
