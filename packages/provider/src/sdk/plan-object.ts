import { indexStep, NULL, nullOf, number, objectOf, pathKey, unknownOf } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';
import type { CompiledAttribute, CompiledObject } from './compile.ts';
import type { Modifier } from './definition.ts';
import { pathText } from './diagnostics.ts';
import { keepEmpty } from './empty-values.ts';
import { keepMeaningOfPlan } from './keep-meaning.ts';
import { matchSets } from './match-sets.ts';
import { elementAt, overElements } from './nested-elements.ts';

/** The result of planning an object. */
export interface PlannedObject {
  readonly planned: Value;
  readonly requiresReplace: readonly Path[];
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/**
 * Plans an object as terraform-plugin-framework does: applies defaults, and keeps the computed values of set elements
 * with equal configured values. If the object changes, computed arguments that are not configured become unknown. Then
 * the plan modifiers of each argument and block run. With `older`, behaves as the older SDK: computed arguments of an
 * existing object are kept, and null equals empty.
 */
export function planObject(
  compiled: CompiledObject,
  prior: Value,
  proposed: Value,
  config: Value,
  older = false,
): PlannedObject {
  let planned = rewrite(compiled, proposed, config, defaultOf);
  planned = matchSets(compiled, prior, planned, older);
  if (older) planned = keepEmpty(compiled, prior, planned);
  if (compiled.keeps) planned = keepMeaningOfPlan(compiled, prior, planned);
  if (!planned.rawEquals(prior)) {
    const keepsComputed = older && !prior.isNull;
    // In an existing object, only computed values of new blocks and nested arguments are unknown.
    planned = keepsComputed
      ? rewrite(compiled, planned, config, unknownWhereNew, prior)
      : rewrite(compiled, planned, config, unknownWhereComputed);
  }
  const run: ModifierRun = {
    config,
    plan: planned,
    state: prior,
    requiresReplace: [],
    diagnostics: [],
  };
  const state = prior.isNull ? nullOf(compiled.layout.type) : prior;
  planned = modify(run, compiled, planned, config, state, []);
  return {
    planned,
    requiresReplace: withoutDuplicates(run.requiresReplace),
    diagnostics: run.diagnostics,
  };
}

/** Returns the paths without duplicates, sorted by their text as in the framework. */
export function withoutDuplicates(paths: readonly Path[]): readonly Path[] {
  if (paths.length < 2) return paths;
  const byKey = new Map(paths.map((path) => [pathKey(path), path]));
  const named = [...byKey.values()].map((path) => ({ path, text: pathText(path) }));
  named.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
  return named.map(({ path }) => path);
}

/** A new planned value for one attribute, from the planned and the written one. */
type Leaf = (attribute: CompiledAttribute, planned: Value, written: Value, isNew: boolean) => Value;

const defaultOf: Leaf = ({ slot, definition }, planned, written) => {
  if (definition.writeOnly === true) return nullOf(slot.type);
  return definition.default !== undefined && written.isNull ? definition.default : planned;
};

const unknownWhereComputed: Leaf = ({ slot, definition }, planned, written) => {
  const open = definition.computed === true && definition.default === undefined && written.isNull;
  return open ? unknownOf(slot.type) : planned;
};

const unknownWhereNew: Leaf = (attribute, planned, written, isNew) =>
  isNew && planned.isNull ? unknownWhereComputed(attribute, planned, written, isNew) : planned;

/** `prior`: the object to compare with, if new elements matter. */
function rewrite(
  compiled: CompiledObject,
  planned: Value,
  config: Value,
  leaf: Leaf,
  prior?: Value,
): Value {
  if (planned.isNull || !planned.isKnown) return planned;
  const before = planned.elements();
  const values = before.slice();
  const written = config.isNull || !config.isKnown ? undefined : config.elements();
  const priorElements =
    prior === undefined || prior.isNull || !prior.isKnown ? undefined : prior.elements();
  let changed = false;
  for (const attribute of compiled.attributes) {
    const { index, type } = attribute.slot;
    const configValue = written?.[index] ?? nullOf(type);
    let value = before[index] ?? NULL;
    if (attribute.inner && attribute.definition.nested) {
      const { nesting } = attribute.definition.nested;
      value = rewriteNested(
        attribute.inner,
        nesting,
        value,
        configValue,
        leaf,
        priorElements?.[index],
      );
    }
    value = leaf(attribute, value, configValue, priorElements === undefined);
    changed ||= value !== before[index];
    values[index] = value;
  }
  for (const { slot, definition, inner } of compiled.blocks) {
    const value = before[slot.index] ?? NULL;
    const configValue = written?.[slot.index] ?? nullOf(slot.type);
    const next = rewriteNested(
      inner,
      definition.nesting,
      value,
      configValue,
      leaf,
      priorElements?.[slot.index],
    );
    changed ||= next !== value;
    values[slot.index] = next;
  }
  return changed ? objectOf(compiled.layout.type, values) : planned;
}

function rewriteNested(
  inner: CompiledObject,
  nesting: string,
  planned: Value,
  config: Value,
  leaf: Leaf,
  prior: Value | undefined,
): Value {
  const knownPrior = prior !== undefined && prior.isKnown && !prior.isNull ? prior : undefined;
  const known = nesting === 'set' ? elementsByHash(knownPrior) : undefined;
  return overElements(inner, nesting, planned, (element, key) => {
    if (known === undefined) {
      const configValue = elementAt(nesting, config, key) ?? nullOf(inner.layout.type);
      return rewrite(
        inner,
        element,
        configValue,
        leaf,
        knownPrior && elementAt(nesting, knownPrior, key),
      );
    }
    // An element of a set matches only an equal element: it has no other identity.
    const priorElement = known.get(element.hash())?.find((each) => each.rawEquals(element));
    return rewrite(inner, element, element, leaf, priorElement);
  });
}

function elementsByHash(v: Value | undefined): ReadonlyMap<number, readonly Value[]> {
  const byHash = new Map<number, Value[]>();
  for (const element of v?.elements() ?? []) {
    const hash = element.hash();
    byHash.set(hash, [...(byHash.get(hash) ?? []), element]);
  }
  return byHash;
}

interface ModifierRun {
  readonly config: Value;
  readonly plan: Value;
  readonly state: Value;
  readonly requiresReplace: Path[];
  readonly diagnostics: ProviderDiagnostic[];
}

function modify(
  run: ModifierRun,
  compiled: CompiledObject,
  planned: Value,
  config: Value,
  state: Value,
  path: Path,
): Value {
  if (planned.isNull || !planned.isKnown) return planned;
  const values = planned.elements().slice();
  const written = config.isNull || !config.isKnown ? undefined : config.elements();
  const stored = state.isNull || !state.isKnown ? undefined : state.elements();
  let changed = false;
  for (const { slot, definition, inner } of [...compiled.attributes, ...compiled.blocks]) {
    const modifiers = definition.modifiers;
    if (modifiers === undefined && inner === undefined) continue;
    const before = values[slot.index] ?? NULL;
    const configValue = written?.[slot.index] ?? nullOf(slot.type);
    const priorElement = stored?.[slot.index] ?? nullOf(slot.type);
    const at = [...path, slot.step];
    let value = before;
    if (modifiers) value = runModifiers(run, modifiers, value, configValue, priorElement, at);
    if (inner) {
      const nesting = 'nesting' in definition ? definition.nesting : definition.nested?.nesting;
      value = modifyNested(run, inner, nesting ?? 'single', value, configValue, priorElement, at);
    }
    changed ||= value !== before;
    values[slot.index] = value;
  }
  return changed ? objectOf(compiled.layout.type, values) : planned;
}

function modifyNested(
  run: ModifierRun,
  inner: CompiledObject,
  nesting: string,
  planned: Value,
  config: Value,
  state: Value,
  path: Path,
): Value {
  return overElements(inner, nesting, planned, (element, key, index) => {
    const at = key === undefined ? path : [...path, indexStep(key)];
    const nullObject = nullOf(inner.layout.type);
    // Elements of sets have no identity; the framework matches them by position.
    const place = nesting === 'set' ? number(index) : key;
    const configValue = elementAt(nesting, config, place) ?? nullObject;
    const priorElement = elementAt(nesting, state, place) ?? nullObject;
    return modify(run, inner, element, configValue, priorElement, at);
  });
}

function runModifiers(
  run: ModifierRun,
  modifiers: readonly Modifier[],
  planned: Value,
  configValue: Value,
  stateValue: Value,
  path: Path,
): Value {
  const { config, plan, state } = run;
  let planValue = planned;
  for (const modifier of modifiers) {
    const answer = modifier({ path, config, plan, state, configValue, planValue, stateValue });
    if (answer === undefined) continue;
    planValue = answer.planValue ?? planValue;
    if (answer.requiresReplace === true) run.requiresReplace.push(path);
    if (answer.diagnostics) run.diagnostics.push(...answer.diagnostics);
  }
  return planValue;
}
