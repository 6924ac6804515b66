import type { InstanceAddr } from '@terrane/addresses';
import type { Path, Value } from '@terrane/cty';
import type { PlannedChange } from '../objects/change.ts';
import { withSchemaMarks } from '../objects/stored.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { partAs } from './subject.ts';
import { partOf } from './values.ts';

/** Returns the drift of an instance at a path. */
export function driftedAt(facts: PlanFacts, addr: InstanceAddr, path: Path): readonly Cause[] {
  const drift = facts.drift.get(addr);
  if (drift === undefined || drift.action !== 'update') return [];
  const [before, after] = [partOf(drift.before, path), partOf(drift.after, path)];
  if (before === undefined && after === undefined) return [];
  const same =
    before !== undefined &&
    after !== undefined &&
    before.unmarkDeep().value.rawEquals(after.unmarkDeep().value);
  return same ? [] : [driftCause(facts, drift, path)];
}

/** Returns drift as a cause; with an empty path, that of the whole object. */
export function driftCause(facts: PlanFacts, drift: PlannedChange, path: Path): Cause {
  const schema = facts.schemaOf(drift);
  const marked = (value: Value): Value =>
    schema === undefined ? value : withSchemaMarks(value, schema);
  const isDeleted = drift.action === 'delete';
  return {
    kind: 'drift',
    address: drift.addr.text,
    ...(path.length === 0 ? {} : { attribute: path }),
    ...(isDeleted || path.length === 0 ? {} : partAs('before', marked(drift.before), path)),
    ...(isDeleted || path.length === 0 ? {} : partAs('after', marked(drift.after), path)),
    present: !isDeleted,
    causes: [],
  };
}
