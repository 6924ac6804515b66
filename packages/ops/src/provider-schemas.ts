import { EMPTY_STATE } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { ProviderSchema } from '@terrane/provider';
import { loadProject } from './load-project.ts';
import type { Outcome } from './locked-state.ts';
import { openProviders } from './open-providers.ts';
import { openState } from './opened-state.ts';
import type { Project } from './project.ts';
import { joinedError } from './run-ports.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

/** The schemas of all providers that the configuration and the state need, by source address. */
export async function providerSchemas(
  project: Project,
): Promise<Outcome<ReadonlyMap<string, ProviderSchema>>> {
  const { configuration, diagnostics: loading } = await loadProject(project);
  if (configuration === undefined || hasErrors(loading)) return { diagnostics: loading };
  const opened = await openState(project, configuration, DEFAULT_STATE_OPTIONS);
  if (opened.result === undefined) return { diagnostics: opened.diagnostics };
  const { file, diagnostics: reading } = await opened.result.manager.read();
  if (hasErrors(reading)) {
    return { diagnostics: [joinedError('Error loading state', reading)] };
  }
  const diagnostics: Diagnostic[] = [...loading];
  const state = file?.state ?? EMPTY_STATE;
  const providers = await openProviders(project, configuration, state, diagnostics);
  if (providers === undefined) return { diagnostics };
  await providers.close();
  const schemas = new Map<string, ProviderSchema>();
  for (const { source } of providers.chosen) {
    const schema = providers.provider(source);
    if (schema !== undefined) schemas.set(source.text, schema);
  }
  return { result: schemas, diagnostics };
}
