// Facts of a plan in JSON, as "show -json" prints it.
import { fields } from '../http/request.ts';

/** Returns the actions of a plan by address, without those that do nothing. */
export function changesOf(plan: unknown): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  for (const each of resourceChanges(plan)) {
    const { address, deposed, change } = fields(each);
    const { actions } = fields(change);
    const text = Array.isArray(actions) ? actions.join(', ') : '';
    if (text === 'no-op' || text === 'read') continue;
    changes.set(`${String(address)}${typeof deposed === 'string' ? ` (${deposed})` : ''}`, text);
  }
  return changes;
}

/** Counts the changes of a plan, by the attributes of a plan and an apply in the API. */
export function countChanges(plan: unknown): Readonly<Record<string, number>> {
  const counts = { additions: 0, changes: 0, destructions: 0, imports: 0 };
  for (const each of resourceChanges(plan)) {
    const { actions, importing } = fields(fields(each)['change']);
    const list: readonly unknown[] = Array.isArray(actions) ? actions : [];
    if (list.includes('create')) counts.additions++;
    if (list.includes('update')) counts.changes++;
    if (list.includes('delete')) counts.destructions++;
    if (importing !== undefined && importing !== null) counts.imports++;
  }
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [`resource-${name}`, count]),
  );
}

/** Returns the version of the program that made a plan. */
export function versionOfPlan(plan: unknown): string | undefined {
  const version = fields(plan)['terraform_version'];
  return typeof version === 'string' ? version : undefined;
}

function resourceChanges(plan: unknown): readonly unknown[] {
  const list = fields(plan)['resource_changes'];
  return Array.isArray(list) ? list : [];
}

/** Parses JSON that a command has printed. Returns an empty object for other content. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return {};
  }
}
