import { makePlan, type QueryResult, type VariableOption } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import { generationProblems, writeGeneratedParts } from './generated-config.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import type { RemotePlace } from './remote-version.ts';
import { loadRun } from './run/load-run.ts';
import { placeRun } from './run/place-run.ts';
import { type ReadyRun, withReadyRun } from './run/ready-run.ts';
import { DEFAULT_PARALLELISM, type RunRequest } from './run/run-request.ts';
import type { RunPorts } from './run-ports.ts';

/** Options of a query. */
export interface QueryRequest {
  readonly variables: readonly VariableOption[];
  /** new file to write the configuration of the queried objects to */
  readonly generateConfigOut?: string;
  /** generates configuration for each object without writing it; the result contains it */
  readonly generate?: boolean;
}

/**
 * Requests the objects that the `list` blocks of the query files describe. The state is read for references in those
 * blocks; it is neither locked nor changed.
 */
export async function query(
  project: Project,
  request: QueryRequest,
  ports: RunPorts,
): Promise<Outcome<readonly QueryResult[]>> {
  const { variables, generateConfigOut } = request;
  const runRequest: RunRequest = {
    state: { lock: false, lockTimeoutMs: 0 },
    variables,
    parallelism: DEFAULT_PARALLELISM,
  };
  const loaded = await loadRun(project, runRequest, { kind: 'query' });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const problems =
    generateConfigOut === undefined ? [] : generationProblems(project, 'normal', generateConfigOut);
  if (problems.length > 0) return { diagnostics: problems };
  const { result: placed, diagnostics } = await placeRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  if (placed.kind === 'remote') return { diagnostics: [remoteQueryError(placed.place)] };
  return await withReadyRun(placed, ports, (run) =>
    runQueries(run, generateConfigOut, request.generate === true),
  );
}

async function runQueries(
  { project, settings, givenVariables, state, configuration, warnings }: ReadyRun,
  generateConfigOut: string | undefined,
  generate: boolean,
): Promise<Outcome<readonly QueryResult[]>> {
  const { resources } = configuration.root;
  if (![...resources.values()].some(({ addr }) => addr.mode === 'list')) {
    const detail = 'The configuration does not contain any resources that can be queried.';
    return { diagnostics: [...warnings, errorDiagnostic('No resources to query', detail)] };
  }
  const planned = await makePlan({
    ...settings,
    givenVariables,
    state,
    mode: 'normal',
    refresh: false,
    query: true,
    targets: [],
    targetTexts: [],
    replace: [],
    ...(generateConfigOut === undefined ? {} : { generateConfigOut }),
    // The planner only checks that the name is set.
    ...(generate ? { generateConfigOut: generateConfigOut ?? '-' } : {}),
  });
  const diagnostics = deprecationsOnce([...warnings, ...planned.diagnostics]);
  const { queries } = planned;
  if (queries === undefined) return { diagnostics };
  const written =
    generateConfigOut === undefined
      ? []
      : await writeConfiguration(project, queries, generateConfigOut);
  return { result: queries, diagnostics: [...diagnostics, ...written] };
}

/** Returns the error for a workspace whose queries would have to be executed by a server. */
function remoteQueryError({ runs, workspace }: RemotePlace): Diagnostic {
  const { appName, organization } = runs.server;
  return errorDiagnostic(
    'Remote queries are not supported',
    `The workspace ${JSON.stringify(`${organization}/${workspace.name}`)} has the execution mode ${JSON.stringify(workspace.executionMode)}, so its queries would have to be run by ${appName}, which Terrane does not ask for.

To query from this machine, with its credentials, set the workspace's execution mode to "local", or set the environment variable TF_FORCE_LOCAL_BACKEND for this command.`,
  );
}

/** Writes the generated configuration of all results, if there is any. */
async function writeConfiguration(
  project: Project,
  queries: readonly QueryResult[],
  path: string,
): Promise<Outcome<never>['diagnostics']> {
  const parts = queries.flatMap(({ results }) => {
    const texts = results.flatMap(({ generated }) =>
      generated === undefined ? [] : [`${generated.resource}\n\n${generated.import}\n\n`],
    );
    return texts.length === 0 ? [] : [{ text: texts.join(''), importId: undefined }];
  });
  const { diagnostics } = await writeGeneratedParts(project, parts, path);
  // Terraform warns of the experimental format only for import blocks.
  return diagnostics.filter(({ severity }) => severity === 'error');
}
