import { stateOf, type State, type StateFile } from '@terrane/engine';
import { hasErrors, type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import {
  type OpenedState,
  openProjectState,
  type Outcome,
  type Project,
  sideStorageOf,
  type StateOptions,
} from '@terrane/ops';
import { type Blame, blame } from './blame.ts';
import { Blobs } from '../record/blobs.ts';
import { type HistoryIndex, HistoryStore, type StoredRun } from '../record/history-store.ts';
import type { RunRecord, RunStart, RunSummary } from '../record/model.ts';
import { objectActions } from './object-action.ts';
import { describeChanges, type StateChanges } from './object-changes.ts';
import { stateAfter, stateBefore } from '../record/states.ts';
import { stateDifference } from '../record/state-difference.ts';
import { type ServerRuns, serverRunsOf } from './server-runs.ts';

/** A run with its changes, with sensitive values omitted. */
export interface ShownRun {
  readonly record: RunRecord;
  /** undefined if the state before the run cannot be reconstructed */
  readonly changes: StateChanges | undefined;
}

/** The difference between the states after two runs. */
export interface RunDifference {
  readonly from: RunSummary;
  readonly to: RunSummary;
  readonly changes: StateChanges;
}

/** The history of a state, for reading. */
export class History {
  readonly store: HistoryStore;
  readonly index: HistoryIndex;
  /** a run that has not ended: it is in progress, or it was interrupted and no run has followed */
  readonly pending: RunStart | undefined;
  readonly #currentState: () => Promise<State | undefined>;

  constructor(
    store: HistoryStore,
    index: HistoryIndex,
    pending: RunStart | undefined,
    currentState: () => Promise<State | undefined>,
  ) {
    this.store = store;
    this.index = index;
    this.pending = pending;
    this.#currentState = currentState;
  }

  /** All runs, oldest first. */
  get runs(): readonly RunSummary[] {
    return this.index.runs;
  }

  /**
   * Finds a run by its ID, or by a prefix or suffix of it; `last` selects the last run. Returns an error if no run or
   * several runs match.
   */
  find(text: string): RunSummary | Diagnostic {
    const last = this.runs.at(-1);
    if (text === 'last' && last !== undefined) return last;
    const exact = this.runs.find(({ id }) => id === text);
    if (exact !== undefined) return exact;
    const matches =
      text.length < MIN_ABBREVIATION
        ? []
        : this.runs.filter(({ id }) => id.startsWith(text) || id.endsWith(text));
    const [match, another] = matches;
    if (match !== undefined && another === undefined) return match;
    const problem =
      match === undefined
        ? `The history has no run ${JSON.stringify(text)}.`
        : `Several runs match ${JSON.stringify(text)}: ${matches
            .slice(0, 5)
            .map(({ id }) => id)
            .join(', ')}.`;
    return errorDiagnostic(
      'Unknown run',
      `${problem} To list the runs:\n    ${programCommand('history')}`,
    );
  }

  /** Reads a run with its events. */
  async read({ id }: Pick<RunSummary, 'id'>): Promise<StoredRun> {
    const run = await this.store.readRun(id);
    if (run === undefined) throw new Error(`the record of run ${id} is missing in the history`);
    return run;
  }

  /** Reads a run with its changes. */
  async show({ id }: Pick<RunSummary, 'id'>): Promise<ShownRun> {
    const { record, events } = await this.read({ id });
    const before = await stateBefore(this.store, this.index, id);
    const changes =
      before === undefined
        ? undefined
        : describeChanges(stateOf(before.file), events, this.index.schemas, objectActions(record));
    return { record, changes };
  }

  /** Compares the states after two runs; undefined if one of them cannot be reconstructed. */
  async difference(from: RunSummary, to: RunSummary): Promise<RunDifference | undefined> {
    const [before, after] = [await this.stateAfter(from), await this.stateAfter(to)];
    if (before === undefined || after === undefined) return undefined;
    return { from, to, changes: this.changes(before.state, after.state) };
  }

  /** Describes the difference between two states. */
  changes(before: State, after: State): StateChanges {
    return describeChanges(before, stateDifference(before, after), this.index.schemas);
  }

  /** Reconstructs the state after a run; undefined if it is not known. */
  async stateAfter({ id }: Pick<RunSummary, 'id'>): Promise<StateFile | undefined> {
    return await stateAfter(this.store, this.index, id);
  }

  /** Reconstructs the state before a run; undefined if it is not known. */
  async stateBefore({
    id,
  }: Pick<RunSummary, 'id'>): Promise<{ readonly file: StateFile | undefined } | undefined> {
    return await stateBefore(this.store, this.index, id);
  }

  /** Returns for each attribute of the objects at an address the run that changed it last. */
  async blame(address: string): Promise<Blame> {
    return await blame(this.store, this.index, address, await this.#currentState());
  }
}

const MIN_ABBREVIATION = 4;

/** A history with the state that it belongs to. */
export interface OpenedHistory {
  readonly history: History;
  readonly opened: OpenedState;
  /** the runs that a server executes for the workspace; undefined if runs are executed here */
  readonly serverRuns: ServerRuns | undefined;
}

/** Opens the history of the selected workspace, without a lock. */
export async function openHistory(
  project: Project,
  options?: StateOptions,
): Promise<Outcome<OpenedHistory>> {
  const { result: opened, diagnostics } = await openProjectState(project, options);
  if (opened === undefined || hasErrors(diagnostics)) return { diagnostics };
  try {
    const serverRuns = await serverRunsOf(opened);
    return { result: { history: await historyOf(opened), opened, serverRuns }, diagnostics };
  } catch (error) {
    return { diagnostics: [unreadable(error)] };
  }
}

/** Reads the history of an opened state. */
export async function historyOf(opened: OpenedState): Promise<History> {
  const side = await sideStorageOf(opened);
  const store = new HistoryStore(new Blobs(side, opened.project.stateCodec));
  const index = await store.readIndex();
  const pending = await store.readPending();
  const isRecorded = index.runs.some(({ id }) => id === pending?.id);
  return new History(store, index, isRecorded ? undefined : pending, async () => {
    const { file } = await opened.manager.read();
    return file?.state;
  });
}

/** Returns the error for a history that cannot be read. */
export function unreadable(error: unknown): Diagnostic {
  return errorDiagnostic('Unreadable history', userErrorText(error));
}
