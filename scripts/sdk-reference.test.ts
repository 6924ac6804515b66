import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as sdk from '@terrane/provider/sdk';
import { root } from './root.ts';
import { currentReference } from './sdk-reference.ts';
import { referencePage, sectionsOfIndex } from './sdk-reference/page.ts';

const page = join(root, 'docs/provider-sdk-reference.md');

describe('docs/provider-sdk-reference.md', () => {
  test('is current (npm run docs:sdk)', () => {
    expect(readFileSync(page, 'utf8')).toBe(currentReference());
  });

  test('has an entry for every exported value', () => {
    const entries = Array.from(readFileSync(page, 'utf8').matchAll(/^### `(\w+)`$/gm), (m) => m[1]);
    expect(entries).toEqual(expect.arrayContaining(Object.keys(sdk)));
    expect(new Set(entries).size).toBe(entries.length);
  });
});

test('the library has a reference with an entry for every exported function', () => {
  const read = (path: string): string => readFileSync(join(root, 'packages/ops/src', path), 'utf8');
  const index = read('index.ts');
  const sections = sectionsOfIndex(index);
  expect(sections.map(({ title }) => title)).toContain('The main workflow');
  const text = referencePage('index.ts', sections, read);
  for (const name of ['openWorkingDirectory', 'plan', 'apply', 'explain', 'readState'])
    expect(text).toContain(`### \`${name}\``);
});

describe('the reference of a module', () => {
  const pageOf = (text: string, index = `export { f } from './a.ts';`): string =>
    referencePage('index.ts', [{ title: 'All', modules: ['a.ts'] }], (path) =>
      path === 'index.ts' ? index : text,
    );

  test('has overloads without the implementation', () => {
    const text = pageOf(`
/** Does it; see {@link g}. */
export function f(a: string): string;
export function f(a: number, b: AOptions): number;
export function f(a: unknown): unknown { return a; }
/** Settings. */
interface AOptions {
  /** the size */
  readonly size?: number;
}
`);
    expect(text).toContain(`### \`f\`

Does it; see \`g\`.

\`\`\`ts
function f(a: string): string;
function f(a: number, b: AOptions): number;
\`\`\`

### \`AOptions\`

Settings.

\`\`\`ts
interface AOptions {
  /** the size */
  readonly size?: number;
}
\`\`\`
`);
    expect(text).not.toContain('unknown');
  });

  test('has the public members of classes, without values', () => {
    const text = pageOf(`
/** A thing. */
export class f extends Error {
  readonly #secret = 1;
  override readonly name = 'f';
  /** Its size. */
  readonly size: number = 2;
  constructor(size: number) { super(); }
  /** Grows. */
  grow(by: number): void { this.#more(by); }
  #more(by: number): void {}
}
`);
    expect(text).toContain(`class f extends Error {
  readonly name;
  /** Its size. */
  readonly size: number;
  constructor(size: number);
  /** Grows. */
  grow(by: number): void;
}`);
  });

  test('has constants with their types, and functions without bodies', () => {
    expect(pageOf('/** A list. */\nexport const f: readonly string[] = [];')).toContain(
      'const f: readonly string[];',
    );
    expect(pageOf('/** Adds. */\nexport function f(a: number): number { return a; }')).toContain(
      'function f(a: number): number;\n',
    );
  });

  test('requires doc comments of values, and a section for each module', () => {
    expect(() => pageOf('export const f: string = "";')).toThrow('f in a.ts has no doc comment');
    expect(() => pageOf('', `export { f } from './b.ts';`)).toThrow(
      'b.ts, which declares f, is in no section',
    );
  });
});
