import type { Plan, PlannedChange, State, StateFile, VariableOption } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  DEFAULT_PARALLELISM,
  type Outcome,
  plan,
  plainError,
  type Project,
  type RunPorts,
  SILENT,
} from '@terrane/ops';
import { type FileTexts, overlayHost } from './overlay-files.ts';

/** Options of all plans of a refactoring. */
export interface RefactorOptions {
  readonly variables: readonly VariableOption[];
  readonly parallelism?: number;
}

/** A configuration and a state that exist only for a plan. */
export interface Trial {
  /** texts of changed and new files */
  readonly files?: FileTexts;
  /** the directory of the root module; default: that of the project */
  readonly directory?: string;
  /** derives the planned state from the stored one */
  readonly over?: (state: State) => State;
}

/** Plans a trial without locking or changing anything. */
export async function planTrial(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
  { files = new Map(), directory, over }: Trial = {},
): Promise<Outcome<Plan> & { readonly base?: StateFile }> {
  const host = overlayHost(project.host, files, directory);
  const trial: Project = { ...project, host, variables: options.variables };
  const outcome = await plan(
    trial,
    {
      state: { lock: false, lockTimeoutMs: 0 },
      variables: options.variables,
      parallelism: options.parallelism ?? DEFAULT_PARALLELISM,
      mode: 'normal',
      refresh: true,
      targets: [],
      targetTexts: [],
      replace: [],
      ...(over === undefined ? {} : { over }),
    },
    { ...ports, emit: SILENT.emit },
  );
  if (outcome.remote !== undefined) {
    return {
      diagnostics: [
        plainError(
          'Refactoring needs plans on this machine, but the runs of this workspace are executed by a server. Set the environment variable TF_FORCE_LOCAL_BACKEND to plan here.',
        ),
      ],
    };
  }
  const { result, diagnostics } = outcome;
  if (result === undefined || hasErrors(diagnostics)) return { diagnostics };
  return {
    result: result.plan,
    diagnostics,
    ...(result.base === undefined ? {} : { base: result.base }),
  };
}

/** Describes the changes of a plan, one line each; empty if it changes only addresses. */
export function plannedChanges(planned: Plan): readonly string[] {
  return [
    ...planned.changes
      .filter((change) => change.action !== 'no-op')
      .map((change) => `${change.addr.text}: ${actionText(change)}`),
    ...planned.deferred.map(({ change }) => `${change.addr.text}: deferred`),
    ...planned.outputs
      .filter(({ action }) => action !== 'no-op')
      .map(({ name, action }) => `output.${name}: ${action}`),
    ...planned.invocations.map(({ addr }) => `${addr.text}: invoke`),
  ];
}

function actionText({ action, deposed }: PlannedChange): string {
  const text =
    action === 'delete-then-create' || action === 'create-then-delete' ? 'replace' : action;
  return deposed === undefined ? text : `${text} deposed object`;
}

const MAX_LISTED = 20;

/** Returns the error for a plan that should be empty; undefined if it is. */
export function emptyPlanProblem(
  planned: Plan,
  summary: string,
  reason: string,
): Diagnostic | undefined {
  const changes = plannedChanges(planned);
  if (changes.length === 0) return undefined;
  const more = changes.length - MAX_LISTED;
  const listed = changes
    .slice(0, MAX_LISTED)
    .map((each) => `\n  - ${each}`)
    .join('');
  return errorDiagnostic(
    summary,
    `${reason}\n${listed}${more > 0 ? `\n  - and ${more} more` : ''}`,
  );
}

/** Plans the present configuration, which must have no pending changes. */
export async function emptyBaseline(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
): ReturnType<typeof planTrial> {
  const planned = await planTrial(project, options, ports);
  if (planned.result === undefined) return planned;
  const problem = emptyPlanProblem(
    planned.result,
    'Pending changes',
    'The plan of the present configuration is not empty, so a plan cannot prove that the refactoring changes nothing. Apply or revert these changes first:',
  );
  return problem === undefined ? planned : { diagnostics: [...planned.diagnostics, problem] };
}
