import type { Plan } from '../plan/model.ts';
import type { Explainer } from './explain.ts';
import type { WorldSettings } from './worlds.ts';

/** Opens an explainer of a plan; loads the code of this stage on the first call. */
export async function openExplainer(plan: Plan, settings: WorldSettings): Promise<Explainer> {
  const { explainPlan } = await import('./explain.ts');
  return await explainPlan(plan, settings);
}
