import {
  applyPlan,
  isLeavingObjects,
  type OutputState,
  type Plan,
  type WritableState,
} from '@terrane/engine';
import { checkOrigin, errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { withSpan } from '@terrane/host';
import type { Ask, Question } from './ask.ts';
import { checkApplyVariables } from './apply-variables.ts';
import type { Outcome } from './locked-state.ts';
import { planRun } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import { Progress } from './progress.ts';
import type { Project } from './project.ts';
import { plainError, type RunPorts } from './run-ports.ts';
import type { PlanBookmark } from './remote-runs/plan-bookmark.ts';
import { executeRemotely } from './remote-runs/execute-remotely.ts';
import type { RemoteOutcome, RemoteWork } from './remote-runs/run-remotely.ts';
import { deprecationsOnce } from './deprecations-once.ts';
import { loadRun } from './run/load-run.ts';
import { placeRun } from './run/place-run.ts';
import type { OperationSettings } from './run/run-settings.ts';
import { MANY_INSTANCES, type ReadyRun, withReadyRun } from './run/ready-run.ts';
import {
  loadSavedPlan,
  placeSavedPlan,
  type ReadySavedPlan,
  withReadySavedPlan,
} from './run/saved-plan-run.ts';
import { observeRun, type RunSubject } from './observed-state.ts';
import { ObservedRecorder } from './run-observer.ts';
import { readTimings, type Timings, TimingsRecorder, timingsPath } from './timings.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** Numbers of changed objects by kind of change. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** removed from the state without being destroyed */
  readonly forgotten: number;
  readonly imported: number;
  /** actions that were invoked, and those of them that failed */
  readonly invoked: number;
  readonly actionsFailed: number;
}

/** The result of an apply. */
export interface Applied {
  readonly counts: ChangeCounts;
  readonly outputs: ReadonlyMap<string, OutputState>;
  /** number of operations that were started and whose result is not known */
  readonly interrupted: number;
}

/** Options of an apply, which creates a plan or uses a saved one. */
export interface ApplyRequest extends PlanRequest {
  readonly autoApprove: boolean;
  /** a file that `plan` wrote */
  readonly planPath?: string;
  /** true if a destroy that leaves forgotten objects behind succeeds, as an option of OpenTofu */
  readonly suppressForgetErrors?: boolean;
}

/** Ports of an apply, which shows its plan and warnings before the approval prompt. */
export interface ApplyPorts extends RunPorts {
  /** prompts for approval; without it every plan is approved */
  readonly approval?: Ask;
  readonly showPlan: (plan: Plan) => void | Promise<void>;
  /** a saved plan is about to be applied */
  readonly showSavedPlan?: (plan: Plan) => void;
  readonly showDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
  /**
   * Called before a plan is applied, with the recorded durations of earlier changes. If this port exists, durations
   * are recorded beside the state.
   */
  readonly showStart?: (plan: Plan, timings: Timings) => void;
}

/** The outcome of an apply. Neither result nor error: the user did not approve. */
export type ApplyOutcome = Outcome<Applied> & {
  readonly cancelled?: true;
  /** outcome of a run on a server */
  readonly remote?: RemoteOutcome;
};

