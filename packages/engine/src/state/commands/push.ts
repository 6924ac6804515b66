import { quoteText } from '@terrane/cty';
import { sameState } from '../equal.ts';
import type { StateFile } from '../model.ts';

/**
 * Returns the reason why a state must not overwrite another one, worded as Terraform's; undefined if it may, because
 * the other is empty, older, of unknown lineage, or identical.
 */
export function checkPush(pushed: StateFile, existing: StateFile | undefined): string | undefined {
  if (existing === undefined || existing.state.isEmpty) return undefined;
  if (pushed.lineage === '' || existing.lineage === '') return undefined;
  if (pushed.lineage !== existing.lineage) {
    return `cannot import state with lineage ${quoteText(pushed.lineage)} over unrelated state with lineage ${quoteText(existing.lineage)}`;
  }
  if (pushed.serial > existing.serial) return undefined;
  if (pushed.serial < existing.serial) {
    return `cannot import state with serial ${pushed.serial} over newer state with serial ${existing.serial}`;
  }
  return sameState(pushed.state, existing.state)
    ? undefined
    : `cannot overwrite existing state with serial ${pushed.serial} with a different state that has the same serial`;
}

/**
 * Returns the statefile that a push stores; undefined if a remote backend has the same state already. As in
 * Terraform, the serial is one higher than that of the pushed state: in a local file if the content changes, in a
 * remote backend if any state is replaced.
 */
export function pushedFile(
  pushed: StateFile,
  existing: StateFile | undefined,
  { isLocal, newLineage }: { readonly isLocal: boolean; readonly newLineage: () => string },
): StateFile | undefined {
  const next = { ...pushed, serial: pushed.serial + 1 };
  if (existing === undefined) {
    return isLocal || pushed.lineage !== '' ? pushed : { ...next, lineage: newLineage() };
  }
  if (isLocal) return sameState(pushed.state, existing.state) ? pushed : next;
  const isSame =
    pushed.lineage !== '' &&
    pushed.lineage === existing.lineage &&
    pushed.serial === existing.serial &&
    sameState(pushed.state, existing.state);
  return isSame ? undefined : next;
}
