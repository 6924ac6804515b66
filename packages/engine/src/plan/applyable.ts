import type { PlannedChange } from '../objects/change.ts';
import type { OutputChange } from './model.ts';
import type { PlanRun } from './run.ts';

/** Returns true if applying the plan would change anything, including only the state. */
export function isApplyable(
  { choices, refreshed, invocations, leftData }: PlanRun,
  changes: readonly PlannedChange[],
  outputs: readonly OutputChange[],
): boolean {
  if (choices.mode === 'refresh-only') {
    return refreshed.size > 0 || invocations.length > 0 || outputs.some(changesState);
  }
  return (
    leftData.length > 0 ||
    changes.some(isWorthApplying) ||
    outputs.some((change) => change.action !== 'no-op')
  );
}

function isWorthApplying({ action, addr, previousAddr, importing }: PlannedChange): boolean {
  return action !== 'no-op' || previousAddr !== addr || importing !== undefined;
}

/** Returns true if applying changes the stored value of an output. An unknown value does not. */
function changesState({ action, after }: OutputChange): boolean {
  if (action !== 'update' && action !== 'create') return action !== 'no-op';
  return after.isWhollyKnown();
}
