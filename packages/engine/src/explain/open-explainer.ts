import type { Plan } from '../plan/model.ts';
import type { Explainer } from './explain.ts';
import type { WorldSettings } from './worlds.ts';

/** Opens a plan for questions about it; what answers them is loaded now. */
export async function openExplainer(plan: Plan, settings: WorldSettings): Promise<Explainer> {
  const { explainPlan } = await import('./explain.ts');
  return await explainPlan(plan, settings);
}