/** Plans, prompts for approval and applies the changes; or applies those of a saved plan. */
export async function apply(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<ApplyOutcome> {
  if (request.planPath !== undefined)
    return await applySaved(project, request, ports, request.planPath);
  const loaded = await loadRun(project, request, { kind: 'apply', mode: request.mode });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const { result: placed, diagnostics } = await placeRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  return placed.kind === 'remote'
    ? await executeRemotely(placed, remoteApply(request), ports)
    : await withReadyRun(placed, ports, (run) => planAndApply(run, request, ports));
}

async function planAndApply(
  run: ReadyRun,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<ApplyOutcome> {
  const planned = await planRun(run, request);
  const plan = planned.result?.plan;
  if (plan === undefined || hasErrors(planned.diagnostics)) {
    if (plan !== undefined && plan.changes.length + plan.outputs.length > 0)
      await ports.showPlan(plan);
    return { diagnostics: planned.diagnostics };
  }
  await ports.showPlan(plan);
  if (ports.signal?.aborted === true) {
    return { diagnostics: [...planned.diagnostics, plainError('execution halted')] };
  }
  const reviewed = (await ports.review?.(plan, run.storedState)) ?? [];
  if (hasErrors(reviewed)) return { diagnostics: [...planned.diagnostics, ...reviewed] };
  let diagnostics: readonly Diagnostic[] = [...planned.diagnostics, ...reviewed];
  if (!request.autoApprove && plan.applyable && ports.approval !== undefined) {
    if (diagnostics.length > 0) ports.showDiagnostics(diagnostics);
    diagnostics = [];
    const question = approvalQuestion(plan, run.opened.workspace);
    const answer = await ports.approval.input(question, ports.signal);
    if ('problem' in answer) {
      return { diagnostics: [plainError(`error asking for approval: ${answer.problem}`)] };
    }
    if (answer.text !== 'yes') return { diagnostics, cancelled: true };
  } else {
    // The apply evaluates check blocks again; their results for the plan would be misleading.
    diagnostics = diagnostics.filter((each) => checkOrigin(each)?.checkable !== 'check');
  }
  const { project, settings, storedState, opened } = run;
  const providers = run.providers.chosen;
  const applied = await applyPlanned(
    { plan, settings, storedState, opened, providers },
    project,
    ports,
    diagnostics,
  );
  return withForgottenError(plan, request, applied);
}

/** Returns the remote operation of an apply; `saved` replaces the plan that the server would create. */
function remoteApply(
  request: ApplyRequest,
  saved?: RemoteWork['saved'],
): Pick<RemoteWork, 'operation' | 'request' | 'autoApprove' | 'saved'> {
  return { operation: 'apply', request, autoApprove: request.autoApprove, saved };
}

async function applySaved(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
  path: string,
): Promise<ApplyOutcome> {
  const { readBookmark } = await import('./remote-runs/plan-bookmark.ts');
  const bookmark = await readBookmark(project.host.files, path);
  if (bookmark !== undefined) return await applyRemotePlan(project, request, ports, bookmark);
  const loaded = await loadSavedPlan(project, request, path);
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  await using _providers = loaded.result.saved.providers;
  const { result: placed, diagnostics } = await placeSavedPlan(loaded.result);
  if (placed === undefined) return { diagnostics };
  if (placed.kind === 'remote') {
    const { configuration } = placed.saved;
    const run = { project, place: placed.place, configuration, inputs: new Map() };
    return await executeRemotely(run, remoteApply(request, 'local'), ports);
  }
  return await withReadySavedPlan(placed, ports, (ready) =>
    applySavedPlan(ready, project, request, ports),
  );
}

async function applySavedPlan(
  { saved, settings, opened, storedState }: ReadySavedPlan,
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<Outcome<Applied>> {
  const { plan } = saved;
  if (plan.errored) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Cannot apply incomplete plan',
          'Terraform encountered an error when generating this plan, so it cannot be applied.',
        ),
      ],
    };
  }
  if (plan.annotations?.has('policy_results') === true && settings.inspector === undefined) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Policies of the saved plan are missing',
          'The plan was made with policies, some of which may be decided only during the apply. Apply it with the same -policies options.',
        ),
      ],
    };
  }
  ports.showSavedPlan?.(plan);
  const { values: variables, diagnostics } = checkApplyVariables(project, request, plan);
  if (hasErrors(diagnostics)) return { diagnostics };
  const subject = {
    plan,
    settings: { ...settings, variables },
    storedState,
    opened,
    providers: saved.providers.chosen,
    isSaved: true,
  };
  const applied = await applyPlanned(subject, project, ports, diagnostics);
  return withForgottenError(plan, request, applied);
}

/** Applies a plan stored on a server. */
async function applyRemotePlan(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
  bookmark: PlanBookmark,
): Promise<ApplyOutcome> {
  const loaded = await loadRun(project, request, { kind: 'apply-remote-plan' });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const { result: placed, diagnostics } = await placeRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  if (placed.kind === 'remote') {
    return await executeRemotely(placed, remoteApply(request, bookmark), ports);
  }
  const text = 'error: using a saved cloud plan when executing Terraform locally is not supported';
  return await withReadyRun(placed, ports, () =>
    Promise.resolve({ diagnostics: [plainError(text)] }),
  );
}

/** A plan to apply, with the state session that it changes. */
interface PlanSubject {
  readonly plan: Plan;
  readonly settings: OperationSettings;
  readonly storedState: WritableState;
  readonly opened: RunSubject['opened'];
  readonly providers: RunSubject['providers'];
  /** true if another run created the plan, so that its warnings may not have been shown to the user who applies it */
  readonly isSaved?: boolean;
}

/** Applies a plan and records the changes in the state, in a separate trace span. */
async function applyPlanned(
  subject: PlanSubject,
  project: Project,
  ports: ApplyPorts,
  before: readonly Diagnostic[],
): Promise<Outcome<Applied>> {
  return await withSpan(project.host.traces, 'apply', {}, async (span) => {
    const outcome = await applyUntraced(subject, project, ports, before);
    if (hasErrors(outcome.diagnostics)) span.fail();
    return outcome;
  });
}

