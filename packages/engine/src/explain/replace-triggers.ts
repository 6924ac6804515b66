import type { InstanceAddr } from '@terrane/addresses';
import type { Path } from '@terrane/cty';
import type { Diagnostic, Range } from '@terrane/hcl';
import type { Resource } from '../config/model.ts';
import { repetitionOfKey } from '../evaluate/repetition.ts';
import type { PlannedChange } from '../objects/change.ts';
import { replaceTriggersOf } from '../plan/replace-triggers.ts';
import type { PlanFacts } from './facts.ts';
import type { Worlds } from './worlds.ts';

/** A change that triggers a replacement by `replace_triggered_by`. */
export interface TriggerBehind {
  /** the reference */
  readonly range: Range;
  readonly change: PlannedChange;
  /** the referenced attribute; empty for the whole object */
  readonly attribute: Path;
}

/** Returns the changes that trigger the replacement of an instance by its `replace_triggered_by`. */
export function triggersBehind(
  facts: PlanFacts,
  worlds: Worlds,
  addr: InstanceAddr,
  { replaceTriggeredBy }: Resource,
): readonly TriggerBehind[] {
  const cells = worlds.after.evaluation.find(addr.resource.module);
  if (cells === undefined || replaceTriggeredBy.length === 0) return [];
  const problems: Diagnostic[] = [];
  const sources = { changes: facts.changes, previous: facts.plan.previousState };
  const repetition = repetitionOfKey(addr.key);
  return replaceTriggeredBy.flatMap((expression) =>
    replaceTriggersOf(expression, cells, repetition, sources, problems).map(
      ({ change, attribute }) => ({ range: expression.range, change, attribute }),
    ),
  );
}
