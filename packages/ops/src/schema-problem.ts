import type { ProviderSource } from '@terrane/addresses';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';

/** A provider without a schema, and the reason. */
export interface MissingSchema {
  readonly source: ProviderSource;
  /** `instantiate`: the provider did not start; `retrieve`: the schema request failed */
  readonly stage: 'instantiate' | 'retrieve';
  readonly reason: string;
}

/** Returns the record of a provider whose schema could not be loaded, from its diagnostics. */
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

/** Returns one error for all missing schemas, with Terraform's message. */
export function schemaProblem(missing: readonly MissingSchema[]): Diagnostic {
  const texts = missing.map(({ source, stage, reason }) => {
    const name = JSON.stringify(source.text);
    const failed =
      stage === 'instantiate'
        ? `failed to instantiate provider ${name} to obtain schema`
        : `failed to retrieve schema from provider ${name}`;
    return `Failed to obtain provider schema: Could not load the schema for provider ${source.text}: ${withFullStop(`${failed}: ${reason}`)}`;
  });
  return errorDiagnostic(
    SCHEMA_PROBLEM,
    withFullStop(`Error while loading schemas for plugin components: ${together(texts)}`),
  );
}

const SCHEMA_PROBLEM = 'Failed to load plugin schemas';

/** Ends a sentence with a full stop, unless it ends with the output of a plugin. */
function withFullStop(text: string): string {
  return /\n\nThe plugin(?:'s process ended| wrote)/.test(text) ? text : `${text}.`;
}

function together(texts: readonly string[]): string {
  if (texts.length === 1) return texts.join('');
  return `${texts.length} problems:\n${texts.map((text) => `\n- ${text}`).join('')}`;
}
