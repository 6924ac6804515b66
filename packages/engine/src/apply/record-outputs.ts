import { unknownAsNull, type Value } from '@terrane/cty';
import type { Plan } from '../plan/model.ts';
import type { ApplyRun } from './request.ts';

/**
 * Records the root outputs: evaluated ones with their planned value if that was known, the others as stored. Removed
 * outputs are dropped even after errors.
 */
export async function recordOutputs(run: ApplyRun): Promise<void> {
  const values = new Map<string, Value>();
  keepOutputs(run.plan, values);
  for (const [name, final] of run.evaluation.root.outputs) {
    const value = run.plannedOutputs.get(name) ?? final;
    const { value: plain } = value.unmarkDeep();
    if (plain.isNull) values.delete(name);
    else values.set(name, unknownAsNull(value));
  }
  await run.recorder.record({ kind: 'outputs', values }, { sync: false });
}

/** Adds the outputs of the prior state that the plan does not remove. */
function keepOutputs(plan: Plan, values: Map<string, Value>): void {
  const removed = new Set(
    plan.outputs.filter((change) => change.action === 'delete').map((change) => change.name),
  );
  for (const [name, stored] of plan.priorState.outputs) {
    if (removed.has(name)) continue;
    values.set(name, stored.sensitive ? stored.value.mark('sensitive') : stored.value);
  }
}
