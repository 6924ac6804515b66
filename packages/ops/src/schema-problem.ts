import type { ProviderSource } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';

/** Why the schema of a provider could not be had. */
export interface MissingSchema {
  readonly source: ProviderSource;
  /** `instantiate`: there is no process of it to ask; `retrieve`: it was asked */
  readonly stage: 'instantiate' | 'retrieve';
  readonly reason: string;
}

/** What a provider, or who speaks for it, said instead of its schema. */
export function missingSchema(
  source: ProviderSource,
  diagnostics: readonly ProviderDiagnostic[],
): MissingSchema {
  const [first] = diagnostics;
  if (first?.summary === SCHEMA_PROBLEM) {
    return { source, stage: 'instantiate', reason: first.detail };
  }
  const texts = diagnostics.map(({ summary, detail }) =>
    [summary, detail].filter(Boolean).join(': '),
  );
  return { source, stage: 'retrieve', reason: together(texts) };
}

/** The one error about all schemas that are missing, in Terraform's words. */
export function schemaProblem(missing: readonly MissingSchema[]): Diagnostic {
  const texts = missing.map(({ source, stage, reason }) => {
    const name = JSON.stringify(source.text);
    const failed =
      stage === 'instantiate'
        ? `failed to instantiate provider ${name} to obtain schema`
        : `failed to retrieve schema from provider ${name}`;
    return `Failed to obtain provider schema: Could not load the schema for provider ${source.text}: ${ended(`${failed}: ${reason}`)}`;
  });
  return errorDiagnostic(
    SCHEMA_PROBLEM,
    ended(`Error while loading schemas for plugin components: ${together(texts)}`),
  );
}

const SCHEMA_PROBLEM = 'Failed to load plugin schemas';

/** A sentence with its full stop; none follows what a plugin wrote. */
function ended(text: string): string {
  return /\n\nThe plugin(?:'s process ended| wrote)/.test(text) ? text : `${text}.`;
}

function together(texts: readonly string[]): string {
  if (texts.length === 1) return texts.join('');
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
