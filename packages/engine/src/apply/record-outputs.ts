import { unknownAsNull, type Value } from '@terrane/cty';
import type { Plan } from '../plan/model.ts';
import type { ApplyRun } from './request.ts';

/**
 * Root outputs that were worked out are stored, as planned where the plan knew them; after errors
 * the others stay as they were. Those that go, go whatever else fails.
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

/** Outputs of the prior state that the configuration still has. */
function keepOutputs(plan: Plan, values: Map<string, Value>): void {
  const removed = new Set(
    plan.outputs.filter((change) => change.action === 'delete').map((change) => change.name),
  );
  for (const [name, stored] of plan.priorState.outputs) {
    if (removed.has(name)) continue;
    values.set(name, stored.sensitive ? stored.value.mark('sensitive') : stored.value);
  }
}
