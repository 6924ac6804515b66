import { ROOT_INSTANCE } from '@terrane/addresses';
import type { OutputChange } from '../plan/model.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause, Explanation } from './model.ts';
import type { Reasons } from './reasons.ts';
import { withSecrets } from './secrets.ts';
import { unknownPaths } from './values.ts';

/** Explains why a root output changes or does not change. Each unknown part is explained separately. */
export function explainOutput(
  facts: PlanFacts,
  reasons: () => Reasons,
  change: OutputChange,
): Explanation {
  const hide = (causes: readonly Cause[]): readonly Cause[] =>
    change.sensitive ? causes.map(withSecrets) : causes;
  const output = facts.plan.configuration.root.outputs.get(change.name);
  const place = { module: ROOT_INSTANCE };
  const isRemoved = change.action === 'delete';
  return {
    address: `output.${change.name}`,
    kind: 'output',
    action: change.action,
    causes: hide(causesOf(facts, reasons(), change)),
    unknown:
      output === undefined || isRemoved
        ? []
        : unknownPaths(change.after).map((attribute) => ({
            attribute,
            causes: hide(reasons().tracer.unknown(output.expression, place, attribute)),
          })),
  };
}

function causesOf(facts: PlanFacts, reasons: Reasons, change: OutputChange): readonly Cause[] {
  const address = `output.${change.name}`;
  const { plan } = facts;
  const output = plan.configuration.root.outputs.get(change.name);
  if (plan.mode === 'destroy') return [{ kind: 'destroy-mode', address, causes: [] }];
  if (output === undefined) return [{ kind: 'no-block', address, causes: [] }];
  const { range, expression } = output;
  if (change.action === 'no-op') return [{ kind: 'equal', address, range, causes: [] }];
  const previousOutput = plan.previousState.outputs.get(change.name);
  if (previousOutput === undefined) return [{ kind: 'new-output', address, range, causes: [] }];
  if (change.before.unmarkDeep().value.rawEquals(change.after.unmarkDeep().value))
    return [{ kind: 'sensitivity', address, range, causes: [] }];
  const place = { module: ROOT_INSTANCE };
  const marked: readonly Cause[] =
    previousOutput.sensitive === change.sensitive
      ? []
      : [{ kind: 'sensitivity', address, range, present: change.sensitive, causes: [] }];
  const causes = reasons.tracer.differs(expression, place, [], previousOutput.value);
  if (causes.length > 0) return [...causes, ...marked];
  const { before, after } = change;
  return [
    ...marked,
    { kind: 'source', address, range: expression.range, before, after, causes: [] },
  ];
}
