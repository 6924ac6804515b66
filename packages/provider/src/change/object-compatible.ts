import {
  attrStep,
  BOOL,
  conforms,
  formatNumber,
  indexStep,
  mismatchMessage,
  NUMBER,
  quoteText,
  STRING,
} from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { describeValue } from '../go-syntax/describe.ts';
import { blockLayout } from '../schema/layout.ts';
import type { BlockSlot } from '../schema/layout.ts';
import type { BlockSchema } from '../schema/model.ts';
import type { ContractError } from './contract-error.ts';
import { includes } from './includes.ts';

/**
 * Compares an applied object with its plan (objchange `AssertObjectCompatible`): known values must be equal, and
 * unknown values must be replaced by values of their type and refinement. Returns no errors if the object conforms.
 * Marks are ignored, except that values with a sensitive mark are kept out of messages.
 */
export function assertObjectCompatible(
  b: BlockSchema,
  planned: Value,
  actual: Value,
): ContractError[] {
  if (planned === actual) return [];
  const errors: ContractError[] = [];
  compareObjects(b, unmarked(planned), unmarked(actual), ROOT, errors);
  return errors;
}

const ROOT: Path = [];

function unmarked(v: Value): Value {
  return v.isMarked ? v.unmark() : v;
}

function compareObjects(
  b: BlockSchema,
  planned: Value,
  actual: Value,
  path: Path,
  errors: ContractError[],
): void {
  const root = path.length === 0 ? 'Root object ' : '';
  if (planned.isNull || actual.isNull) {
    if (!actual.isNull) errors.push({ path, message: `${root}was absent, but now present` });
    else if (!planned.isNull) errors.push({ path, message: `${root}was present, but now absent` });
    return;
  }
  const layout = blockLayout(b);
  const plannedParts = planned.isKnown ? planned.elements() : undefined;
  const actualParts = actual.isKnown ? actual.elements() : undefined;
  const { attributes } = layout;
  // By index: the iterators of so many short lists cost as much as the rest.
  for (let i = 0; i < attributes.length; i++) {
    const slot = attributes[i];
    if (slot === undefined) continue;
    const before = plannedParts?.[slot.index] ?? planned.attr(slot.name);
    const after = actualParts?.[slot.index] ?? actual.attr(slot.name);
    if (before === after || isPlainlyCompatible(before, after)) continue;
    const at = [...path, slot.step];
    const errorCount = errors.length;
    compareValues(before.unmarkDeep().value, after.unmarkDeep().value, at, errors);
    if (errors.length === errorCount) continue;
    const secret = before.hasMarkDeep('sensitive') || after.hasMarkDeep('sensitive');
    if (slot.schema.sensitive === true || secret) {
      errors.length = errorCount;
      errors.push({ path: at, message: 'inconsistent values for sensitive attribute' });
    }
  }
  for (const slot of layout.blocks) {
    const before = unmarked(planned.attr(slot.name));
    const after = unmarked(actual.attr(slot.name));
    if (before !== after) compareBlocks(slot, before, after, [...path, slot.step], errors);
  }
}

function compareBlocks(
  slot: BlockSlot,
  planned: Value,
  actual: Value,
  path: Path,
  errors: ContractError[],
): void {
  const { nesting, block } = slot.schema;
  if (nesting === 'single' || nesting === 'group') {
    // The placeholder for an unknown number of blocks may become no block.
    if (!planned.isKnown && actual.isNull) return;
    compareObjects(block, planned, actual, path, errors);
    return;
  }
  if (!planned.isKnown || !actual.isKnown || planned.isNull || actual.isNull) return;
  if (nesting === 'set') {
    const match = (a: Value, b: Value) => {
      const elementErrors: ContractError[] = [];
      compareObjects(block, a, b, [...path, indexStep(b)], elementErrors);
      return elementErrors.length === 0;
    };
    compareSets(planned, actual, path, match, errors);
    if (planned.length < actual.length) {
      const message = `block set length changed from ${planned.length} to ${actual.length}`;
      errors.push({ path, message });
    }
    return;
  }
  if (nesting === 'map' && planned.type.kind === 'object') {
    compareObjectBlocks(block, planned, actual, path, errors);
    return;
  }
  if (planned.length !== actual.length) {
    const message = `block count changed from ${planned.length} to ${actual.length}`;
    errors.push({ path, message });
    return;
  }
  for (const [key, before] of planned.entries()) {
    const after = nesting === 'map' ? actual.get(key.asString()) : actual.at(key.asInt());
    if (after === undefined) continue;
    compareObjects(block, unmarked(before), unmarked(after), [...path, indexStep(key)], errors);
  }
}

function compareObjectBlocks(
  b: BlockSchema,
  planned: Value,
  actual: Value,
  path: Path,
  errors: ContractError[],
): void {
  for (const [keyValue, before] of planned.entries()) {
    const key = keyValue.asString();
    const after = actual.get(key);
    if (after === undefined) {
      errors.push({ path, message: `block key ${quoteText(key)} has vanished` });
      continue;
    }
    compareObjects(b, unmarked(before), unmarked(after), [...path, attrStep(key)], errors);
  }
  for (const [keyValue] of actual.entries()) {
    const key = keyValue.asString();
    if (planned.get(key) !== undefined) continue;
    errors.push({ path, message: `new block key ${quoteText(key)} has appeared` });
  }
}

