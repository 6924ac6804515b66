import { EMPTY_STATE, sameState, type StateEvent, type StateFile, stateOf } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import {
  editState,
  type Outcome,
  type Project,
  type RunPorts,
  type StateOptions,
} from '@terrane/ops';
import { type History, openHistory, unreadable } from '../read/history.ts';
import { otherLineage } from '../read/run-lineage.ts';
import type { RunSummary } from '../record/model.ts';
import { type LaterRun, type RestoreConsequences, restoreConsequences } from './consequences.ts';

const FORCE =
  'To replace the state anyway, use -force; objects of the present state become orphans.';

/** Selects the state to restore: the one after a run, or the one before it. */
export interface RestoreRequest {
  readonly run: string;
  /** selects the state before the run */
  readonly before: boolean;
  /** permits a run that belongs to a state of another lineage */
  readonly force?: boolean;
}

/** Ports of a restore. */
export interface RestorePorts extends Pick<RunPorts, 'waiting' | 'signal'> {
  /** Called while the state is locked; the state is replaced only after `true`. */
  readonly approve: (run: RunSummary, consequences: RestoreConsequences) => Promise<boolean>;
}

/** The result of a restore. */
export interface Restored {
  readonly run: RunSummary;
  readonly consequences: RestoreConsequences;
  /** false if the restore was not approved or the state is the current one */
  readonly restored: boolean;
  readonly isSame: boolean;
}

/** Replaces the current state with the one after or before an earlier run, with a new serial. Changes no objects. */
export async function restoreState(
  project: Project,
  request: RestoreRequest,
  options: StateOptions,
  ports: RestorePorts,
): Promise<Outcome<Restored>> {
  const { result, diagnostics } = await openHistory(project, options);
  if (result === undefined) return { diagnostics };
  const { history } = result;
  const run = history.find(request.run);
  if ('severity' in run) return { diagnostics: [run] };
  let selected: { readonly file: ReturnType<typeof stateOf> } | undefined;
  let later: readonly LaterRun[] = [];
  try {
    const stored = request.before
      ? await history.stateBefore(run)
      : { file: await history.stateAfter(run) };
    const isKnown = stored !== undefined && (request.before || stored.file !== undefined);
    selected = isKnown ? { file: stored.file?.state ?? EMPTY_STATE } : undefined;
    later = await laterRuns(history, run, request.before);
  } catch (error) {
    return { diagnostics: [unreadable(error)] };
  }
  if (selected === undefined) return { diagnostics: [unknownState(run)] };
  const target = selected.file;
  const outcome: Outcome<Restored> = await editState<Restored>(project, options, ports, {
    operation: 'state-restore',
    backup: 'timestamped',
    async make(file) {
      const foreign = request.force === true ? undefined : otherLineage(run, file, FORCE);
      if (foreign !== undefined) return { diagnostics: [foreign] };
      const current = stateOf(file);
      const consequences = restoreConsequences(current, target, history.index.schemas, {
        later,
        isChangedElsewhere: isChangedElsewhere(history, file),
      });
      const isSame = sameState(current, target);
      const restored = !isSame && (await ports.approve(run, consequences));
      return {
        result: { run, consequences, restored, isSame },
        ...(restored ? { next: target } : {}),
        diagnostics: [],
      };
    },
  });
  return hasErrors(outcome.diagnostics) ? { diagnostics: outcome.diagnostics } : outcome;
}

/** Returns the runs after the restored state that changed managed objects. */
async function laterRuns(
  history: History,
  { id }: RunSummary,
  before: boolean,
): Promise<readonly LaterRun[]> {
  const position = history.runs.findIndex((run) => run.id === id);
  const later: LaterRun[] = [];
  for (const run of history.runs.slice(before ? position : position + 1)) {
    const stored = await history.store.readRun(run.id);
    // A record that is missing says at least which addresses the list of runs has.
    const addresses = stored?.events.flatMap(changedAddresses) ?? run.addresses ?? [];
    const objects = [...new Set(addresses)].sort();
    if (objects.length > 0) later.push({ run, objects });
  }
  return later;
}

function changedAddresses(event: StateEvent): readonly string[] {
  switch (event.kind) {
    case 'move':
      return [event.from.text, event.to.text];
    case 'put':
    case 'drop':
    case 'depose':
    case 'restore':
      return event.addr.resource.resource.mode === 'managed' ? [event.addr.text] : [];
    default:
      return [];
  }
}

/** Returns true if the state is not the one that the last recorded run stored. */
function isChangedElsewhere({ runs }: History, file: StateFile | undefined): boolean {
  const final = runs.at(-1)?.final;
  return final?.lineage !== file?.lineage || final?.serial !== file?.serial;
}

function unknownState({ id }: RunSummary): Diagnostic {
  return errorDiagnostic(
    'Unknown state',
    `The state of run ${id} cannot be reconstructed from the history: it could not be stored at that time, or records before it are missing. Choose another run.`,
  );
}
