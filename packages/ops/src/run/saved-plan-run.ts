import type { PlanFile, StateFile, WritableState } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { backendOfPlan } from '../backend/current-backend.ts';
import { withLockedState, type Failure, type Outcome } from '../locked-state.ts';
import { openState, type OpenedState } from '../opened-state.ts';
import type { Project } from '../project.ts';
import { resolveRemotePlace, type RemotePlace } from '../remote-version.ts';
import type { RunPorts } from '../run-ports.ts';
import { overrideWarnings } from '../providers-elsewhere.ts';
import { openCreates, readPlanToApply, type SavedPlan } from '../saved-plan.ts';
import { operationProperties } from './operation.ts';
import { effectiveParallelism, type RunRequest } from './run-request.ts';
import { type OperationSettings, runSettings } from './run-settings.ts';

/** First stage of applying a saved plan: the plan and its configuration are read. */
export interface LoadedSavedPlan {
  readonly project: Project;
  readonly request: RunRequest;
  /** effective limit of concurrent provider operations */
  readonly parallelism: number;
  /** the caller closes its providers */
  readonly saved: SavedPlan;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Second stage: the state of the plan is opened. If a server executes the runs of the workspace, it rejects the plan.
 */
export type PlacedSavedPlan =
  | (LoadedSavedPlan & { readonly kind: 'local'; readonly opened: OpenedState })
  | (LoadedSavedPlan & { readonly kind: 'remote'; readonly place: RemotePlace });

/** Last stage: the state is locked, and unchanged since the plan was created. */
export interface ReadySavedPlan extends LoadedSavedPlan {
  readonly settings: OperationSettings;
  readonly opened: OpenedState;
  readonly storedState: WritableState;
}

/** Reads a saved plan. */
export async function loadSavedPlan(
  project: Project,
  request: RunRequest,
  path: string,
): Promise<Outcome<LoadedSavedPlan>> {
  const parallelism = effectiveParallelism(request);
  if (typeof parallelism !== 'number') return { diagnostics: [parallelism] };
  const { result: saved, diagnostics } = await readPlanToApply(project, path);
  if (saved === undefined) return { diagnostics };
  if (hasErrors(diagnostics)) {
    await saved.providers.close();
    return { diagnostics };
  }
  return {
    result: { project, request, parallelism, saved, warnings: diagnostics },
    diagnostics: [],
  };
}

/** Opens the state that a saved plan was created for, and checks that its workspace is selected. */
export async function placeSavedPlan(loaded: LoadedSavedPlan): Promise<Outcome<PlacedSavedPlan>> {
  const { project, request, saved } = loaded;
  const { configuration, file } = saved;
  const { backend: type, backendConfig: config } = file.origin;
  const overrides = {
    encryption: saved.encryption,
    // The plan changes its own state even if another backend is configured now.
    ...(config === undefined ? {} : { backend: await backendOfPlan(project, type, config) }),
  };
  const { result: opened, diagnostics } = await openState(
    project,
    configuration,
    request.state,
    overrides,
  );
  if (opened === undefined) return { diagnostics };
  const { workspace, encryption } = opened;
  const keys = (await encryption?.prepare('state')) ?? [];
  if (hasErrors(keys)) return { diagnostics: keys };
  if (workspace !== file.origin.workspace) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Saved plan is for another workspace',
          `The given plan file was made in workspace ${JSON.stringify(file.origin.workspace)}, but workspace ${JSON.stringify(workspace)} is selected now. Select the workspace of the plan, or make a new plan.`,
        ),
      ],
    };
  }
  const remote = await resolveRemotePlace(opened);
  if (hasErrors(remote.diagnostics)) return { diagnostics: remote.diagnostics };
  return {
    result:
      remote.result === undefined
        ? { ...loaded, kind: 'local', opened }
        : { ...loaded, kind: 'remote', place: remote.result },
    diagnostics: [],
  };
}

/** Locks the state, checks that the plan is not stale, executes `work` and releases the lock. */
export async function withReadySavedPlan<O extends Failure>(
  placed: Extract<PlacedSavedPlan, { readonly kind: 'local' }>,
  ports: RunPorts,
  work: (ready: ReadySavedPlan) => Promise<O>,
): Promise<O | Failure> {
  const { project, request, saved, opened, parallelism } = placed;
  const { manager, workspace } = opened;
  const { lockName } = operationProperties({ kind: 'apply', mode: saved.plan.mode });
  const overridden = overrideWarnings(project);
  if (overridden.length > 0) ports.early?.(overridden);
  const warnings = [...(ports.early === undefined ? overridden : []), ...placed.warnings];
  const lockPorts = { ...ports, clock: project.host.clock };
  return await withLockedState(
    manager,
    { ...request.state, snapshot: false },
    lockName,
    lockPorts,
    async (storedState): Promise<O | Failure> => {
      const stale = staleness(saved.file, storedState.file, openCreates(storedState));
      if (stale !== undefined) return { diagnostics: [stale] };
      const settings = runSettings(
        project,
        saved.configuration,
        saved.providers,
        workspace,
        parallelism,
        { ...ports, lock: storedState.guard },
        // The apply adds variables, because ephemeral values are not part of the plan.
        new Map(),
      );
      // The configuration was validated for the plan; files that it reads may have been removed since.
      const outcome = await work({ ...placed, settings, storedState });
      return { ...outcome, diagnostics: [...warnings, ...outcome.diagnostics] };
    },
  );
}

function staleness(
  file: PlanFile,
  base: StateFile | undefined,
  open: readonly string[],
): Diagnostic | undefined {
  const { lineage, serial, interrupted = [] } = file.origin;
  const isFirst = lineage === '' && serial === 0;
  if (!isFirst && lineage !== (base?.lineage ?? '')) {
    return errorDiagnostic(
      'Saved plan does not match the given state',
      'The given plan file can not be applied because it was created from a different state lineage.',
    );
  }
  // A run that was interrupted during a creation may have left the stored state unchanged.
  const isKnown = open.every((address) => interrupted.includes(address));
  return serial === (base?.serial ?? 0) && isKnown
    ? undefined
    : errorDiagnostic(
        'Saved plan is stale',
        'The given plan file can no longer be applied because the state was changed by another operation after the plan was created.',
      );
}
