import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Type, valueToJson } from '@terrane/cty';
import {
  constantScope,
  type Diagnostic,
  evaluate,
  hasErrors,
  parseExpression,
  Source,
} from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import recorded from './recorded/results.json' with { type: 'json' };
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';

/** Output of `terraform console`, recorded by recorded/record.mjs. */
interface Recorded {
  readonly expression: string;
  readonly json?: string;
  readonly type?: string;
  readonly error?: { readonly summary: string; readonly detail: string };
}

const here = join(import.meta.dirname, 'recorded', 'files');

/** Reads the fixtures as if they were in the current directory, where the recording saw them. */
const files = {
  readFileSync: (path: string): Uint8Array => readFileSync(join(here, path)),
  readDirectorySync: (path: string) =>
    readdirSync(join(here, path)).map((name) => ({ name, kind: 'file' as const })),
  statSync: (path: string) => {
    const stat = statSync(join(here, path), { throwIfNoEntry: false });
    return stat === undefined
      ? undefined
      : {
          kind: stat.isDirectory() ? ('directory' as const) : ('file' as const),
          size: stat.size,
          mtimeMs: 0,
          mode: 0,
          inode: 0,
        };
  },
};

await loadFunctionLibraries();
const table = functionTable(
  {
    files,
    environment: { cwd: '/project', homeDirectory: '/home/me', platform: 'linux' },
    clock: { now: () => new Date(0) },
    random: { bytes: (n) => new Uint8Array(n), uuid: () => '00000000-0000-4000-8000-000000000000' },
  },
  { baseDir: '.', pure: false, consoleMode: true },
);
const scope = constantScope({}, table);

function typeText(type: Type): string {
  switch (type.kind) {
    case 'dynamic':
      return 'dynamic';
    case 'list':
    case 'set':
    case 'map':
      return `${type.kind}(${typeText(type.element)})`;
    case 'tuple':
      return `tuple([${type.elements.map(typeText).join(',')}])`;
    case 'object':
      return `object({${type.names.map((name, i) => `${name}:${typeText(type.types[i]!)}`).join(',')}})`;
    default:
      return type.kind;
  }
}

const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, '')
    .replaceAll(/,([\]})])/g, '$1')
    .replaceAll('"', '');

const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function run(expression: string): Omit<Recorded, 'expression'> {
  const parsed = parseExpression(new Source('<console-input>', expression));
  const diagnostics: Diagnostic[] = [...parsed.diagnostics];
  if (parsed.expression === undefined) throw new Error(`cannot parse ${expression}`);
  const value = evaluate(parsed.expression, scope, diagnostics);
  const [error] = diagnostics;
  if (error !== undefined && hasErrors(diagnostics)) {
    return { error: { summary: error.summary, detail: words(error.detail) } };
  }
  const bare = value.unmarkDeep().value;
  return { json: valueToJson(bare, bare.type), type: plain(typeText(bare.type)) };
}

describe('every function returns the result of terraform console', () => {
  for (const { expression, json, type, error } of recorded as readonly Recorded[]) {
    it(expression, () => {
      const result = run(expression);
      if (error !== undefined) expect(result).toEqual({ error });
      else expect(result).toEqual({ json, type: plain(type ?? '') });
    });
  }
});

describe('a crash of terraform inside of a function is an error message here', () => {
  const INCOMPATIBLE = 'given sets must all have compatible element types.';
  const failures: readonly (readonly [string, string])[] = [
    ['setunion([[1, 2], ["a"]], tolist([null]))', INCOMPATIBLE],
    ['setsubtract([[1]], [null])', INCOMPATIBLE],
    ['setintersection([{ a = 1 }], [null])', INCOMPATIBLE],
    ['merge(null, {}, ["a"])', 'arguments must be maps or objects, got "tuple".'],
  ];
  for (const [expression, detail] of failures) {
    it(expression, () => {
      expect(run(expression)).toMatchObject({
        error: { detail: expect.stringContaining(detail) as string },
      });
    });
  }
});
