import { decodeMsgpack, DYNAMIC, type Value } from '@terrane/cty';
import { EMPTY_STATE, type State, type StateEvent, type StateFile, stateOf } from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { History } from '../read/history.ts';
import { otherLineage } from '../read/run-lineage.ts';
import { stateDifference } from '../record/state-difference.ts';
import { isSameName } from '../record/states.ts';
import type { RecordedVariable, RunStart, RunSummary } from '../record/model.ts';

/** The run to undo, and the goal of the undo. */
export interface UndoTarget {
  readonly run: RunStart;
  /** false for a run that was interrupted and whose record is not complete yet */
  readonly isRecorded: boolean;
  /** the state before the run */
  readonly before: State;
  /** the configuration before the run; undefined if there was none: everything is destroyed */
  readonly goal: RecordedConfiguration | undefined;
  /** the last configuration that was applied, which has the providers of the present objects */
  readonly latest: RecordedConfiguration;
  /** the changes of the run and of later ones, in order */
  readonly events: readonly StateEvent[];
  /** runs after the run, with the addresses that they changed */
  readonly later: readonly LaterRun[];
  /** addresses of objects that the run or a later one took over without creating them */
  readonly imported: ReadonlySet<string>;
  /** addresses whose object the run or a later one removed from the state without destroying it */
  readonly forgotten: ReadonlySet<string>;
}

/** A configuration snapshot with the variables of its run. */
export interface RecordedConfiguration {
  readonly files: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, Value>;
  readonly ephemeralVariables: readonly string[];
}

/** A run after the one to undo. */
export interface LaterRun {
  readonly run: RunSummary;
  readonly addresses: ReadonlySet<string>;
}

const NO_OBJECTS = 'The present state has none of the objects of that run, so it cannot be undone.';
const CHANGING: ReadonlySet<string> = new Set(['apply', 'destroy', 'undo']);

/**
 * Determines the run to undo: the given one, or the last one that changed objects, which is the interrupted one if
 * there is one. `file` is the present state.
 */
export async function undoTarget(
  history: History,
  text: string | undefined,
  file: StateFile | undefined,
): Promise<UndoTarget | Diagnostic> {
  const { pending, runs } = history;
  const current = stateOf(file);
  const isPending = pending !== undefined && (text === undefined || pending.id === text);
  if (isPending) return await targetOf(history, pending, runs.length, current);
  const selectedRun = text === undefined ? runs.findLast(isChanging) : history.find(text);
  if (selectedRun === undefined) return nothingToUndo();
  if ('severity' in selectedRun) return selectedRun;
  if (!CHANGING.has(selectedRun.command) || selectedRun.mode === 'refresh-only')
    return onlyState(selectedRun);
  const foreign = otherLineage(selectedRun, file, NO_OBJECTS);
  if (foreign !== undefined) return foreign;
  const position = runs.findIndex(({ id }) => id === selectedRun.id);
  const { record } = await history.read(selectedRun);
  return await targetOf(history, record, position, current);
}

function isChanging({ command, mode, counts, open }: RunSummary): boolean {
  const { created, updated, deleted, other } = counts;
  const hasChanges = created + updated + deleted + other + open > 0;
  return CHANGING.has(command) && mode !== 'refresh-only' && hasChanges;
}

