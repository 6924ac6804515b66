import { attrStep, indexStep, lengthOf, list, NULL, nullOf, quoteText } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { describeValue } from '../go-syntax/describe.ts';
import { blockLayout, nestedLayout } from '../schema/layout.ts';
import type { AttributeSlot, BlockSlot, Layout } from '../schema/layout.ts';
import type { BlockSchema, NestedAttributes } from '../schema/model.ts';
import type { ContractError } from './contract-error.ts';
import { includes } from './includes.ts';
import { sameUnrefined } from './same-unrefined.ts';

const ELEMENT_UNKNOWN =
  'element representing nested block must not be unknown itself; set nested attribute values to unknown instead';
const BLOCK_UNKNOWN =
  'attribute representing nested block must not be unknown itself; set nested attribute values to unknown instead';

/** The three sides of one planned object, which a check compares. */
interface Sides {
  readonly prior: Value;
  readonly config: Value;
  readonly planned: Value;
}

/**
 * Validates a planned object (objchange `AssertPlanValid`): a configured argument must be planned as configured or as
 * in `prior`; only unconfigured computed arguments may have any value. Empty when the plan is valid. All values conform
 * to the block's implied type and carry no marks.
 */
export function assertPlanValid(
  b: BlockSchema,
  prior: Value,
  config: Value,
  planned: Value,
): ContractError[] {
  const errors: ContractError[] = [];
  checkBlock(b, { prior, config, planned }, ROOT, errors);
  return errors;
}

const ROOT: Path = [];

function checkBlock(b: BlockSchema, sides: Sides, path: Path, errors: ContractError[]): void {
  if (!checkPresence(sides, path, errors)) return;
  const layout = blockLayout(b);
  checkAttributes(layout, sides, path, errors);
  for (const slot of layout.blocks) checkNestedBlocks(slot, sides, [...path, slot.step], errors);
}

function checkPresence({ config, planned }: Sides, path: Path, errors: ContractError[]): boolean {
  if (planned.isNull && !config.isNull) {
    errors.push({ path, message: 'planned for absence but config wants existence' });
  } else if (config.isNull && !planned.isNull) {
    errors.push({ path, message: 'planned for existence but config wants absence' });
  }
  return !planned.isNull && !config.isNull;
}

function innerOf(v: Value, slot: AttributeSlot | BlockSlot): Value {
  if (v.isNull) return nullOf(slot.type);
  if (!v.isKnown) return v.attr(slot.name);
  return v.elements()[slot.index] ?? NULL;
}

/** Returns the values of the attributes and blocks of an object; undefined if it is null or unknown. */
function partsOf(v: Value): readonly Value[] | undefined {
  return v.isNull || !v.isKnown ? undefined : v.elements();
}

function checkNestedBlocks(slot: BlockSlot, all: Sides, path: Path, errors: ContractError[]): void {
  const planned = innerOf(all.planned, slot);
  const config = innerOf(all.config, slot);
  const prior = innerOf(all.prior, slot);
  if (planned === config || planned.rawEquals(config)) return;
  if (!config.isKnown) {
    const message = `planned value ${describeValue(planned)} for unknown dynamic block`;
    errors.push({ path, message });
    return;
  }
  if (!planned.isKnown) {
    errors.push({ path, message: BLOCK_UNKNOWN });
    return;
  }
  const sides = { prior, config, planned };
  const { nesting, block } = slot.schema;
  if (nesting === 'single' || nesting === 'group') {
    checkBlock(block, sides, path, errors);
    return;
  }
  if (planned.isNull) {
    const message = `attribute representing a ${nesting} of nested blocks must be empty to indicate no blocks, not null`;
    errors.push({ path, message });
    return;
  }
  if (nesting === 'list') checkListBlocks(block, sides, path, errors);
  else if (nesting === 'map') checkMapBlocks(block, sides, path, errors);
  else {
    // Elements of a set cannot be matched with the configuration, so their content is not checked.
    for (const element of planned.elements()) {
      if (element.isKnown) continue;
      errors.push({ path: [...path, indexStep(element)], message: ELEMENT_UNKNOWN });
    }
  }
}

