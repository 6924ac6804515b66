import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionSpec } from '@terrane/cty';
import { beforeAll, describe, expect, it } from 'vitest';
import exceptions from './recorded/exceptions.json' with { type: 'json' };
import { loadFunctionLibraries } from './libraries.ts';
import { functionTable } from './table.ts';
import { answer, type Answer } from './testing/answer.ts';
import { ORACLE_PORTS, oracleScope } from './testing/oracle-scope.ts';

/** The kind of a call's arguments. */
type Kind = 'normal' | 'null' | 'unknown' | 'marked' | 'wrong' | 'namespace';

interface Recorded {
  /** the reference program and its version */
  readonly target: string;
  readonly name: string;
  readonly answers: readonly (Answer & { readonly kind: Kind })[];
}

/** Made by recorded/matrix.mjs. */
const matrix: readonly Recorded[] = readFileSync(
  join(import.meta.dirname, 'recorded', 'matrix.jsonl'),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Recorded => JSON.parse(line));

/** Terrane's deliberately different results, by expression, with the reason. */
const instead: ReadonlyMap<string, unknown> = new Map(
  exceptions.flatMap(({ answers }) =>
    answers.map((record) => [record.expression, record] as const),
  ),
);

beforeAll(() => loadFunctionLibraries());

describe('every function returns the result of Terraform, or of OpenTofu', () => {
  for (const { target, name, answers } of matrix) {
    it(`${name} (${target})`, () => {
      const scope = oracleScope();
      const wanted: unknown[] = [];
      const actualAnswers: unknown[] = [];
      for (const { kind: _, panic, ...recorded } of answers) {
        const ours: Answer = JSON.parse(JSON.stringify(answer(recorded.expression, scope)));
        // If the reference implementation crashes, only the absence of a crash is compared.
        if (panic !== undefined) continue;
        const isRandom = recorded.type === 'string' && recorded.value === undefined;
        actualAnswers.push(isRandom ? { ...ours, value: undefined } : ours);
        const expectedAnswer = instead.get(recorded.expression) ?? recorded;
        wanted.push(isSameButSecrets(ours, expectedAnswer) ? actualAnswers.at(-1) : expectedAnswer);
      }
      expect(actualAnswers).toEqual(wanted);
    });
  }

  it('has no unnecessary exception', () => {
    const recorded = new Set(matrix.flatMap(({ answers }) => answers.map((a) => a.expression)));
    expect([...instead.keys()].filter((expression) => !recorded.has(expression))).toEqual([]);
  });
});

/** Returns true if two answers differ only in secrets that the reference implementation discloses. */
function isSameButSecrets(ours: unknown, original: unknown): boolean {
  const parts = JSON.stringify(ours).split('(sensitive value)');
  if (parts.length === 1) return false;
  const pattern = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.+')}$`).test(JSON.stringify(original));
}

/** The kinds of calls that a function must be shown with. */
function kindsFor(spec: FunctionSpec): readonly Kind[] {
  const takesArguments = spec.parameters.length > 0 || spec.variadic !== undefined;
  return takesArguments ? ['normal', 'null', 'unknown', 'marked', 'wrong'] : ['normal'];
}

describe('every function of the table', () => {
  const kinds = new Map<string, Set<string>>();
  for (const { name, answers } of matrix) {
    const bare = name.replace(/^(?:planned|console)::/, '');
    const seen = kinds.get(bare) ?? new Set();
    for (const { kind } of answers) seen.add(kind);
    kinds.set(bare, seen);
  }
  const table = functionTable(ORACLE_PORTS, { baseDir: '.', pure: false });
  for (const [name, spec] of table) {
    if (name.includes('::')) continue;
    it(`is shown with values, null, unknown, marked and wrong arguments: ${name}`, () => {
      const seen = kinds.get(name) ?? new Set();
      expect(kindsFor(spec).filter((kind) => !seen.has(kind))).toEqual([]);
    });
  }
});
