import { NULL, type Value } from '@terrane/cty';
import type { Module } from '../config/model.ts';
import type { StateEvent } from '../state/event.ts';
import type { OutputState, State } from '../state/model.ts';
import { isEqual } from './decide.ts';
import type { OutputChange } from './model.ts';

/** The changes of root outputs from what the state has to what was worked out, by name. */
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

/** The changes that a destroy plan makes: every output goes that is not kept. */
export function removedOutputs(
  root: Module,
  previous: State,
  isKept: (name: string) => boolean,
): readonly OutputChange[] {
  const changes: OutputChange[] = [];
  for (const [name, stored] of [...previous.outputs].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isKept(name)) continue;
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
  // A null has no type of its own in a plan.
  return { name, action, before, after: after.isNull ? NULL.withMarks(after.marks) : after, sensitive };
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

/** Takes over the new values that are wholly known; the others stay as they were. */
export function recordOutputs(
  adopt: (event: StateEvent) => void,
  changes: readonly OutputChange[],
): void {
  if (changes.every((change) => change.action === 'no-op')) return;
  const values = new Map<string, Value>();
  for (const { name, action, after, before, sensitive } of changes) {
    if (action === 'delete') continue;
    const known = after.unmarkDeep().value.isWhollyKnown();
    const value = known ? after : before;
    if (!value.isNull) values.set(name, sensitive ? value.mark('sensitive') : value);
  }
  adopt({ kind: 'outputs', values });
}
