import { StateDraft } from './draft.ts';
import type { StateEvent } from './event.ts';
import type { State, StateFile } from './model.ts';
import type { StateRecorder } from './recorder.ts';

/** Records changes of an in-memory state, such as those of tests. */
export class MemoryRecorder implements StateRecorder {
  readonly draft: StateDraft;

  constructor(state: State) {
    this.draft = new StateDraft(state);
  }

  record(event: StateEvent): void {
    this.draft.apply(event);
  }

  finish(): Promise<{ readonly file: StateFile; readonly diagnostics: readonly [] }> {
    const file = { state: this.draft.freeze(), lineage: '', serial: 0, terraformVersion: '' };
    return Promise.resolve({ file, diagnostics: [] });
  }
}
