import { EMPTY_STATE, validateConfiguration } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { loadProject } from './load-project.ts';
import { DEFAULT_PARALLELISM, openProviders, settingsOf } from './open-run.ts';
import type { Project } from './project.ts';
import { providersInUse } from './provider-requirements.ts';
import { SILENT } from './run-ports.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** Checks the configuration alone: no state, no values for variables, nothing asked of any service. */
export async function validate(project: Project): Promise<readonly Diagnostic[]> {
  const { configuration, diagnostics: loading } = await loadProject(project);
  if (configuration === undefined || hasErrors(loading)) return loading;
  const diagnostics = [...loading];
  await using providers = await openProviders(project, configuration, EMPTY_STATE, diagnostics, {
    checkLock: false,
  });
  if (providers === undefined) return diagnostics;
  providers.warm(providersInUse(configuration));
  const settings = settingsOf(
    project,
    configuration,
    providers,
    DEFAULT_WORKSPACE,
    DEFAULT_PARALLELISM,
    SILENT,
    new Map(),
  );
  diagnostics.push(...(await validateConfiguration(settings)));
  return diagnostics;
}
