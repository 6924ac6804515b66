import {
  applyPlan,
  isLeavingObjects,
  type OutputState,
  type Plan,
  type RunSettings,
  type StateFile,
  type StateManager,
} from '@terrane/engine';
import { checkOrigin, errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { withSpan, programCommand } from '@terrane/host';
import type { Ask, Question } from './ask.ts';
import { checkApplyVariables } from './apply-variables.ts';
import type { Outcome } from './locked-state.ts';
import { withOpenRun } from './open-run.ts';
import { planIn } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import { Progress } from './progress.ts';
import type { Project } from './project.ts';
import { plainError, type RunPorts } from './run-ports.ts';
import type { PlanBookmark } from './remote-runs/plan-bookmark.ts';
import type { RemoteOutcome, RemoteWork } from './remote-runs/run-remotely.ts';
import type { RemotePlace } from './remote-version.ts';
import { deprecationsOnce } from './deprecations-once.ts';
import { withSavedPlan } from './saved-plan.ts';
import { readTimings, type Timings, TimingsRecorder, timingsPath } from './timings.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** How many objects were changed in which way. */
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

/** What an apply did. */
export interface Applied {
  readonly counts: ChangeCounts;
  readonly outputs: ReadonlyMap<string, OutputState>;
}

/** What to apply: a plan made now, or one made before. */
export interface ApplyRequest extends PlanRequest {
  readonly autoApprove: boolean;
  /** a file that `plan` wrote */
  readonly planPath?: string;
  /** it is no failure to destroy everything but what is to be left as it is, by OpenTofu's meaning of that */
  readonly suppressForgetErrors?: boolean;
}

/** An apply speaks more than other runs: it shows its plan and what there is to know before it asks. */
export interface ApplyPorts extends RunPorts {
  /** asks for approval; without it everything counts as approved */
  readonly approval?: Ask;
  readonly showPlan: (plan: Plan) => void;
  /** a saved plan is about to be applied */
  readonly showSavedPlan?: (plan: Plan) => void;
  readonly showDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
  /**
   * A plan is about to be followed; changes took so long before. Where this is given, how long they take is
   * kept beside the state.
   */
  readonly showStart?: (plan: Plan, timings: Timings) => void;
}

/** Without a result and without errors the user said no. */
export type ApplyOutcome = Outcome<Applied> & {
  readonly cancelled?: true;
  /** what came of having a server make the run */
  readonly remote?: RemoteOutcome;
};

const nothingToApply = (): string =>
  `Apply requires configuration to be present. Applying without a configuration would mark everything for destruction, which is normally not what is desired. If you would like to destroy everything, run '${programCommand('destroy')}' instead.`;

/** Plans, asks for approval and makes the changes; or makes those of a saved plan. */
export async function apply(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
): Promise<ApplyOutcome> {
  if (request.planPath !== undefined)
    return await applySaved(project, request, ports, request.planPath);
  let cancelled = false;
  let remote: RemoteOutcome | undefined;
  const outcome = await withOpenRun<Applied>(
    project,
    request,
    ports,
    'OperationTypeApply',
    async (run) => {
      const made = await planIn(run, request);
      const plan = made.result?.plan;
      if (plan === undefined || hasErrors(made.diagnostics)) {
        if (plan !== undefined && plan.changes.length + plan.outputs.length > 0)
          ports.showPlan(plan);
        return { diagnostics: made.diagnostics };
      }
      ports.showPlan(plan);
      if (ports.signal?.aborted === true) {
        return { diagnostics: [...made.diagnostics, plainError('execution halted')] };
      }
      let diagnostics = made.diagnostics;
      if (!request.autoApprove && plan.applyable && ports.approval !== undefined) {
        if (diagnostics.length > 0) ports.showDiagnostics(diagnostics);
        diagnostics = [];
        const answer = await ports.approval.input(
          approvalQuestion(plan, run.workspace),
          ports.signal,
        );
        if ('problem' in answer) {
          return { diagnostics: [plainError(`error asking for approval: ${answer.problem}`)] };
        }
        if (answer.text !== 'yes') {
          cancelled = true;
          return { diagnostics };
        }
      } else {
        // Check blocks are looked at again while applying; what they said of the plan would only confuse.
        diagnostics = diagnostics.filter((each) => checkOrigin(each)?.checkable !== 'check');
      }
      return leftBehind(plan, request, await follow({ ...run, plan }, project, ports, diagnostics));
    },
    {
      ...(request.mode === 'destroy' ? {} : { emptyAllowed: nothingToApply() }),
      remotely: async (place, loaded) => {
        remote = await applyElsewhere(project, request, ports, place, loaded);
        return { diagnostics: remote.diagnostics };
      },
    },
  );
  if (remote !== undefined) return { ...outcome, remote };
  return cancelled ? { ...outcome, cancelled } : outcome;
}

/** Has a server apply; a plan that it keeps, where that is given. */
async function applyElsewhere(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
  { runs: { server }, workspace }: RemotePlace,
  loaded: Pick<RemoteWork, 'configuration' | 'given'>,
  saved?: RemoteWork['saved'],
): Promise<RemoteOutcome> {
  const { runRemotely } = await import('./remote-runs/run-remotely.ts');
  const { autoApprove } = request;
  const work = { server, workspace, operation: 'apply', request, autoApprove, saved } as const;
  return await runRemotely(project, { ...work, ...loaded }, ports);
}

async function applySaved(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
  path: string,
): Promise<ApplyOutcome> {
  const { readBookmark } = await import('./remote-runs/plan-bookmark.ts');
  const bookmark = await readBookmark(project.host.files, path);
  if (bookmark !== undefined) return await applyKept(project, request, ports, bookmark);
  let remote: RemoteOutcome | undefined;
  const outcome = await withSavedPlan<Applied>(
    project,
    request,
    ports,
    path,
    async (saved) => {
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
      ports.showSavedPlan?.(plan);
      const variables = checkApplyVariables(project, request, plan);
      if (hasErrors(variables.diagnostics)) return { diagnostics: variables.diagnostics };
      const settings = { ...saved.settings, variables: variables.values };
      const following = { ...saved, settings, isSaved: true };
      const followed = await follow(following, project, ports, variables.diagnostics);
      return leftBehind(plan, request, followed);
    },
    async (place, configuration) => {
      const loaded = { configuration, given: new Map() };
      remote = await applyElsewhere(project, request, ports, place, loaded, 'local');
      return { diagnostics: remote.diagnostics };
    },
  );
  return remote === undefined ? outcome : { ...outcome, remote };
}

/** Applies a plan that a server keeps. */
async function applyKept(
  project: Project,
  request: ApplyRequest,
  ports: ApplyPorts,
  bookmark: PlanBookmark,
): Promise<ApplyOutcome> {
  let remote: RemoteOutcome | undefined;
  const outcome = await withOpenRun<Applied>(
    project,
    request,
    ports,
    'OperationTypeApply',
    () =>
      Promise.resolve({
        diagnostics: [
          plainError(
            'error: using a saved cloud plan when executing Terraform locally is not supported',
          ),
        ],
      }),
    {
      remotely: async (place, loaded) => {
        remote = await applyElsewhere(project, request, ports, place, loaded, bookmark);
        return { diagnostics: remote.diagnostics };
      },
    },
  );
  return remote === undefined ? outcome : { ...outcome, remote };
}

interface Following {
  readonly plan: Plan;
  readonly settings: RunSettings;
  readonly manager: StateManager;
  readonly base: StateFile | undefined;
  /** The plan was made by another run: whoever applies it may not have seen its warnings. */
  readonly isSaved?: boolean;
}

async function follow(
  following: Following,
  project: Project,
  ports: ApplyPorts,
  before: readonly Diagnostic[],
): Promise<Outcome<Applied>> {
  return await withSpan(project.host.traces, 'apply', {}, async (span) => {
    const outcome = await followUntold(following, project, ports, before);
    if (hasErrors(outcome.diagnostics)) span.fail();
    return outcome;
  });
}

async function followUntold(
  { plan, settings, manager, base, isSaved = false }: Following,
  project: Project,
  ports: ApplyPorts,
  before: readonly Diagnostic[],
): Promise<Outcome<Applied>> {
  const recorder = await manager.begin(base);
  const timing = await startTiming(project, plan, manager, ports);
  const progress = new Progress(project.host.clock, (event) => {
    timing?.recorder.event(event);
    settings.emit(event);
  });
  const telling = progress.run();
  let applied: Awaited<ReturnType<typeof applyPlan>>;
  let finished: Awaited<ReturnType<typeof recorder.finish>>;
  try {
    applied = await applyPlan({
      ...settings,
      emit: progress.emit,
      plan,
      recorder,
      warnsOfDeprecations: isSaved,
    });
  } finally {
    progress.stop();
    await telling;
    // Whatever happened, what was done is written down.
    finished = await recorder.finish();
    await timing?.recorder.save(project.host.files, timing.path);
  }
  const diagnostics = deprecationsOnce([...before, ...applied.diagnostics]);
  if (applied.stopped && !hasErrors(diagnostics)) diagnostics.push(plainError('execution halted'));
  diagnostics.push(...finished.diagnostics);
  const result = { counts: applied.counts, outputs: finished.file.state.outputs };
  return { result, diagnostics };
}

/** What came of a plan, with the failure that objects are left where all were to be destroyed. */
function leftBehind(
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

/** Tells that it begins; only where somebody watches are timings kept. */
async function startTiming(
  project: Project,
  plan: Plan,
  manager: StateManager,
  ports: ApplyPorts,
): Promise<{ readonly recorder: TimingsRecorder; readonly path: string } | undefined> {
  if (ports.showStart === undefined) return undefined;
  const path = timingsPath(manager.journalPath);
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
