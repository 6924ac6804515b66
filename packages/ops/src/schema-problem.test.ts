import { ProviderSource } from '@terrane/addresses';
import { describe, expect, it } from 'vitest';
import { missingSchema, schemaProblem } from './schema-problem.ts';

function source(text: string): ProviderSource {
  const parsed = ProviderSource.parse(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

const A = source('acme/a');
const B = source('acme/b');
const notStarted = (detail: string): Parameters<typeof missingSchema>[1] => [
  { severity: 'error', summary: 'Failed to load plugin schemas', detail },
];
const START = 'Error while loading schemas for plugin components: ';
const couldNot = (name: string): string =>
  `Failed to obtain provider schema: Could not load the schema for provider registry.terraform.io/acme/${name}: `;

// The texts are those of Terraform 1.11.4, internal/schemarepo/loadschemas.
describe('the error about schemas that are missing', () => {
  it('reports a provider that does not start', () => {
    expect(schemaProblem([missingSchema(A, notStarted('no such file'))]).detail).toBe(
      `${START}${couldNot('a')}failed to instantiate provider "registry.terraform.io/acme/a" to obtain schema: no such file..`,
    );
  });

  it('reports a failed schema request with all diagnostics', () => {
    const diagnostics = [
      { severity: 'warning', summary: 'Old', detail: '' },
      { severity: 'error', summary: 'Broken', detail: 'It is ill.' },
    ] as const;
    const failed = `${START}${couldNot('a')}failed to retrieve schema from provider "registry.terraform.io/acme/a": `;
    expect(schemaProblem([missingSchema(A, diagnostics.slice(1))]).detail).toBe(
      `${failed}Broken: It is ill...`,
    );
    expect(schemaProblem([missingSchema(A, diagnostics)]).detail).toBe(
      `${failed}2 problems:\n\n- Old\n- Broken: It is ill...`,
    );
  });

  it('lists all, and adds no full stop to the output of a plugin', () => {
    const last = 'gone\n\nThe plugin wrote this to its standard error:\n\nno license';
    const { summary, detail } = schemaProblem([
      missingSchema(A, notStarted('x')),
      missingSchema(B, notStarted(last)),
    ]);
    expect(summary).toBe('Failed to load plugin schemas');
    expect(detail).toBe(
      `${START}2 problems:\n\n- ${couldNot('a')}failed to instantiate provider "registry.terraform.io/acme/a" to obtain schema: x.\n- ${couldNot('b')}failed to instantiate provider "registry.terraform.io/acme/b" to obtain schema: ${last}`,
    );
  });
});
