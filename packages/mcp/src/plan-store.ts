import type { Plan } from '@terrane/engine';
import { planJson, redactedJson, type Secrets, secretsOf } from '@terrane/render';

/** The maximum number of plans that a session keeps for queries. */
const MAX_PLANS = 4;

/** A planned change without sensitive values. */
export interface PlannedItem {
  readonly address: string;
  readonly actions: readonly string[];
  readonly reason?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly after_unknown?: unknown;
}

/** A plan that a session created. */
export interface StoredPlan {
  readonly id: string;
  readonly plan: Plan;
  readonly items: readonly PlannedItem[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly secrets: Secrets;
}

/** The last plans of a session, in memory. */
export class PlanStore {
  readonly #plans: Map<string, StoredPlan> = new Map();
  #count = 0;

  add(plan: Plan): StoredPlan {
    const id = `plan-${(this.#count += 1)}`;
    const text = planJson(plan);
    const document = recordOf(JSON.parse(redactedJson(text)));
    const changes = Array.isArray(document['resource_changes']) ? document['resource_changes'] : [];
    const items = changes.map(itemOf).filter(({ actions }) => actions.join() !== 'no-op');
    const secrets = secretsOf(text);
    const stored = { id, plan, items, outputs: recordOf(document['output_changes']), secrets };
    this.#plans.set(id, stored);
    const [oldest] = this.#plans.keys();
    if (this.#plans.size > MAX_PLANS && oldest !== undefined) this.#plans.delete(oldest);
    return stored;
  }

  get(id: string): StoredPlan | undefined {
    return this.#plans.get(id);
  }
}

/** Counts the actions of changes. */
export function countsOf(items: readonly PlannedItem[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { actions } of items) {
    const name = actions.length > 1 ? 'replace' : (actions[0] ?? '');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function itemOf(change: unknown): PlannedItem {
  const { address, action_reason: reason, change: inner } = recordOf(change);
  const { actions, before, after, after_unknown: unknown } = recordOf(inner);
  return {
    address: typeof address === 'string' ? address : '',
    actions: Array.isArray(actions) ? actions.map(String) : [],
    ...(typeof reason === 'string' ? { reason } : {}),
    before,
    after,
    after_unknown: unknown,
  };
}

/** Returns a JSON object; an empty one for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
