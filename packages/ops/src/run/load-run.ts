import type { Configuration } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { loadProject } from '../load-project.ts';
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
