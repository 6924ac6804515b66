import { makePlan, type QueryResult, type VariableOption } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { deprecationsOnce } from './deprecations-once.ts';
import { generationProblems, writeGeneratedParts } from './generated-config.ts';
import type { Outcome } from './locked-state.ts';
import { DEFAULT_PARALLELISM, withOpenRun } from './open-run.ts';
import type { Project } from './project.ts';
import type { RemotePlace } from './remote-version.ts';
import type { RunPorts } from './run-ports.ts';

const NO_QUERIES =
  'Query requires a query configuration to be present. Create a Terraform query configuration file (.tfquery.hcl file) and try again.';

/** What to ask for. */
export interface QueryRequest {
  readonly variables: readonly VariableOption[];
  /** the file that configuration for what is found is written to, which must not be there yet */
  readonly generateConfigOut?: string;
}

/**
 * Asks providers for the objects that the `list` blocks of the query files describe. The state is read, for what they
 * refer to, and neither locked nor changed.
 */
export async function query(
  project: Project,
  request: QueryRequest,
  ports: RunPorts,
): Promise<Outcome<readonly QueryResult[]>> {
  const { variables, generateConfigOut: generated } = request;
  const run = {
    state: { lock: false, lockTimeoutMs: 0 },
    variables,
    parallelism: DEFAULT_PARALLELISM,
  };
  return await withOpenRun<readonly QueryResult[]>(
    project,
    run,
    ports,
    'OperationTypePlan',
    async ({ settings, givenVariables, state, configuration, diagnostics: before }) => {
      const { resources } = configuration.root;
      if (![...resources.values()].some(({ addr }) => addr.mode === 'list')) {
        const detail = 'The configuration does not contain any resources that can be queried.';
        return { diagnostics: [...before, errorDiagnostic('No resources to query', detail)] };
      }
      const made = await makePlan({
        ...settings,
        givenVariables,
        state,
        mode: 'normal',
        refresh: false,
        query: true,
        targets: [],
        targetTexts: [],
        replace: [],
        ...(generated === undefined ? {} : { generateConfigOut: generated }),
      });
      const diagnostics = deprecationsOnce([...before, ...made.diagnostics]);
      if (settings.signal?.aborted === true && !hasErrors(diagnostics))
        diagnostics.push(errorDiagnostic('execution halted', ''));
      const { queries } = made;
      if (queries === undefined) return { diagnostics };
      const written = generated === undefined ? [] : await writeFound(project, queries, generated);
      return { result: queries, diagnostics: [...diagnostics, ...written] };
    },
    {
      queries: true,
      emptyAllowed: NO_QUERIES,
      check: () => {
        if (generated === undefined) return undefined;
        const problems = generationProblems(project, 'normal', generated);
        return problems.length === 0 ? undefined : { diagnostics: problems };
      },
      remotely: (place) => Promise.resolve({ diagnostics: [refusedQuery(place)] }),
    },
  );
}

/** The error for a workspace whose queries a server would have to run. */
function refusedQuery({ runs, workspace }: RemotePlace): Diagnostic {
  const { appName, organization } = runs.server;
  return errorDiagnostic(
    'Remote queries are not supported',
    `The workspace ${JSON.stringify(`${organization}/${workspace.name}`)} has the execution mode ${JSON.stringify(workspace.executionMode)}, so its queries would have to be run by ${appName}, which Terrane does not ask for.

To query from this machine, with its credentials, set the workspace's execution mode to "local", or set the environment variable TF_FORCE_LOCAL_BACKEND for this command.`,
  );
}

/** Writes what is to be written for the results of each block, as far as it has any. */
async function writeFound(
  project: Project,
  queries: readonly QueryResult[],
  path: string,
): Promise<Outcome<never>['diagnostics']> {
  const parts = queries.flatMap(({ found }) => {
    const texts = found.flatMap(({ generated }) =>
      generated === undefined ? [] : [`${generated.resource}\n\n${generated.import}\n\n`],
    );
    return texts.length === 0 ? [] : [{ text: texts.join(''), importId: undefined }];
  });
  const { diagnostics } = await writeGeneratedParts(project, parts, path);
  // That the form may change is told where existing objects are planned.
  return diagnostics.filter(({ severity }) => severity === 'error');
}
