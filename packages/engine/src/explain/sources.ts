import type { InstanceKey, ModuleInstance, Reference } from '@terrane/addresses';
import { attrStep, indexStep, type Path, type Value } from '@terrane/cty';
import {
  asList,
  asMap,
  type Expression,
  type KeyValueExpressions,
  type Range,
  type Traversal,
} from '@terrane/hcl';
import type { Module } from '../config/model.ts';
import { defaultOrigin } from '../config/variable-origin.ts';
import type { Repeatable } from '../evaluate/expansion.ts';
import { secret, withPath } from './cause-parts.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause, CauseProperties } from './model.ts';
import {
  asText,
  elementSteps,
  isPlain,
  isUnchanged,
  keyOfStep,
  nameOfStep,
} from './value-parts.ts';
import { alike, partOf } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** The question to follow: why a value changes with other resources, or why it is unknown. */
export type Question = 'changed' | 'unknown';

/** The expression that defines a named value, and the path to the referenced part. */
export interface Source {
  readonly kind: 'local' | 'argument' | 'output' | 'repetition';
  readonly address: string;
  readonly range: Range;
  readonly expression: Expression;
  readonly place: Place;
  readonly path: Path;
}

/** Returns the expression that repeats a resource or module call. */
export function repeats({ count, forEach, enabled }: Repeatable): Expression | undefined {
  return count ?? forEach ?? enabled;
}

/** Evaluates expressions with stored and planned objects, and resolves their references. */
export class Sources {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;

  constructor(facts: PlanFacts, worlds: Worlds) {
    this.#facts = facts;
    this.#worlds = worlds;
  }

