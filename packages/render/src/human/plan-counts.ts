import type { Action, PlannedChange } from '@terrane/engine';
import { colorize, type TextStyle } from '../text/style.ts';
import { hasMoved } from './change-heading.ts';
import type { ShownPlan } from './shown-plan.ts';

/** Returns the line with the counts of a plan's actions, with its line break. */
export function countsText(plan: ShownPlan, { color, countsForgotten }: TextStyle): string {
  const shownChanges = plan.changes.filter(isShown);
  const counts = countActions(shownChanges);
  const count = (action: Action): number => counts.get(action) ?? 0;
  const replaced = count('delete-then-create') + count('create-then-delete');
  const added =
    count('create') + replaced + count('create-then-forget') + count('forget-then-create');
  const removed = count('delete') + replaced;
  const imports = shownChanges.filter(({ importing }) => importing !== undefined).length;
  const imported = imports > 0 ? ` ${imports} to import,` : '';
  const forgetCount =
    countsForgotten === true
      ? count('forget') + count('create-then-forget') + count('forget-then-create')
      : 0;
  const forget = forgetCount > 0 ? `, ${forgetCount} to forget` : '';
  const { length } = plan.invocations;
  const actions = length === 0 ? '' : ` Actions: ${length} to invoke.`;
  return colorize(
    `[bold]Plan:[reset]${imported} ${added} to add, ${count('update')} to change, ${removed} to destroy${forget}.${actions}\n`,
    color,
  );
}

/** Returns true for the deletion of a data source, which only cleans up the state and is not displayed. */
export function isDeletedData(change: PlannedChange): boolean {
  return change.action === 'delete' && change.addr.resource.resource.mode !== 'managed';
}

/** Returns true if a change is displayed. */
export function isShown(change: PlannedChange): boolean {
  if (isDeletedData(change)) return false;
  return change.action !== 'no-op' || hasMoved(change) || change.importing !== undefined;
}

/** Counts the changes of each action. */
export function countActions(changes: readonly PlannedChange[]): ReadonlyMap<Action, number> {
  const counts = new Map<Action, number>();
  for (const { action } of changes) {
    if (action !== 'no-op') counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  return counts;
}
