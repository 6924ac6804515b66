import { TERRAFORM_VERSION } from '../lang/version.ts';
import { sameState } from './equal.ts';
import type { StateFile } from './model.ts';
import { EMPTY_STATE } from './snapshot.ts';
import { writeStateFile } from './statefile-write.ts';

/** The successor of a state in its file: the serial is one higher if anything differs. */
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

/** The state of a file, or nothing of no file. */
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