async function applyUntraced(
  subject: PlanSubject,
  project: Project,
  ports: ApplyPorts,
  before: readonly Diagnostic[],
): Promise<Outcome<Applied>> {
  const { plan, settings, storedState, opened, providers = [], isSaved = false } = subject;
  if (plan.changes.length > MANY_INSTANCES) await project.host.limitHeapGrowth?.();
  const operation = plan.purpose?.operation ?? (plan.mode === 'destroy' ? 'destroy' : 'apply');
  const run = { project, operation, opened, plan, providers };
  const observation = await observeRun(run, storedState);
  const stateRecorder = await storedState.begin();
  const eventRecorder = observation && new ObservedRecorder(stateRecorder);
  const recorder = eventRecorder ?? stateRecorder;
  const timing = await startTiming(project, plan, opened.manager.journalPath, ports);
  const progress = new Progress(project.host.clock, (event) => {
    timing?.recorder.event(event);
    settings.emit(event);
  });
  const reporting = progress.run();
  let applied: Awaited<ReturnType<typeof applyPlan>> | undefined;
  const observed: Diagnostic[] = [];
  let finished: Awaited<ReturnType<typeof recorder.finish>>;
  try {
    applied = await applyPlan({
      ...settings,
      emit: progress.emit,
      plan,
      recorder,
      warnsOfDeprecations: isSaved,
      inspectsPlan: isSaved,
    });
  } finally {
    progress.stop();
    await reporting;
    // Completed changes must be recorded even if the apply throws.
    finished = await recorder.finish();
    await timing?.recorder.save(project.host.files, timing.path);
    if (observation !== undefined) {
      const { file, name, interrupted } = finished;
      const diagnostics = [...(applied?.diagnostics ?? [UNEXPECTED_END]), ...finished.diagnostics];
      const stopped = applied?.stopped === true;
      const events = eventRecorder?.events ?? [];
      const overridden = settings.inspector?.overridden?.() ?? [];
      const end = { events, file, name, interrupted, diagnostics, stopped, overridden };
      observed.push(...(await observation.end(end)));
    }
  }
  const diagnostics = deprecationsOnce([...before, ...applied.diagnostics]);
  if (applied.stopped && !hasErrors(diagnostics)) diagnostics.push(plainError('execution halted'));
  diagnostics.push(...finished.diagnostics, ...observed);
  const result = {
    counts: applied.counts,
    outputs: finished.file.state.outputs,
    interrupted: finished.interrupted.length,
  };
  return { result, diagnostics };
}

/** Stands for the errors of an apply that ended with an exception. */
const UNEXPECTED_END = errorDiagnostic('Unexpected end of the operation', '');

/** Adds OpenTofu's error for a destroy that leaves forgotten objects behind. */
function withForgottenError(
  plan: Plan,
  { suppressForgetErrors = false }: ApplyRequest,
  outcome: Outcome<Applied>,
): Outcome<Applied> {
  if (suppressForgetErrors || hasErrors(outcome.diagnostics) || !isLeavingObjects(plan))
    return outcome;
  const failure = errorDiagnostic(
    'Destroy was successful but left behind forgotten instances',
    'As requested, Terraform has not deleted some remote objects that are no longer managed by this configuration. Those objects continue to exist in their remote system and so may continue to incur charges. Refer to the original plan for more information.\nTo suppress this error for the future \'destroy\' runs, you can add the CLI flag "-suppress-forget-errors".',
  );
  return { ...outcome, diagnostics: [...outcome.diagnostics, failure] };
}

/** Announces the apply. Records timings only if a listener for them exists. */
async function startTiming(
  project: Project,
  plan: Plan,
  journalPath: string,
  ports: ApplyPorts,
): Promise<{ readonly recorder: TimingsRecorder; readonly path: string } | undefined> {
  if (ports.showStart === undefined) return undefined;
  const path = timingsPath(journalPath);
  const known = await readTimings(project.host.files, path);
  ports.showStart(plan, known);
  return { recorder: new TimingsRecorder(known), path };
}

function approvalQuestion(plan: Plan, workspace: string): Question {
  const where = workspace === DEFAULT_WORKSPACE ? '' : ` in workspace "${workspace}"`;
  switch (plan.mode) {
    case 'destroy':
      return {
        id: 'approve',
        query: `\nDo you really want to destroy all resources${where}?`,
        description:
          "Terrane will destroy all your managed infrastructure, as shown above.\nThere is no undo. Only 'yes' will be accepted to confirm.",
      };
    case 'refresh-only': {
      if (plan.invocations.length > 0) {
        return {
          id: 'approve',
          query: '\nWould you like to invoke the specified actions?',
          description:
            "Terrane will invoke the actions described above, and any changes will be written to the state without modifying real infrastructure\nThere is no undo. Only 'yes' will be accepted to confirm.",
        };
      }
      const named = workspace === DEFAULT_WORKSPACE ? '' : ` for "${workspace}"`;
      return {
        id: 'approve',
        query: `\nWould you like to update the Terrane state${named} to reflect these detected changes?`,
        description:
          "Terrane will write these changes to the state without modifying any real infrastructure.\nThere is no undo. Only 'yes' will be accepted to confirm.",
      };
    }
    case 'normal':
      return {
        id: 'approve',
        query: `\nDo you want to perform these actions${where}?`,
        description:
          "Terrane will perform the actions described above.\nOnly 'yes' will be accepted to approve.",
      };
  }
}