  /** Evaluates an expression with the stored objects. */
  before(expression: Expression, place: Place, path: Path): Value | undefined {
    return partOf(this.#worlds.before.value(expression, place), path);
  }

  /** Evaluates an expression with the planned objects. */
  after(expression: Expression, place: Place, path: Path): Value | undefined {
    return partOf(this.#worlds.after.value(expression, place), path);
  }

  /** Evaluates a reference with the planned objects. */
  afterOf(traversal: Traversal, place: Place, path: Path): Value | undefined {
    const { range } = traversal;
    return this.after({ kind: 'scopeTraversal', range, traversal }, place, path);
  }

  /** Returns both values as properties of a cause; the earlier one only if it is wholly known. */
  values(
    expression: Expression,
    place: Place,
    path: Path,
  ): Partial<Pick<CauseProperties, 'before' | 'after'>> {
    const before = this.before(expression, place, path);
    const after = this.after(expression, place, path);
    return {
      ...(before === undefined || !before.isWhollyKnown() ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
  }

  /** Returns whether the value of an expression is changed or unknown, so that a question applies to it. */
  concerns(expression: Expression, place: Place, path: Path, question: Question): boolean {
    const after = this.after(expression, place, path);
    if (question === 'unknown') return after === undefined || !after.isWhollyKnown();
    const before = this.before(expression, place, path);
    // A value that was unknown may differ.
    return before?.isWhollyKnown() === false || !isUnchanged(before, after);
  }

  /** Returns the keys of an object constructor that contribute to its part at a path. */
  keys(expression: Expression, place: Place, [first]: Path): readonly Expression[] {
    const items = asMap(expression);
    const selected =
      items === undefined || first === undefined
        ? items
        : this.#itemsWithName(expression, items, place, first);
    return (selected ?? []).map(({ key }) => key).filter(({ kind }) => kind !== 'literal');
  }

  #itemsWithName(
    expression: Expression,
    items: readonly KeyValueExpressions[],
    place: Place,
    step: Path[number],
  ): readonly KeyValueExpressions[] {
    const byName = this.#worlds.itemsByName.of(expression, place, () =>
      grouped(items.map((item) => [this.text(item.key, place), item])),
    );
    return byName.get(nameOfStep(step)) ?? [];
  }

  /** Returns the parts of a constructor at a path; undefined for other expressions. */
  parts(
    expression: Expression,
    place: Place,
    path: Path,
  ): readonly (readonly [Expression, Path])[] | undefined {
    const items = asMap(expression);
    const [first, ...rest] = path;
    if (items !== undefined) {
      if (first === undefined) return items.map(({ value }) => [value, []] as const);
      return this.#itemsWithName(expression, items, place, first).map(
        ({ value }) => [value, rest] as const,
      );
    }
    const elements = asList(expression);
    if (elements === undefined) return undefined;
    if (first === undefined) return elements.map((element) => [element, []] as const);
    const index =
      first.kind === 'index' && first.key.type.kind === 'number' ? first.key.asInt() : -1;
    const element = elements[index];
    return element === undefined
      ? elements.map((element) => [element, []] as const)
      : [[element, rest] as const];
  }

  /**
   * Returns the steps to the elements of a collection from which a loop makes an entry with a name, and to those whose key
   * is unknown; none if it was made from an element that the collection no longer has.
   */
  elementsOfEntry(
    expression: Extract<Expression, { kind: 'for' }>,
    place: Place,
    name: string,
  ): Path {
    const steps = this.#worlds.elementsByName.of(expression, place, () => {
      const { collection, key, valueName, keyName } = expression;
      const found: (readonly [string | undefined, Path[number]])[] = [];
      if (key === undefined) return grouped(found);
      const present = new Set<string>();
      const removed = new Set<string | undefined>();
      const { after, before } = this.#worlds;
      for (const world of [after, before]) {
        const all = world.value(collection, place);
        for (const step of all === undefined ? [] : elementSteps(all)) {
          const element = step.kind === 'index' ? partOf(all, [step]) : undefined;
          if (step.kind !== 'index' || element === undefined) continue;
          const iterators = new Map(place.iterators).set(valueName, element);
          if (keyName !== undefined) iterators.set(keyName, step.key);
          const entry = plainText(world.value(key, { ...place, iterators }));
          if (world === after) present.add(nameOfStep(step));
          else if (!present.has(nameOfStep(step))) removed.add(entry);
          found.push([entry, step]);
        }
      }
      return grouped(removed.has(undefined) ? [] : found.filter(([entry]) => !removed.has(entry)));
    });
    const selected = [...(steps.get(name) ?? []), ...(steps.get(undefined) ?? [])];
    return [...new Map(selected.map((step) => [nameOfStep(step), step])).values()];
  }

  /** Returns the steps to the current and earlier elements of a collection. */
  elements(collection: Expression, place: Place): readonly Path[number][] {
    const steps = new Map<string, Path[number]>();
    for (const value of [this.before(collection, place, []), this.after(collection, place, [])])
      for (const step of value === undefined ? [] : elementSteps(value))
        steps.set(nameOfStep(step), step);
    return [...steps.values()];
  }

  /** Returns the selected arm of a conditional; undefined if the condition is unknown. */
  branchOf(
    expression: Extract<Expression, { kind: 'conditional' }>,
    place: Place,
  ): Expression | undefined {
    const value = this.after(expression.condition, place, []);
    if (value === undefined || !isPlain(value)) return undefined;
    return asText(value) === 'true' ? expression.ifTrue : expression.ifFalse;
  }

  /** Returns the value of an expression as text; undefined if it is unknown or not primitive. */
  text(expression: Expression, place: Place): string | undefined {
    return plainText(this.after(expression, place, []));
  }

  /** Returns the configuration of a module instance. */
  moduleOf(instance: ModuleInstance): Module | undefined {
    return this.#facts.plan.configuration.modules.get(instance.path.text);
  }

  /** Returns the keys of the instances of a module call. */
  callKeys(module: ModuleInstance, name: string): readonly InstanceKey[] {
    const cells = this.#worlds.after.evaluation.find(module);
    return [...(cells?.calls.get(name)?.instances.keys() ?? [])];
  }

  /** Resolves a reference to the expression of a named value; undefined for others. */
  sourceOf({ subject }: Reference, place: Place, path: Path): Source | undefined {
    const { module } = place;
    const config = this.moduleOf(module);
    if (config === undefined) return undefined;
    const prefix = module.isRoot ? '' : `${module.text}.`;
    switch (subject.kind) {
      case 'local': {
        const local = config.locals.get(subject.name);
        if (local === undefined) return undefined;
        const { expression, range } = local;
        const address = `${prefix}local.${subject.name}`;
        return { kind: 'local', address, range, expression, place: { module }, path };
      }
      case 'variable': {
        const { parent } = module;
        const argument = config.call?.body.justAttributes().attributes.get(subject.name);
        if (parent === undefined || argument === undefined || config.call === undefined)
          return undefined;
        const { expression, range } = argument;
        const address = `${prefix}var.${subject.name}`;
        const within = { repeatable: config.call, key: module.keys.at(-1) };
        return {
          kind: 'argument',
          address,
          range,
          expression,
          place: { module: parent, within },
          path,
        };
      }
      case 'moduleCall':
        return outputOf(subject, module, config, path);
      case 'each': {
        const { within } = place;
        const expression = within?.repeatable.forEach;
        if (within === undefined || expression === undefined || subject.name !== 'value')
          return undefined;
        return {
          kind: 'repetition',
          address: `${prefix}each.value`,
          range: expression.range,
          expression,
          place: { module },
          path: within.key === undefined ? path : [indexStep(within.key), ...path],
        };
      }
      default:
        return undefined;
    }
  }

  /** Returns the outputs of a reference to a whole module, with the steps to each. */
  outputsOf(
    { subject }: Reference,
    { module }: Place,
    path: Path,
  ): readonly (Source & { readonly steps: Path })[] {
    const config = this.moduleOf(module);
    if (subject.kind !== 'moduleCall' || subject.output !== undefined) return [];
    const child = config?.children.get(subject.name);
    const call = config?.calls.get(subject.name);
    if (child === undefined || call === undefined) return [];
    const isOne = subject.key !== undefined || repeats(call) === undefined;
    const [first] = path;
    const keys = isOne
      ? [subject.key]
      : this.callKeys(module, subject.name).filter(
          (key) => first === undefined || String(key) === nameOfStep(first),
        );
    return keys.flatMap((key) => {
      const instance = module.child(subject.name, key);
      const outer = isOne || first !== undefined || key === undefined ? [] : [indexStep(key)];
      return [...child.outputs.values()].map(({ name, expression, range }) => ({
        kind: 'output' as const,
        address: `${instance.text}.${name}`,
        range,
        expression,
        place: { module: instance },
        path: [],
        steps: [...outer, attrStep(name)],
      }));
    });
  }

  /** Returns the default of a child module's variable that the call does not set, as causes. */
  missingArgument(
    { subject }: Reference,
    { module }: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] | undefined {
    if (subject.kind !== 'variable') return undefined;
    const variable = this.moduleOf(module)?.variables.get(subject.name);
    if (variable === undefined) return undefined;
    const after = partOf(variable.default, path);
    const call = this.moduleOf(module)?.call;
    const removal: Cause | undefined = call && {
      kind: 'argument-removed',
      address: `${module.text}.var.${subject.name}`,
      attribute: [attrStep(subject.name)],
      range: call.range,
      possible: true,
      causes: [],
    };
    return [
      ...(removal === undefined ? [] : [removal]),
      {
        kind: 'variable',
        possible: true,
        address: `${module.text}.var.${subject.name}`,
        ...withPath(path),
        range: variable.range,
        origin: defaultOrigin(variable.range),
        ...(wanted === undefined ? {} : { before: secret(wanted, variable.sensitive) }),
        ...(after === undefined ? {} : { after: secret(after, variable.sensitive) }),
        causes: [],
      },
    ];
  }

  /** Returns a root variable as a cause with its origin; undefined if it has the earlier value. */
  variable(name: string, path: Path, wanted: Value | undefined): readonly Cause[] | undefined {
    const { plan } = this.#facts;
    const variable = plan.configuration.root.variables.get(name);
    if (variable === undefined) return undefined;
    const value = this.#worlds.after.evaluation.root.variables.get(name);
    const after = partOf(value, path);
    if (wanted !== undefined && after !== undefined && alike(after, wanted)) return undefined;
    const isSet = plan.variables.has(name) || plan.applyTimeVariables.includes(name);
    const origin =
      plan.variableOrigins?.get(name) ??
      (isSet ? ({ source: 'plan' } as const) : defaultOrigin(variable.range));
    return [
      {
        kind: 'variable',
        address: `var.${name}`,
        ...withPath(path),
        range: variable.range,
        origin,
        ...(wanted === undefined ? {} : { before: secret(wanted, variable.sensitive) }),
        ...(after === undefined ? {} : { after }),
        causes: [],
      },
    ];
  }

  /** Returns a named value with its own causes; none if there are none. */
  through<S extends Source>(source: S, find: (source: S) => readonly Cause[]): readonly Cause[] {
    const causes = find(source);
    if (causes.length === 0) return [];
    const { kind, address, range } = source;
    const values = this.values(source.expression, source.place, source.path);
    return [{ kind, address, ...withPath(source.path), range, ...values, causes }];
  }
}

function plainText(value: Value | undefined): string | undefined {
  return value !== undefined && isPlain(value) ? asText(value) : undefined;
}

function grouped<K, V>(entries: readonly (readonly [K, V])[]): ReadonlyMap<K, readonly V[]> {
  const groups = new Map<K, V[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Resolves a reference to an output of a child module; undefined if it does not select one. */
function outputOf(
  subject: Extract<Reference['subject'], { kind: 'moduleCall' }>,
  module: ModuleInstance,
  { children }: Module,
  path: Path,
): Source | undefined {
  let rest = path;
  let { key, output } = subject;
  if (key === undefined && output === undefined && rest[0]?.kind === 'index') {
    key = keyOfStep(rest[0].key);
    rest = rest.slice(1);
  }
  if (output === undefined && rest[0]?.kind === 'attr') {
    output = rest[0].name;
    rest = rest.slice(1);
  }
  const declared =
    output === undefined ? undefined : children.get(subject.name)?.outputs.get(output);
  if (declared === undefined) return undefined;
  const instance = module.child(subject.name, key);
  const { name, expression, range } = declared;
  return {
    kind: 'output',
    address: `${instance.text}.${name}`,
    range,
    expression,
    place: { module: instance },
    path: rest,
  };
}
