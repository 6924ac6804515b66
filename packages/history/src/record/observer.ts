import {
  type Interrupted,
  type SnapshotName,
  type StateEvent,
  type StateFile,
  stateOf,
  type State,
} from '@terrane/engine';
import type { InstanceAddr } from '@terrane/addresses';
import { hasErrors, type Diagnostic, warningDiagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import type { ObservedEnd, ObservedRun, RunObservation, RunObserver } from '@terrane/ops';
import { addressFilter } from './address-filter.ts';
import { Blobs } from './blobs.ts';
import { changedObjects } from './changed-objects.ts';
import { type HistoryIndex, HistoryStore } from './history-store.ts';
import type { OpenOperation, RunRecord, RunStart, RunSummary } from './model.ts';
import { retainedRuns } from './retention.ts';
import { runFacts, type RunFacts, schemasOf } from './run-facts.ts';
import { actorOf, type HistorySettings, historySettings } from './settings.ts';
import { objectActions } from '../read/object-action.ts';
import { stateDifference } from './state-difference.ts';
import { isSameName, stateAfter } from './states.ts';

/** Options of the observer that records runs. */
export interface HistoryOptions {
  /** the identity of the runs, such as `agent:NAME`; default: `TERRANE_ACTOR`, or user and host */
  readonly actor?: string;
}

/** Number of runs after which the state before a run is stored as a whole. */
const KEYFRAME_INTERVAL = 50;
/** Number of addresses up to which the list of runs contains them. */
const MAX_LISTED = 16;

/** Returns an observer that records the runs of a project in the history beside its state. */
export function historyObserver(options: HistoryOptions = {}): RunObserver {
  return {
    async begin(run) {
      const { environment } = run.host;
      const settings = historySettings(environment);
      if ('error' in settings) return onlyWarning(settings.error);
      if (!settings.enabled) return { end: () => Promise.resolve([]) };
      try {
        return await RecordedRun.begin(run, settings, actorOf(environment, options.actor));
      } catch (error) {
        return onlyWarning(userErrorText(error));
      }
    },
  };
}

function onlyWarning(reason: string): RunObservation {
  return { end: () => Promise.resolve([notRecorded(reason)]) };
}

function notRecorded(reason: string): Diagnostic {
  const sentence = reason.endsWith('.') ? reason : `${reason}.`;
  return warningDiagnostic(
    'Run is not in the history',
    `The record of this run could not be stored: ${sentence} The state is not affected.`,
  );
}

/** A run in progress: it is announced in the store, and recorded when it ends. */
class RecordedRun implements RunObservation {
  readonly #run: ObservedRun;
  readonly #settings: HistorySettings;
  readonly #store: HistoryStore;
  readonly #facts: RunFacts;
  #index: HistoryIndex;

  private constructor(
    run: ObservedRun,
    settings: HistorySettings,
    store: HistoryStore,
    index: HistoryIndex,
    facts: RunFacts,
  ) {
    this.#run = run;
    this.#settings = settings;
    this.#store = store;
    this.#index = index;
    this.#facts = facts;
  }

  static async begin(
    run: ObservedRun,
    settings: HistorySettings,
    who: string,
  ): Promise<RecordedRun> {
    const store = new HistoryStore(new Blobs(await run.sideStorage(), run.codec));
    let index = await store.readIndex();
    const pending = await store.readPending();
    const isOver = pending === undefined || !isRunning(pending, run);
    if (pending !== undefined && isOver && index.runs.at(-1)?.id !== pending.id)
      index = await addInterrupted(store, index, pending, run);
    const facts = runFacts(run, who, index.runs.at(-1)?.id);
    const { configuration } = facts;
    if (configuration !== undefined && !isReferenced(index, configuration.digest))
      await store.writeConfiguration(configuration);
    if (isOver) await store.writePending(facts.start);
    return new RecordedRun(run, settings, store, index, facts);
  }

  async end(end: ObservedEnd): Promise<readonly Diagnostic[]> {
    try {
      await this.#end(end);
      return [];
    } catch (error) {
      return [notRecorded(userErrorText(error))];
    }
  }

  async #end({
    events,
    file,
    name,
    interrupted,
    diagnostics,
    stopped,
    overridden = [],
  }: ObservedEnd): Promise<void> {
    const { base, plan, host } = this.#run;
    const baseState = stateOf(base.file);
    const { changes, adopted } =
      events !== undefined
        ? flattened(events)
        : {
            changes: hasErrors(diagnostics) ? [] : stateDifference(baseState, stateOf(file)),
            adopted: 0,
          };
    const failed = hasErrors(diagnostics);
    const record = recordOf(this.#facts.start, baseState, changes, {
      ended: host.clock.now().toISOString(),
      outcome: stopped ? 'stopped' : failed ? 'failed' : 'succeeded',
      final: finalName(file, name, failed),
      keyframe: this.#needsKeyframe(),
      interrupted,
      diagnostics,
      ...(adopted === 0 ? {} : { adopted }),
      ...(overridden.length === 0 ? {} : { overridden }),
    });
    const { keyframe } = record;
    if (keyframe && base.file !== undefined) await this.#store.writeState(record.id, base.file);
    await this.#store.writeRun({ record, events: changes });
    const schemas = { ...this.#index.schemas, ...schemasOf(changes, plan) };
    const runs = [...this.#index.runs, summaryOf(record)];
    this.#index = { runs, schemas };
    const trimmed = await retainedRuns(this.#store, this.#index, this.#settings, host.clock);
    await this.#store.writeIndex(trimmed.index);
    await trimmed.removeRest();
    await this.#store.removePending();
  }

  /** Returns true if the state before this run does not follow from the recorded runs. */
  #needsKeyframe(): boolean {
    const { runs } = this.#index;
    const { base } = this.#run;
    const previous = runs.at(-1);
    if ((base.deadJournal?.changes.length ?? 0) > 0) return true;
    if (!isSameName(previous?.final, base.name)) return true;
    return !runs.slice(-KEYFRAME_INTERVAL).some(({ keyframe }) => keyframe);
  }
}

