import { memoryHost } from '@terrane/testkit';
import { describe, expect, test } from 'vitest';
import {
  apply,
  formatDiagnostic,
  openProject,
  plainChanges,
  plainDiagnostic,
  plainOutputs,
  plan,
  requestFor,
  SensitiveValue,
  SILENT,
  UNKNOWN_VALUE,
} from './index.ts';

const CONFIG = `
variable "n" { type = number }
variable "tags" { type = map(string) }
variable "password" {
  type      = string
  sensitive = true
}
resource "terraform_data" "a" { input = { n = var.n, tags = var.tags } }
output "sum" { value = var.n + length(var.tags) }
output "password" {
  value     = var.password
  sensitive = true
}
`;

const VALUES = { n: 2, tags: { a: 'b' }, password: 'hunter2' };
const QUIET = { ...SILENT, showPlan: () => undefined, showDiagnostics: () => undefined };

async function projectOf(config: string): Promise<ReturnType<typeof openProject>> {
  const host = memoryHost();
  await host.files.writeFile('main.tf', config);
  return openProject(host);
}

describe('JavaScript data is converted in both directions', () => {
  test('of a plan', async () => {
    const outcome = await plan(await projectOf(CONFIG), requestFor({ values: VALUES }), SILENT);
    expect(outcome.diagnostics).toEqual([]);
    const made = outcome.result?.plan;
    expect(made && plainChanges(made)).toEqual([
      {
        address: 'terraform_data.a',
        action: 'create',
        before: null,
        after: {
          id: UNKNOWN_VALUE,
          input: { n: 2, tags: { a: 'b' } },
          output: UNKNOWN_VALUE,
          triggers_replace: null,
        },
      },
    ]);
  });

  test('of an apply, without sensitive values', async () => {
    const outcome = await apply(await projectOf(CONFIG), requestFor({ values: VALUES }), QUIET);
    const outputs = plainOutputs(outcome.result?.outputs ?? new Map());
    expect(outputs['sum']).toBe(3);
    expect(JSON.stringify(outputs)).not.toContain('hunter2');
    const { password } = outputs;
    expect(password instanceof SensitiveValue && password.reveal()).toBe('hunter2');
  });

  test('and text stays text, for any type of the variable', async () => {
    const config = `variable "v" {}\noutput "v" { value = var.v }`;
    const request = requestFor({ values: { v: '[1, 2]' } });
    const outcome = await apply(await projectOf(config), request, QUIET);
    expect(plainOutputs(outcome.result?.outputs ?? new Map())).toEqual({ v: '[1, 2]' });
  });

  test('a value of another type is an error of the variable', async () => {
    const request = requestFor({ values: { ...VALUES, n: 'many' } });
    const { diagnostics } = await plan(await projectOf(CONFIG), request, SILENT);
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['Invalid value for input variable']);
  });

  test('data that has no counterpart is an error of the caller, with its path', () => {
    expect(() => requestFor({ values: { tags: { a: [NaN] } } })).toThrow(
      new TypeError('values.tags.a[0]: NaN is not a number of the language'),
    );
  });
});

describe('a diagnostic', () => {
  test('has its position as line and column', async () => {
    const outcome = await plan(
      await projectOf('\noutput "é" { value = var.x }'),
      requestFor(),
      SILENT,
    );
    expect(outcome.diagnostics.map(plainDiagnostic)).toMatchObject([
      { severity: 'error', file: 'main.tf', line: 2, column: 22, endLine: 2, endColumn: 27 },
    ]);
  });

  test('is formatted with the code that it is about', async () => {
    const outcome = await plan(
      await projectOf('output "o" { value = var.x }'),
      requestFor(),
      SILENT,
    );
    const [diagnostic] = outcome.diagnostics;
    expect(diagnostic && formatDiagnostic(diagnostic)).toMatch(
      /^Error: Reference to undeclared input variable\n\n {2}on main\.tf line 1, in output "o":\n/,
    );
  });
});

test('a key of `providers` that is not an address is an error of the caller', () => {
  expect(() =>
    openProject(memoryHost(), { providers: { 'a/b/c/d': { kind: 'executable', path: 'x' } } }),
  ).toThrow('a/b/c/d is not a provider address');
});