async function targetOf(
  history: History,
  run: RunStart,
  position: number,
  current: State,
): Promise<UndoTarget | Diagnostic> {
  const { runs, store } = history;
  const isRecorded = position < runs.length;
  const before = await stateBefore(history, run, position);
  if (before === undefined) return unknownBefore(run);
  const earlier = runs
    .slice(0, position)
    .findLast(({ configuration }) => configuration !== undefined);
  const last = isRecorded ? runs.findLast(({ configuration }) => configuration !== undefined) : run;
  const latest = last && (await recordedConfiguration(history, last));
  if (latest === undefined) return unknownConfiguration(run);
  const isEmptyBefore = before.instanceCount === 0 || earlier?.mode === 'destroy';
  const goal =
    isEmptyBefore || earlier === undefined
      ? undefined
      : await recordedConfiguration(history, earlier);
  if (goal === undefined && !isEmptyBefore) return unknownConfiguration(run);
  // The events of an interrupted run are not recorded yet.
  const events: StateEvent[] = isRecorded ? [] : [...stateDifference(before, current)];
  const later: LaterRun[] = [];
  const imported = new Set<string>(run.imported ?? []);
  const forgotten = new Set<string>(run.forgotten ?? []);
  for (const each of runs.slice(position)) {
    const stored = await store.readRun(each.id);
    if (stored === undefined) continue;
    events.push(...stored.events);
    for (const address of stored.record.imported ?? []) imported.add(address);
    for (const address of stored.record.forgotten ?? []) forgotten.add(address);
    const addresses = new Set(stored.events.flatMap(addressesOf));
    if (each.command === 'state-rm') for (const address of addresses) forgotten.add(address);
    if (each.command === 'import') for (const address of addresses) imported.add(address);
    if (each.id !== run.id) later.push({ run: each, addresses });
  }
  return { run, isRecorded, before, goal, latest, events, later, imported, forgotten };
}

async function stateBefore(
  history: History,
  run: RunStart,
  position: number,
): Promise<State | undefined> {
  const last = history.runs.at(-1);
  if (position < history.runs.length) {
    const before = await history.stateBefore(run);
    return before === undefined ? undefined : (before.file?.state ?? EMPTY_STATE);
  }
  if (run.base?.digest === undefined) return EMPTY_STATE;
  if (last === undefined || !isSameName(last.final, run.base)) return undefined;
  return (await history.stateAfter(last))?.state;
}

function addressesOf(event: StateEvent): readonly string[] {
  if (event.kind === 'move') return [event.from.text, event.to.text];
  return 'addr' in event ? [event.addr.text] : [];
}

/** Returns the configuration and variables of a run; undefined if they are not stored. */
async function recordedConfiguration(
  history: History,
  run: RunStart | RunSummary,
): Promise<RecordedConfiguration | undefined> {
  const { configuration } = run;
  if (configuration === undefined) return undefined;
  const stored = await history.store.readConfiguration(configuration);
  const record = 'writer' in run ? run : (await history.read(run)).record;
  if (stored === undefined) return undefined;
  return {
    files: stored.files,
    variables: decodedVariables(record.variables ?? []),
    ephemeralVariables: record.ephemeralVariables ?? [],
  };
}

function decodedVariables(variables: readonly RecordedVariable[]): ReadonlyMap<string, Value> {
  return new Map(
    variables.map(({ name, value }) => [
      name,
      decodeMsgpack(Buffer.from(value, 'base64'), DYNAMIC),
    ]),
  );
}

function nothingToUndo(): Diagnostic {
  return errorDiagnostic(
    'Nothing to undo',
    `The history has no run that changed objects. To list the runs:\n    ${programCommand('history')}`,
  );
}

function onlyState({ id, command }: RunSummary): Diagnostic {
  return errorDiagnostic(
    'Run changed no objects',
    `Run ${id} (${command}) changed the state only, so there is nothing to plan. To go back to the state before it:\n    ${programCommand(`state restore -before ${id}`)}`,
  );
}

function unknownBefore({ id }: RunStart): Diagnostic {
  return errorDiagnostic(
    'Unknown state before the run',
    `The state before run ${id} cannot be reconstructed from the history, so the goal of the undo is unknown. Check out the configuration of that time, and run a plan.`,
  );
}

function unknownConfiguration({ id }: RunStart): Diagnostic {
  return errorDiagnostic(
    'Unknown configuration before the run',
    `The history has no configuration from before run ${id}: the objects that existed then were made before the history began. Check out the configuration of that time, and plan with it.`,
  );
}
