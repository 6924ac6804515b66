import type { Plan, PlannedChange } from '@terrane/engine';

/** The numbers of added, changed, removed, forgotten and imported objects, as in the plan summary. */
export interface PlannedCounts {
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly forget: number;
  readonly import: number;
}

/** Counts the actions of a plan. */
export function plannedCounts(plan: Pick<Plan, 'changes'>): PlannedCounts {
  const counts = { add: 0, change: 0, remove: 0, forget: 0, import: 0 };
  for (const change of plan.changes) if (!isDataRemoval(change)) count(change, counts);
  return counts;
}

/** Returns true if a change only removes a data source from the state, which is not reported. */
export function isDataRemoval(change: PlannedChange): boolean {
  return change.action === 'delete' && change.addr.resource.resource.mode === 'data';
}

function count(
  change: PlannedChange,
  counts: { add: number; change: number; remove: number; forget: number; import: number },
): void {
  if (change.importing !== undefined) counts.import++;
  switch (change.action) {
    case 'create':
      counts.add++;
      break;
    case 'delete':
      counts.remove++;
      break;
    case 'update':
      counts.change++;
      break;
    case 'delete-then-create':
    case 'create-then-delete':
      counts.add++;
      counts.remove++;
      break;
    case 'create-then-forget':
    case 'forget-then-create':
      counts.add++;
      counts.forget++;
      break;
    case 'forget':
      counts.forget++;
      break;
    case 'no-op':
    case 'read':
      break;
  }
}