function checkListBlocks(b: BlockSchema, sides: Sides, path: Path, errors: ContractError[]): void {
  const { prior, planned } = sides;
  // A null list of blocks can come from an older provider through ignore_changes.
  const config = sides.config.isNull ? list(blockLayout(b).type, []) : sides.config;
  if (!sameCount(planned, config, path, errors)) return;
  const written = config.elements();
  const before = prior.isNull ? [] : prior.elements();
  for (const [i, element] of planned.elements().entries()) {
    const at = [...path, indexStep(i)];
    if (!element.isKnown) {
      errors.push({ path: at, message: ELEMENT_UNKNOWN });
      continue;
    }
    const other = { prior: before[i] ?? nullOf(blockLayout(b).type), config: written[i] ?? NULL };
    checkBlock(b, { ...other, planned: element }, at, errors);
  }
}

function sameCount(planned: Value, config: Value, path: Path, errors: ContractError[]): boolean {
  if (planned.length === config.length) return true;
  const message = `block count in plan (${planned.length}) disagrees with count in config (${config.length})`;
  errors.push({ path, message });
  return false;
}

function checkMapBlocks(b: BlockSchema, sides: Sides, path: Path, errors: ContractError[]): void {
  const { prior, config, planned } = sides;
  const asObject = planned.type.kind === 'object';
  if (!asObject && !sameCount(planned, config, path, errors)) return;
  const nullObject = nullOf(blockLayout(b).type);
  for (const [keyValue, element] of planned.entries()) {
    const key = keyValue.asString();
    const written = config.get(key);
    const at = [...path, asObject ? attrStep(key) : indexStep(key)];
    if (!asObject && !element.isKnown) {
      errors.push({ path: at, message: ELEMENT_UNKNOWN });
    } else if (written === undefined) {
      const message = `block key ${quoteText(key)} from plan is not present in config`;
      errors.push({ path: asObject ? path : at, message });
    } else if (!element.isKnown) {
      errors.push({ path: at, message: ELEMENT_UNKNOWN });
    } else {
      const before = (prior.isNull ? undefined : prior.get(key)) ?? nullObject;
      checkBlock(b, { prior: before, config: written, planned: element }, at, errors);
    }
  }
  for (const [keyValue] of config.entries()) {
    const key = keyValue.asString();
    if (planned.get(key) !== undefined) continue;
    const message = `block key ${quoteText(key)} from config is not present in plan`;
    errors.push({ path, message });
  }
}

function checkAttributes(layout: Layout, sides: Sides, path: Path, errors: ContractError[]): void {
  const { attributes } = layout;
  const plannedParts = partsOf(sides.planned);
  const configParts = partsOf(sides.config);
  // By index: the iterators of so many short lists cost as much as the rest.
  for (let i = 0; i < attributes.length; i++) {
    const slot = attributes[i];
    if (slot === undefined) continue;
    const planned = plannedParts?.[slot.index] ?? innerOf(sides.planned, slot);
    const config = configParts?.[slot.index] ?? innerOf(sides.config, slot);
    if (planned === config || sameUnrefined(planned, config)) continue;
    const { computed, optional, writeOnly } = slot.schema;
    // The provider determines it. Most attributes of a plan that differ from the configuration are of this kind.
    if (computed === true && writeOnly !== true && (optional !== true || config.isNull)) continue;
    const prior = innerOf(sides.prior, slot);
    // A planned value equal to the prior value means that the configured value is semantically unchanged.
    if (!prior.isNull && !config.isNull && sameUnrefined(planned, prior)) continue;
    checkAttribute(slot, { prior, config, planned }, [...path, slot.step], errors);
  }
}