function isReferenced({ runs }: HistoryIndex, digest: string): boolean {
  return runs.some(({ configuration }) => configuration === digest);
}

/** Returns true if the process of a run that has not ended is running, as far as this machine can determine. */
function isRunning({ writer }: RunStart, { host: { environment } }: ObservedRun): boolean {
  if (writer.host !== environment.hostName || writer.pid === environment.pid) return false;
  const identity = environment.processIdentity(writer.pid);
  return identity !== undefined && identity === writer.identity;
}

/** Completes the record of a run that was interrupted, by comparing the states before and after it. */
async function addInterrupted(
  store: HistoryStore,
  index: HistoryIndex,
  start: RunStart,
  { base, host }: ObservedRun,
): Promise<HistoryIndex> {
  const last = index.runs.at(-1);
  const isContinuous = isSameName(last?.final, start.base);
  const before = isContinuous ? await stateAfter(store, index, last?.id) : undefined;
  const isKnown = before !== undefined || start.base?.digest === undefined;
  const baseState = stateOf(before);
  const changes = isKnown ? stateDifference(baseState, stateOf(base.file)) : [];
  const hasJournal = (base.deadJournal?.changes.length ?? 0) > 0;
  const record = recordOf(start, baseState, changes, {
    ended: host.clock.now().toISOString(),
    outcome: 'interrupted',
    final: hasJournal ? undefined : base.name,
    keyframe: !isContinuous || last === undefined,
    interrupted: base.interrupted,
    diagnostics: [],
  });
  if (record.keyframe && before !== undefined) await store.writeState(record.id, before);
  await store.writeRun({ record, events: changes });
  const next = { ...index, runs: [...index.runs, summaryOf(record)] };
  await store.writeIndex(next);
  return next;
}