/** Compares an applied value with its planned value (objchange `AssertValueCompatible`). Marks are ignored. */
export function assertValueCompatible(planned: Value, actual: Value): ContractError[] {
  const errors: ContractError[] = [];
  compareValues(planned.unmarkDeep().value, actual.unmarkDeep().value, [], errors);
  return errors;
}

/** Returns true if a value without marks conforms to its plan, for the kinds that need no path to compare. */
function isPlainlyCompatible(planned: Value, actual: Value): boolean {
  if (planned.containsMarked() || actual.containsMarked()) return false;
  if (!planned.isKnown)
    return conforms(actual.type, planned.type) && includes(planned, actual) !== false;
  const isPrimitive = planned.type === STRING || planned.type === NUMBER || planned.type === BOOL;
  return isPrimitive && planned.rawEquals(actual);
}

function compareValues(planned: Value, actual: Value, path: Path, errors: ContractError[]): void {
  if (planned === actual || planned.type.kind === 'dynamic') return;
  if (!conforms(actual.type, planned.type)) {
    const message = `wrong final value type: ${mismatchMessage(actual.type, planned.type)}`;
    errors.push({ path, message });
    return;
  }
  if (!planned.isKnown) {
    if (includes(planned, actual) === false) {
      const message = `final value ${describeValue(actual)} does not conform to planning placeholder ${describeValue(planned)}`;
      errors.push({ path, message });
    }
    return;
  }
  if (actual.isNull || planned.isNull) {
    if (!planned.isNull) {
      errors.push({ path, message: `was ${describeValue(planned)}, but now null` });
    } else if (!actual.isNull) {
      errors.push({ path, message: `was null, but now ${describeValue(actual)}` });
    }
    return;
  }
  if (!actual.isKnown) {
    errors.push({ path, message: 'was known, but now unknown' });
    return;
  }
  switch (planned.type.kind) {
    case 'bool':
    case 'number':
    case 'string':
      if (!actual.rawEquals(planned)) {
        const message = `was ${describeValue(planned)}, but now ${describeValue(actual)}`;
        errors.push({ path, message });
      }
      return;
    case 'list':
    case 'tuple':
    case 'map':
      compareElements(planned, actual, path, errors);
      return;
    case 'object':
      for (const [name, before] of planned.entries()) {
        const key = name.asString();
        compareValues(before, actual.attr(key), [...path, attrStep(key)], errors);
      }
      return;
    case 'set':
      compareSetValues(planned, actual, path, errors);
      return;
    default:
  }
}

function compareElements(planned: Value, actual: Value, path: Path, errors: ContractError[]): void {
  const inside = (v: Value, key: Value) =>
    v.type.kind === 'map' ? v.get(key.asString()) : v.at(key.asInt());
  for (const [key, before] of planned.entries()) {
    const after = inside(actual, key);
    if (after === undefined) {
      errors.push({ path, message: `element ${keyText(key)} has vanished` });
    } else if (before !== after) {
      compareValues(before, after, [...path, indexStep(key)], errors);
    }
  }
  for (const [key] of actual.entries()) {
    if (inside(planned, key) !== undefined) continue;
    errors.push({ path, message: `new element ${keyText(key)} has appeared` });
  }
}

function keyText(key: Value): string {
  return key.type.kind === 'number' ? formatNumber(key.asNum()) : quoteText(key.asString());
}

function compareSetValues(
  planned: Value,
  actual: Value,
  path: Path,
  errors: ContractError[],
): void {
  const match = (a: Value, b: Value) => {
    const elementErrors: ContractError[] = [];
    compareValues(a, b, [...path, indexStep(b)], elementErrors);
    return elementErrors.length === 0;
  };
  compareSets(planned, actual, path, match, errors);
  if (planned.length < actual.length) {
    const message = `length changed from ${planned.length} to ${actual.length}`;
    errors.push({ path, message });
  }
}

/**
 * Elements of sets have no identity, so each on either side needs at least one match on the other.
 * Equal sets, the common case, are recognised first.
 */
function compareSets(
  planned: Value,
  actual: Value,
  path: Path,
  match: (planned: Value, actual: Value) => boolean,
  errors: ContractError[],
): void {
  if (planned.isWhollyKnown() && planned.rawEquals(actual)) return;
  const left = planned.elements();
  const right = actual.elements();
  const leftFound = new Array<boolean>(left.length).fill(false);
  const rightFound = new Array<boolean>(right.length).fill(false);
  for (const [i, a] of left.entries()) {
    for (const [j, b] of right.entries()) {
      if (!match(a, b)) continue;
      leftFound[i] = true;
      rightFound[j] = true;
    }
  }
  const before = errors.length;
  for (const [i, a] of left.entries()) {
    if (leftFound[i]) continue;
    const message = `planned set element ${describeValue(a)} does not correlate with any element in actual`;
    errors.push({ path, message });
  }
  if (errors.length > before) return;
  for (const [i, b] of right.entries()) {
    if (rightFound[i]) continue;
    const message = `actual set element ${describeValue(b)} does not correlate with any element in plan`;
    errors.push({ path, message });
  }
}
