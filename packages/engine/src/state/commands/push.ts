import { quoteText } from '@terrane/cty';
import { sameState } from '../equal.ts';
import type { StateFile } from '../model.ts';

/**
 * Why a state must not overwrite another one, in Terraform's words; `undefined` when it may: the other
 * is empty, older, of no known lineage, or the same.
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
