import type {
  FinishedRecording,
  Interrupted,
  OverriddenRule,
  Plan,
  SnapshotName,
  StateCodec,
  StateDraft,
  StateEvent,
  StateFile,
  StateRecorder,
  WritableState,
} from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import type { Host, SideStorage } from '@terrane/host';
import type { ChosenProvider } from './provider-choice.ts';

/** Observes the operations that change the state of a project, for example to keep a history of them. */
export interface RunObserver {
  /** Called under the lock of the state, before the first change. Must not reject because of its own storage. */
  begin(run: ObservedRun): Promise<RunObservation>;
}

/** An operation that is about to change a state. */
export interface ObservedRun {
  readonly host: Host;
  /** name of the operation: `apply`, `destroy`, `refresh`, `import`, `state-rm`, … */
  readonly operation: string;
  readonly workspace: string;
  /** opens the storage of further data beside the state */
  readonly sideStorage: () => Promise<SideStorage>;
  /** encoding of the stored state, if it is encrypted */
  readonly codec: StateCodec | undefined;
  /** the state before the first change */
  readonly base: BaseState;
  /** the plan that is executed */
  readonly plan?: Plan;
  readonly providers?: readonly ChosenProvider[];
}

/** The state that an operation starts from. */
export type BaseState = Pick<WritableState, 'file' | 'name' | 'deadJournal' | 'interrupted'>;

/** An observed operation in progress. */
export interface RunObservation {
  /** Called under the lock, when the state is stored. Returns warnings. */
  end(end: ObservedEnd): Promise<readonly Diagnostic[]>;
}

/** The end of an observed operation. */
export interface ObservedEnd {
  /** the changes of the base state, in order; undefined if the operation replaced the state as a whole */
  readonly events?: readonly StateEvent[];
  readonly file: StateFile | undefined;
  /** name of the stored snapshot; undefined if the operation does not know it */
  readonly name?: SnapshotName;
  readonly interrupted: readonly Interrupted[];
  /** errors and warnings of the operation */
  readonly diagnostics: readonly Diagnostic[];
  /** failed rules, such as policies, that a user overrode */
  readonly overridden?: readonly OverriddenRule[];
  /** true if the user stopped the operation */
  readonly stopped: boolean;
}

/** A recorder that keeps its events for an observer, without those that do not change the state. */
export class ObservedRecorder implements StateRecorder {
  readonly #recorder: StateRecorder;
  readonly #events: StateEvent[] = [];

  constructor(recorder: StateRecorder) {
    this.#recorder = recorder;
  }

  get draft(): StateDraft {
    return this.#recorder.draft;
  }

  get events(): readonly StateEvent[] {
    return this.#events;
  }

  record(event: StateEvent, options?: { readonly sync?: boolean }): Promise<void> | void {
    const { kind } = event;
    // An intent holds the planned object, which would outlive its operation.
    if (kind !== 'intent' && kind !== 'invoke' && kind !== 'settled') this.#events.push(event);
    return this.#recorder.record(event, options);
  }

  finish(): Promise<FinishedRecording> {
    return this.#recorder.finish();
  }
}
