import { integer, NULL, NUMBER, transform, unknownAsNull, type Value } from '@terrane/cty';
import type { Module } from '../config/model.ts';
import type { StateEvent } from '../state/event.ts';
import type { OutputState, State } from '../state/model.ts';
import { isEqual } from '../objects/decide.ts';
import type { OutputChange } from './model.ts';

const ZERO: Value = integer(0);

/** Returns the changes of root outputs from the stored to the evaluated values, by name. */
export function outputChanges(
  root: Module,
  values: ReadonlyMap<string, Value>,
  previous: State,
  isLeftOut: (name: string) => boolean,
): readonly OutputChange[] {
  const names = [...new Set([...root.outputs.keys(), ...previous.outputs.keys()])].sort();
  const changes: OutputChange[] = [];
  for (const name of names) {
    if (isLeftOut(name)) continue;
    const declared = root.outputs.get(name);
    const after = declared === undefined ? undefined : values.get(name);
    if (declared !== undefined && after === undefined) continue;
    const change = changeOf(name, previous, declared?.sensitive ?? false, after);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

/** Returns the output changes of a destroy plan: every output is removed. */
export function removedOutputs(root: Module, previous: State): readonly OutputChange[] {
  const changes: OutputChange[] = [];
  for (const [name, stored] of [...previous.outputs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sensitive = stored.sensitive || root.outputs.get(name)?.sensitive === true;
    changes.push({ name, action: 'delete', before: stored.value, after: NULL, sensitive });
  }
  return changes;
}

function changeOf(
  name: string,
  previous: State,
  isSensitive: boolean,
  after: Value | undefined,
): OutputChange | undefined {
  const stored = previous.outputs.get(name);
  const wasSensitive = stored?.sensitive ?? false;
  const before = stored?.value ?? NULL;
  if (after === undefined) {
    if (stored === undefined) return undefined;
    return { name, action: 'delete', before, after: NULL, sensitive: wasSensitive };
  }
  const sensitive = isSensitive || wasSensitive;
  const action = actionOf(stored, after, isSensitive);
  return { name, action, before, after: asPlanned(after, action), sensitive };
}

/** Normalises a value as in Terraform's plans: in a no-op, null is untyped and zero is unsigned. */
function asPlanned(value: Value, action: OutputChange['action']): Value {
  if (value.isNull && action === 'no-op') return NULL.withMarks(value.marks);
  return transform(value, (_path, part) =>
    isNegativeZero(part) ? ZERO.withMarks(part.marks) : part,
  );
}

function isNegativeZero(value: Value): boolean {
  return (
    value.type === NUMBER && value.isKnown && !value.isNull && Object.is(value.unmark().asNum(), -0)
  );
}

function actionOf(
  stored: OutputState | undefined,
  after: Value,
  isSensitive: boolean,
): OutputChange['action'] {
  if (after.isNull && (stored === undefined || stored.value.isNull)) return 'no-op';
  if (stored === undefined) return 'create';
  const plain = after.unmarkDeep().value;
  const same = plain.isWhollyKnown() && isEqual(plain, stored.value);
  return same && stored.sensitive === isSensitive ? 'no-op' : 'update';
}

/**
 * Records known values of declared outputs in the prior state; null removes an output. Unknown values are omitted, or
 * are null if there was no value before, as the `import` command stores them. Undeclared outputs are kept until the
 * apply, except by the `import` command.
 */
export function recordOutputs(
  adopt: (event: StateEvent) => void,
  root: Module,
  current: ReadonlyMap<string, Value>,
  previous: State,
  unknown: 'left out' | 'null' = 'left out',
): void {
  const values = new Map<string, Value>();
  let changed = false;
  for (const [name, { value, sensitive }] of previous.outputs) {
    if (unknown === 'null' && !root.outputs.has(name)) {
      changed = true;
      continue;
    }
    values.set(name, sensitive ? value.mark('sensitive') : value);
  }
  for (const [name, value] of current) {
    const sensitive = root.outputs.get(name)?.sensitive === true;
    const plain = value.unmarkDeep().value;
    const stored = previous.outputs.get(name);
    if (!plain.isWhollyKnown()) {
      if (unknown === 'left out' || stored !== undefined) continue;
      const absent = unknownAsNull(plain);
      values.set(name, sensitive ? absent.mark('sensitive') : absent);
      changed = true;
      continue;
    }
    if (plain.isNull) {
      changed = values.delete(name) || changed;
    } else if (
      stored === undefined ||
      stored.sensitive !== sensitive ||
      !isEqual(plain, stored.value)
    ) {
      values.set(name, sensitive ? plain.mark('sensitive') : plain);
      changed = true;
    }
  }
  if (changed) adopt({ kind: 'outputs', values });
}
