import { TERRAFORM_VERSION } from '../lang/version.ts';
import { sameState } from './equal.ts';
import type { StateFile } from './model.ts';
import { EMPTY_STATE } from './snapshot.ts';
import { writeStateFile } from './statefile-write.ts';

/** Returns the successor of a state file: the serial is incremented if anything differs. */
export function nextStateFile(
  base: StateFile | undefined,
  state: StateFile['state'],
  newLineage: () => string,
): StateFile {
  const changed = base === undefined || !sameState(base.state, state);
  return {
    state,
    lineage: base?.lineage ?? newLineage(),
    serial: (base?.serial ?? 0) + (changed ? 1 : 0),
    terraformVersion: TERRAFORM_VERSION,
  };
}

/** Returns the state of a file; the empty state for undefined. */
export function stateOf(file: StateFile | undefined): StateFile['state'] {
  return file?.state ?? EMPTY_STATE;
}

/** A state in a statefile as text, for `state pull`. */
export function stateFileText(file: StateFile): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const chunk of writeStateFile(file)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