/** Checks an attribute that has neither the configured value nor the prior one, and that is not computed. */
function checkAttribute(slot: AttributeSlot, s: Sides, path: Path, errors: ContractError[]): void {
  const { config, planned } = s;
  const { sensitive, writeOnly, nested } = slot.schema;
  if (writeOnly === true) {
    if (!planned.isNull) {
      errors.push({ path, message: 'planned value for write-only attribute is not null' });
    }
    return;
  }
  if (config.isNull && !planned.isNull) {
    const message =
      sensitive === true
        ? 'sensitive planned value for a non-computed attribute'
        : `planned value ${describeValue(planned)} for a non-computed attribute`;
    errors.push({ path, message });
    return;
  }
  if (nested !== undefined) {
    checkNested(nested, s, path, errors);
    return;
  }
  errors.push({ path, message: mismatch(s, sensitive === true) });
}

function mismatch({ prior, config, planned }: Sides, sensitive: boolean): string {
  if (sensitive) {
    return prior.isNull
      ? 'sensitive planned value does not match config value'
      : 'sensitive planned value does not match config value nor prior value';
  }
  const against = `planned value ${describeValue(planned)} does not match config value ${describeValue(config)}`;
  return prior.isNull ? against : `${against} nor prior value ${describeValue(prior)}`;
}

function checkNested(
  nested: NestedAttributes,
  sides: Sides,
  path: Path,
  errors: ContractError[],
): void {
  const { prior, config, planned } = sides;
  if (planned.isNull !== config.isNull) {
    checkPresence(sides, path, errors);
    return;
  }
  if (!config.isNull && !planned.isKnown) {
    errors.push({ path, message: 'planned unknown for configured value' });
    return;
  }
  if (planned.isNull) return;
  const layout = nestedLayout(nested);
  if (nested.nesting === 'single') {
    checkAttributes(layout, sides, path, errors);
    return;
  }
  if (!countsAgree(nested, sides, path, errors)) return;
  if (nested.nesting === 'set') return;
  const nullObject = nullOf(layout.type);
  const before = prior.isNull || !prior.isKnown ? undefined : prior;
  if (nested.nesting === 'list') {
    const written = config.elements();
    for (const [i, element] of planned.elements().entries()) {
      const other = { prior: before?.at(i) ?? nullObject, config: written[i] ?? nullObject };
      const at = [...path, indexStep(i)];
      checkAttributes(layout, { ...other, planned: element }, at, errors);
    }
    return;
  }
  for (const [keyValue, element] of planned.entries()) {
    const key = keyValue.asString();
    const written = config.get(key);
    if (written === undefined) {
      const message = `map key ${quoteText(key)} from plan is not present in config`;
      errors.push({ path, message });
      continue;
    }
    const other = { prior: before?.get(key) ?? nullObject, config: written };
    checkAttributes(layout, { ...other, planned: element }, [...path, attrStep(key)], errors);
  }
  for (const [keyValue] of config.entries()) {
    const key = keyValue.asString();
    if (planned.get(key) !== undefined) continue;
    const message = `map key ${quoteText(key)} from config is not present in plan`;
    errors.push({ path, message });
  }
}

/** Returns true if two collections have the same number of elements. Otherwise reports an error. */
function countsAgree(
  nested: NestedAttributes,
  { config, planned }: Sides,
  path: Path,
  errors: ContractError[],
): boolean {
  const [plannedLength, configLength] = [lengthOf(planned), lengthOf(config)];
  const agree =
    nested.nesting === 'set'
      ? includes(plannedLength, configLength) !== false
      : plannedLength.isKnown && configLength.isKnown && plannedLength.rawEquals(configLength);
  if (agree) return true;
  if (nested.nesting === 'set' || plannedLength.isKnown || configLength.isKnown) {
    const message = `count in plan (${describeValue(plannedLength)}) disagrees with count in config (${describeValue(configLength)})`;
    errors.push({ path, message });
  }
  return false;
}
