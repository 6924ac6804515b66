import type { Configuration } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { loadProject, loadRootModule } from '../load-project.ts';
import { loadSnapshot } from '../configuration-snapshot.ts';
import type { Outcome } from '../locked-state.ts';
import type { Project } from '../project.ts';
import { type Operation, operationProperties } from './operation.ts';
import { effectiveParallelism, type RunRequest } from './run-request.ts';

/** First stage of a run: its configuration is loaded. */
export interface LoadedRun {
  readonly project: Project;
  readonly operation: Operation;
  readonly request: RunRequest;
  /** effective limit of concurrent provider operations */
  readonly parallelism: number;
  readonly configuration: Configuration;
  /** the configuration that determines the backend, if it is another one */
  readonly stateConfiguration?: Configuration;
  /** warnings of all stages so far, in order */
  readonly warnings: readonly Diagnostic[];
}

/** Checks the request and loads the configuration with its modules. */
export async function loadRun(
  project: Project,
  request: RunRequest,
  operation: Operation,
): Promise<Outcome<LoadedRun>> {
  const parallelism = effectiveParallelism(request);
  if (typeof parallelism !== 'number') return { diagnostics: [parallelism] };
  const { snapshot } = request;
  if (snapshot !== undefined) {
    const loaded = await loadSnapshot(project, snapshot);
    if (loaded.configuration === undefined || hasErrors(loaded.diagnostics))
      return { diagnostics: loaded.diagnostics };
    // The configuration in the working directory may be broken, which can be the reason to use another one.
    const here = await loadRootModule(project);
    const { configuration, diagnostics: warnings } = loaded;
    const stateConfiguration = hasErrors(here.diagnostics) ? configuration : here.configuration;
    return {
      result: {
        project,
        operation,
        request,
        parallelism,
        configuration,
        warnings,
        ...(stateConfiguration === undefined ? {} : { stateConfiguration }),
      },
      diagnostics: [],
    };
  }
  const { includesQueries } = operationProperties(operation);
  const { configuration, diagnostics } = await loadProject(
    project,
    request.variables,
    undefined,
    includesQueries,
  );
  if (configuration === undefined || hasErrors(diagnostics)) return { diagnostics };
  return {
    result: { project, operation, request, parallelism, configuration, warnings: diagnostics },
    diagnostics: [],
  };
}
