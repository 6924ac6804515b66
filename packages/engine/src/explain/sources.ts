import type { InstanceKey, ModuleInstance, Reference } from '@terrane/addresses';
import { attrStep, indexStep, type Path, type Value } from '@terrane/cty';
import { asList, asMap, type Expression, type Range, type Traversal } from '@terrane/hcl';
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
import { alike, partOf, valueIn } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** What is asked of an expression: why it changes with other resources, or why it is not known. */
export type Question = 'changed' | 'unknown';

/** A named value: the expression that gives it, and the part of it that is meant. */
export interface Source {
  readonly kind: 'local' | 'argument' | 'output' | 'repetition';
  readonly address: string;
  readonly range: Range;
  readonly expression: Expression;
  readonly place: Place;
  readonly path: Path;
}

/** Whatever repeats a resource or a call. */
export function repeats({ count, forEach, enabled }: Repeatable): Expression | undefined {
  return count ?? forEach ?? enabled;
}

/** What expressions come to, before and after, and what stands behind the names in them. */
export class Sources {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;

  constructor(facts: PlanFacts, worlds: Worlds) {
    this.#facts = facts;
    this.#worlds = worlds;
  }

  /** What an expression came to with what the last run left. */
  before(expression: Expression, place: Place, path: Path): Value | undefined {
    return valueIn(expression, this.#worlds.before.scope(place), path);
  }

  /** What an expression comes to with what is planned. */
  after(expression: Expression, place: Place, path: Path): Value | undefined {
    return valueIn(expression, this.#worlds.after.scope(place), path);
  }

  /** The same for a reference. */
  afterOf(traversal: Traversal, place: Place, path: Path): Value | undefined {
    const { range } = traversal;
    return this.after({ kind: 'scopeTraversal', range, traversal }, place, path);
  }

  /** Both, for a cause; what was only as far as it is known. */
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

  /** Whether an expression answers a question at all. */
  concerns(expression: Expression, place: Place, path: Path, question: Question): boolean {
    const after = this.after(expression, place, path);
    if (question === 'unknown') return after === undefined || !after.isWhollyKnown();
    const before = this.before(expression, place, path);
    // What is known neither of what was nor of what is may differ.
    return before?.isWhollyKnown() === false || !isUnchanged(before, after);
  }

  /** The parts of a constructor that a path leads into; undefined for anything else. */
  parts(
    expression: Expression,
    place: Place,
    path: Path,
  ): readonly (readonly [Expression, Path])[] | undefined {
    const items = asMap(expression);
    const [first, ...rest] = path;
    if (items !== undefined) {
      if (first === undefined) return items.map(({ value }) => [value, []] as const);
      const name = nameOfStep(first);
      return items
        .filter(({ key }) => this.text(key, place) === name)
        .map(({ value }) => [value, rest] as const);
    }
    const elements = asList(expression);
    if (elements === undefined) return undefined;
    if (first === undefined) return elements.map((element) => [element, []] as const);
    const at = first.kind === 'index' && first.key.type.kind === 'number' ? first.key.asInt() : -1;
    const element = elements[at];
    return element === undefined
      ? elements.map((one) => [one, []] as const)
      : [[element, rest] as const];
  }

  /** The steps to the elements that a collection has, or had. */
  elements(collection: Expression, place: Place): readonly Path[number][] {
    const found = new Map<string, Path[number]>();
    for (const value of [this.before(collection, place, []), this.after(collection, place, [])])
      for (const step of value === undefined ? [] : elementSteps(value))
        found.set(nameOfStep(step), step);
    return [...found.values()];
  }

  /** The arm of a conditional that is chosen; undefined where that is not known. */
  taken(
    expression: Extract<Expression, { kind: 'conditional' }>,
    place: Place,
  ): Expression | undefined {
    const value = this.after(expression.condition, place, []);
    if (value === undefined || !isPlain(value)) return undefined;
    return asText(value) === 'true' ? expression.ifTrue : expression.ifFalse;
  }

  /** What an expression comes to as text; undefined where that is not known. */
  text(expression: Expression, place: Place): string | undefined {
    const value = this.after(expression, place, []);
    return value !== undefined && isPlain(value) ? asText(value) : undefined;
  }

  /** The configuration of a module instance. */
  moduleOf(instance: ModuleInstance): Module | undefined {
    return this.#facts.plan.configuration.modules.get(instance.path.text);
  }

  /** The keys of the instances of a module call. */
  callKeys(module: ModuleInstance, name: string): readonly InstanceKey[] {
    const cells = this.#worlds.after.evaluation.find(module);
    return [...(cells?.calls.get(name)?.instances.keys() ?? [])];
  }

  /** The expression that gives a named value, and the part of it that a path selects. */
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
        const given = config.call?.body.justAttributes().attributes.get(subject.name);
        if (parent === undefined || given === undefined || config.call === undefined)
          return undefined;
        const { expression, range } = given;
        const address = `${prefix}var.${subject.name}`;
        const within = { of: config.call, key: module.keys.at(-1) };
        return {
          kind: 'argument',
          address,
          range,
          expression,
          place: { module: parent, within },
          path,
        };
      }
      case 'moduleCall': {
        const child = config.children.get(subject.name);
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
        const declared = output === undefined ? undefined : child?.outputs.get(output);
        if (declared === undefined) return undefined;
        const instance = module.child(subject.name, key);
        const address = `${instance.text}.${declared.name}`;
        const { expression, range } = declared;
        return {
          kind: 'output',
          address,
          range,
          expression,
          place: { module: instance },
          path: rest,
        };
      }
      case 'each': {
        const { within } = place;
        const expression = within?.of.forEach;
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

  /** The outputs that a reference to a module selects that names none, with the steps to each. */
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

  /** A variable of a child module that the call does not set: its default. */
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
    const left: Cause | undefined = call && {
      kind: 'argument-removed',
      address: `${module.text}.var.${subject.name}`,
      attribute: [attrStep(subject.name)],
      range: call.range,
      possible: true,
      causes: [],
    };
    return [
      ...(left === undefined ? [] : [left]),
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

  /** A variable of the root module, and where its value came from; undefined where that is what was wanted. */
  variable(name: string, path: Path, wanted: Value | undefined): readonly Cause[] | undefined {
    const { plan } = this.#facts;
    const variable = plan.configuration.root.variables.get(name);
    if (variable === undefined) return undefined;
    const whole = this.#worlds.after.evaluation.root.variables.get(name);
    const after = partOf(whole, path);
    if (wanted !== undefined && after !== undefined && alike(after, wanted)) return undefined;
    const given = plan.variables.has(name) || plan.applyTimeVariables.includes(name);
    const origin =
      plan.variableOrigins?.get(name) ??
      (given ? ({ source: 'plan' } as const) : defaultOrigin(variable.range));
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

  /** What is behind a named value, told as behind that; nothing where nothing is. */
  through<S extends Source>(source: S, find: (source: S) => readonly Cause[]): readonly Cause[] {
    const found = find(source);
    if (found.length === 0) return [];
    const { kind, address, range } = source;
    const values = this.values(source.expression, source.place, source.path);
    return [{ kind, address, ...withPath(source.path), range, ...values, causes: found }];
  }
}
