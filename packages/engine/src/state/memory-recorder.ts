import { StateDraft } from './draft.ts';
import type { StateEvent } from './event.ts';
import type { State } from './model.ts';
import type { FinishedRecording, StateRecorder } from './recorder.ts';

/** Records changes of an in-memory state, such as those of tests. */
export class MemoryRecorder implements StateRecorder {
  readonly draft: StateDraft;

  constructor(state: State) {
    this.draft = new StateDraft(state);
  }

  record(event: StateEvent): void {
    this.draft.apply(event);
  }

  finish(): Promise<FinishedRecording> {
    const file = { state: this.draft.freeze(), lineage: '', serial: 0, terraformVersion: '' };
    const name = { lineage: '', serial: 0, digest: undefined };
    return Promise.resolve({ file, name, interrupted: [], diagnostics: [] });
  }
}