interface RecordEnd {
  readonly ended: string;
  readonly outcome: RunRecord['outcome'];
  readonly final: SnapshotName | undefined;
  readonly keyframe: boolean;
  readonly interrupted: readonly Interrupted[];
  readonly diagnostics: readonly Diagnostic[];
  readonly adopted?: number;
  readonly overridden?: NonNullable<RunRecord['overridden']>;
}

function recordOf(
  start: RunStart,
  base: State,
  changes: readonly StateEvent[],
  { interrupted, diagnostics, final, ...end }: RecordEnd,
): RunRecord {
  const actionAt = objectActions({ ...start, ...end });
  const { counts, addresses } = changedObjects(base, changes, actionAt, end.adopted ?? 0);
  return {
    ...start,
    ...end,
    counts,
    open: interrupted.length,
    ...(final === undefined ? {} : { final }),
    ...addressSummary(addresses),
    openOperations: interrupted.map(openOperation),
    errors: diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ summary, address }) => ({
        summary,
        ...(address === undefined ? {} : { address }),
      })),
  };
}

/** Returns the addresses for the list of runs, or a filter if they are many. */
function addressSummary(
  addresses: ReadonlySet<InstanceAddr>,
): Pick<RunSummary, 'addresses'> | Pick<RunSummary, 'addressFilter'> {
  if (addresses.size <= MAX_LISTED)
    return { addresses: Array.from(addresses, ({ text }) => text).sort() };
  const filter = addressFilter(addresses);
  return filter === undefined ? {} : { addressFilter: filter };
}

function summaryOf(record: RunRecord): RunSummary {
  const { id, started, ended, who, command, mode, reverts, plan, configuration, base, final } =
    record;
  const { outcome, counts, open, keyframe, addresses, addressFilter: filter } = record;
  return {
    id,
    started,
    ended,
    who,
    command,
    outcome,
    counts,
    open,
    keyframe,
    ...(mode === undefined ? {} : { mode }),
    ...(reverts === undefined ? {} : { reverts }),
    ...(plan === undefined ? {} : { plan }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(base === undefined ? {} : { base }),
    ...(final === undefined ? {} : { final }),
    ...(addresses === undefined ? {} : { addresses }),
    ...(filter === undefined ? {} : { addressFilter: filter }),
  };
}

/** The name of the final snapshot; undefined if it does not contain the recorded changes. */
function finalName(
  file: StateFile | undefined,
  name: SnapshotName | undefined,
  failed: boolean,
): SnapshotName | undefined {
  if (file === undefined) return undefined;
  if (name !== undefined) return name.serial === file.serial ? name : undefined;
  // An edit reports no digest; its serial identifies the new state.
  return failed ? undefined : { lineage: file.lineage, serial: file.serial, digest: undefined };
}

function openOperation(open: Interrupted): OpenOperation {
  if (open.kind === 'invoke') return { action: 'invoke', address: open.invocation };
  const { action, addr, deposed, at } = open;
  return {
    action,
    address: addr.text,
    ...(deposed === undefined ? {} : { deposed }),
    ...(at === undefined ? {} : { since: at }),
  };
}

/**
 * Returns the members of batches in place of the batches, without intents, and the number of those that the run adopted
 * from its plan before its first change, which are a batch.
 */
function flattened(events: readonly StateEvent[]): {
  readonly changes: readonly StateEvent[];
  readonly adopted: number;
} {
  const changes: StateEvent[] = [];
  let adopted = 0;
  const add = (event: StateEvent): void => {
    if (event.kind === 'batch') {
      event.events.forEach(add);
      adopted = changes.length;
    } else if (event.kind !== 'intent' && event.kind !== 'invoke' && event.kind !== 'settled') {
      changes.push(event);
    }
  };
  events.forEach(add);
  return { changes, adopted };
}
