import { attrStep, bool, indexStep, type Path, str, STRING, type Value } from '@terrane/cty';
import {
  asList,
  asMap,
  children,
  type Expression,
  functionCalls,
  type Range,
  type Traversal,
  type TraversalStep,
  valueFromPlain,
  variables,
} from '@terrane/hcl';
import type { InstanceKey } from '../addrs/instance-key.ts';
import type { ModuleInstance } from '../addrs/module-path.ts';
import { parseReference, type Reference } from '../addrs/reference.ts';
import { AbsResource, type InstanceAddr } from '../addrs/resource-addr.ts';
import { defaultOrigin } from '../config/variable-origin.ts';
import type { Module } from '../config/model.ts';
import type { Repeatable } from '../evaluate/expansion.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { alike, asType, isSet, partOf, valueIn } from './values.ts';
import type { Place, Worlds } from './worlds.ts';

/** What is behind the changes of other resources. */
export interface Chains {
  /** why an instance is changed at all */
  change(addr: InstanceAddr): readonly Cause[];
  /** why a part of it differs from what the last run left */
  attribute(addr: InstanceAddr, path: Path): readonly Cause[];
  /** what a part of it that is not known waits for */
  unknown(addr: InstanceAddr, path: Path): readonly Cause[];
}

/** What is asked of an expression: why it changes with other resources, or why it is not known. */
type Question = 'changed' | 'unknown';

/** A named value: the expression that gives it, and the part of it that is meant. */
interface Source {
  readonly kind: 'local' | 'argument' | 'output' | 'repetition';
  readonly address: string;
  readonly range: Range;
  readonly expression: Expression;
  readonly place: Place;
  readonly path: Path;
}

/** Deeper than this a chain is not followed: what is behind it is told where that is explained. */
const DEEPEST = 60;

/** Expressions of which the operands mean what they mean on their own. */
const WHOLE: ReadonlySet<Expression['kind']> = new Set([
  'call',
  'binary',
  'unary',
  'templateJoin',
  'json',
]);

const IMPURE: ReadonlySet<string> = new Set(['timestamp', 'plantimestamp', 'uuid', 'bcrypt']);
const READS_FILES = /^(?:core::)?(?:file|templatefile$)/;
/** Functions that give their first argument, of another type or with other marks. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'tostring',
  'tonumber',
  'tobool',
  'tolist',
  'toset',
  'tomap',
  'sensitive',
  'nonsensitive',
  'ephemeralasnull',
  'issensitive',
  'one',
]);

/** Follows expressions to what is behind their values. One for each thing that is explained. */
export class Tracer {
  readonly #facts: PlanFacts;
  readonly #worlds: Worlds;
  readonly #chains: Chains;
  readonly #told = new Set<string>();
  #depth = 0;

  constructor(facts: PlanFacts, worlds: Worlds, chains: Chains) {
    this.#facts = facts;
    this.#worlds = worlds;
    this.#chains = chains;
  }

  /** What is behind something, unless that was told before or lies too deep. */
  once(key: string, find: () => readonly Cause[]): Pick<Cause, 'causes' | 'told'> {
    if (this.#told.has(key) || this.#depth >= DEEPEST) return { causes: [], told: true };
    this.#told.add(key);
    this.#depth++;
    try {
      return { causes: find() };
    } finally {
      this.#depth--;
    }
  }

  /**
   * Why an expression does not give what it gave, which is `wanted`; undefined where that is not known.
   * First what changes with other resources, then what its text and variables come to, as far as these
   * make a difference.
   */
  differs(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const moved = this.#follow(expression, place, path, 'changed');
    const before = this.#before(expression, place, path);
    if (wanted === undefined) return moved;
    const isSame = before !== undefined && before.isWhollyKnown() && alike(before, wanted);
    if (isSame) return moved;
    return [...moved, ...this.#said(expression, place, path, wanted)];
  }

  /** What an expression that is not known waits for. */
  unknown(expression: Expression, place: Place, path: Path): readonly Cause[] {
    const found = this.#follow(expression, place, path, 'unknown');
    if (found.length > 0 || !this.#concerns(expression, place, path, 'unknown')) return found;
    // A function may give what is not known of what is.
    return [this.#source(expression, place, path, undefined)];
  }

  /** What of other resources makes an expression differ. */
  changed(expression: Expression, place: Place, path: Path = []): readonly Cause[] {
    return this.#follow(expression, place, path, 'changed');
  }

  /** What texts and variables an expression is made of, where what it gave before is not known. */
  said(expression: Expression, place: Place): readonly Cause[] {
    return this.#said(expression, place, [], undefined);
  }

  /** Why an expression whose value has, or has not, a key: the first answers for maps and sets. */
  membership(
    expression: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] {
    const moved = this.#follow(expression, place, [], 'changed');
    const before = this.#before(expression, place, []);
    if (before !== undefined && before.isKnown && holds(before, key) !== present) return moved;
    const found = this.#memberSaid(expression, place, key, present);
    return moved.length > 0 && found.length === 0 ? moved : [...moved, ...found];
  }

  /** What an expression comes to. */
  value(expression: Expression, place: Place): Value | undefined {
    return this.#after(expression, place, []);
  }

  /** Whether the configuration asks for a module instance. */
  exists(module: ModuleInstance): boolean {
    return this.#worlds.after.evaluation.find(module) !== undefined;
  }

  #before(expression: Expression, place: Place, path: Path): Value | undefined {
    return valueIn(expression, this.#worlds.before.scope(place), path);
  }

  #after(expression: Expression, place: Place, path: Path): Value | undefined {
    return valueIn(expression, this.#worlds.after.scope(place), path);
  }

  // ---------- what changes, or is not known, because of other resources

  #concerns(expression: Expression, place: Place, path: Path, question: Question): boolean {
    const after = this.#after(expression, place, path);
    if (question === 'unknown') return after === undefined || !after.isWhollyKnown();
    return !isUnchanged(this.#before(expression, place, path), after);
  }

  #follow(expression: Expression, place: Place, path: Path, question: Question): readonly Cause[] {
    if (expression.kind === 'literal' || !this.#concerns(expression, place, path, question))
      return [];
    const follow = (inner: Expression, within: Path = path): readonly Cause[] =>
      this.#follow(inner, place, within, question);
    switch (expression.kind) {
      case 'templateWrap':
        return follow(expression.wrapped);
      case 'parentheses':
        return follow(expression.inner);
      case 'template':
        return expression.parts.flatMap((part) => follow(part, []));
      case 'iteration':
        return this.#follow(
          expression.wrapped,
          { ...place, iterators: expression.iterators },
          path,
          question,
        );
      case 'conditional': {
        const inCondition = follow(expression.condition, []);
        if (inCondition.length > 0) return inCondition;
        const taken = this.#taken(expression, place);
        return taken === undefined
          ? [...follow(expression.ifTrue), ...follow(expression.ifFalse)]
          : follow(taken);
      }
      case 'relativeTraversal':
        return follow(expression.source, [...pathOf(expression.traversal.steps), ...path]);
      case 'index': {
        const key = this.#after(expression.key, place, []);
        const inKey = follow(expression.key, []);
        const usable = key !== undefined && key.isKnown && !key.isNull;
        const inside = usable
          ? follow(expression.collection, [indexStep(key.unmark()), ...path])
          : follow(expression.collection, []);
        return [...inKey, ...inside];
      }
      case 'splat':
        return this.#splat(expression, place, path, question);
      case 'for':
        return this.#loop(expression, place, path, question);
      case 'scopeTraversal':
        return this.#reference(expression.traversal, place, path, question);
      default:
        break;
    }
    const parts = this.#parts(expression, place, path);
    if (parts !== undefined) return parts.flatMap(([part, within]) => follow(part, within));
    const functions = question === 'unknown' ? this.#impure(expression) : [];
    const found = WHOLE.has(expression.kind)
      ? children(expression).flatMap((child) => follow(child, []))
      : this.#traversals(expression).flatMap((traversal) =>
          this.#reference(traversal, place, [], question),
        );
    return distinct([...functions, ...found]);
  }

  /** The parts of a constructor that a path leads into; undefined for anything else. */
  #parts(
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
        .filter(({ key }) => this.#text(key, place) === name)
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

  #splat(
    expression: Extract<Expression, { kind: 'splat' }>,
    place: Place,
    path: Path,
    question: Question,
  ): readonly Cause[] {
    const { source, each } = expression;
    const inside = each.kind === 'relativeTraversal' ? pathOf(each.traversal.steps) : [];
    const [first, ...rest] = path;
    const all = this.#after(source, place, []);
    const isMany =
      all !== undefined &&
      all.isKnown &&
      !all.isNull &&
      ['list', 'set', 'tuple'].includes(all.type.kind);
    if (!isMany) return this.#follow(source, place, [...inside, ...rest], question);
    if (first?.kind === 'index')
      return this.#follow(source, place, [first, ...inside, ...rest], question);
    const found = this.#elements(source, place).flatMap((step) =>
      this.#follow(source, place, [step, ...inside], question),
    );
    return found.length > 0 ? found : this.#follow(source, place, [], question);
  }

  /** The steps to the elements that a collection has, or had. */
  #elements(collection: Expression, place: Place): readonly Path[number][] {
    const found = new Map<string, Path[number]>();
    for (const value of [this.#before(collection, place, []), this.#after(collection, place, [])])
      for (const step of value === undefined ? [] : elementSteps(value))
        found.set(nameOfStep(step), step);
    return [...found.values()];
  }

  /** A loop: of the elements only what its body looks at counts. */
  #loop(
    expression: Extract<Expression, { kind: 'for' }>,
    place: Place,
    path: Path,
    question: Question,
  ): readonly Cause[] {
    const { collection, key, value, condition, valueName, keyName } = expression;
    const bound = new Set([valueName, ...(keyName === undefined ? [] : [keyName])]);
    const used: Path[] = [];
    const outside: Traversal[] = [];
    for (const part of [key, value, condition]) {
      for (const traversal of part === undefined ? [] : variables(part)) {
        const [root] = traversal.steps;
        const isBound = root?.kind === 'root' && bound.has(root.name);
        if (!isBound) outside.push(traversal);
        else if (root.name === valueName) used.push(pathOf(traversal.steps.slice(1)));
      }
    }
    const steps = this.#elements(collection, place);
    const [first] = path;
    // Without a condition the elements of the result are those of the collection, one by one.
    const isOneByOne = condition === undefined && key === undefined && first?.kind === 'index';
    const chosen = isOneByOne
      ? steps.filter((step) => step.kind === 'index' && step.key.rawEquals(first.key))
      : steps;
    const found = chosen.flatMap((step) =>
      used.flatMap((within) => this.#follow(collection, place, [step, ...within], question)),
    );
    const others = outside.flatMap((traversal) => this.#reference(traversal, place, [], question));
    const both = distinct([...found, ...others]);
    return both.length > 0 ? both : this.#follow(collection, place, [], question);
  }

  #reference(
    traversal: Traversal,
    place: Place,
    extra: Path,
    question: Question,
  ): readonly Cause[] {
    const root = traversal.steps[0];
    if (root?.kind === 'root' && place.iterators?.has(root.name) === true) {
      const { iterators: _, generators = [], ...outside } = place;
      return generators.flatMap((one) => this.#follow(one, outside, [], question));
    }
    const { reference } = parseReference(traversal);
    if (reference === undefined) return [];
    const rest: Path = [...pathOf(traversal.steps.slice(reference.consumed)), ...extra];
    const { subject } = reference;
    if (subject.kind === 'resource')
      return this.#resources(reference, subject, place.module, rest, question);
    const source = this.#sourceOf(reference, place, rest);
    if (source === undefined)
      return this.#outputsOf(reference, place, rest).flatMap((one) =>
        this.#through(one, (output) =>
          this.#follow(output.expression, output.place, output.path, question),
        ),
      );
    const found = this.#follow(source.expression, source.place, source.path, question);
    if (found.length === 0) return [];
    return [
      {
        kind: source.kind,
        ...(source.kind === 'repetition' ? { name: 'each.value' } : {}),
        address: source.address,
        ...withPath(source.path),
        range: source.range,
        ...this.#values(source.expression, source.place, source.path),
        causes: found,
      },
    ];
  }

  #values(expression: Expression, place: Place, path: Path): Pick<Cause, 'before' | 'after'> {
    const before = this.#before(expression, place, path);
    const after = this.#after(expression, place, path);
    return {
      ...(before === undefined || !before.isWhollyKnown() ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
  }

  #resources(
    reference: Reference,
    subject: Extract<Reference['subject'], { kind: 'resource' }>,
    module: ModuleInstance,
    rest: Path,
    question: Question,
  ): readonly Cause[] {
    const abs = AbsResource.of(module, subject.resource);
    if (subject.hasKey) return this.#instance(abs.instance(subject.key), rest, reference, question);
    const [first, ...inside] = rest;
    if (first?.kind === 'index') {
      const key = keyOfStep(first.key);
      const addr = abs.instance(key);
      if (key !== undefined && this.#isThere(addr))
        return this.#instance(addr, inside, reference, question);
    }
    const keys = new Set<InstanceKey>([
      ...this.#facts.plan.previousState.resourceInstances(abs).keys(),
      ...this.#facts.plannedKeys(abs),
    ]);
    if (keys.size === 0) keys.add(undefined);
    return [...keys].flatMap((key) =>
      this.#instance(
        abs.instance(key),
        key === undefined ? rest : first?.kind === 'index' ? inside : [],
        reference,
        question,
      ),
    );
  }

  #isThere(addr: InstanceAddr): boolean {
    return (
      this.#facts.changes.has(addr) || this.#facts.plan.previousState.instance(addr) !== undefined
    );
  }

  #instance(
    addr: InstanceAddr,
    path: Path,
    { range }: Reference,
    question: Question,
  ): readonly Cause[] {
    const facts = this.#facts;
    const change = facts.changes.get(addr);
    const after = partOf(facts.planned(addr), path);
    const before = partOf(facts.stored(addr), path);
    if (question === 'unknown' ? after?.isWhollyKnown() === true : isUnchanged(before, after))
      return [];
    const link: Omit<Cause, 'causes'> = {
      kind: 'resource',
      address: addr.text,
      ...withPath(path),
      range,
      ...(change === undefined ? {} : { action: change.action }),
      // The whole of an object is too much to tell.
      ...(path.length === 0 || before === undefined || before.isNull ? {} : { before }),
      ...(path.length === 0 || after === undefined ? {} : { after }),
    };
    const key = `${question} ${addr.text} ${path.map(nameOfStep).join('.')}`;
    return [
      {
        ...link,
        ...this.once(key, () =>
          question === 'unknown'
            ? this.#chains.unknown(addr, path)
            : this.#chains.attribute(addr, path),
        ),
      },
    ];
  }

  // ---------- what the text and the variables come to

  #said(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const said = (inner: Expression, within: Path = path, want = wanted): readonly Cause[] =>
      this.#said(inner, place, within, want);
    switch (expression.kind) {
      case 'templateWrap':
        return said(expression.wrapped);
      case 'parentheses':
        return said(expression.inner);
      case 'iteration':
        return this.#said(
          expression.wrapped,
          { ...place, iterators: expression.iterators },
          path,
          wanted,
        );
      case 'relativeTraversal':
        return said(expression.source, [...pathOf(expression.traversal.steps), ...path]);
      case 'scopeTraversal':
        return this.#saidBy(expression.traversal, expression.range, place, path, wanted);
      case 'template':
        return this.#saidTemplate(expression, place, wanted);
      case 'conditional': {
        const taken = this.#taken(expression, place);
        if (taken === undefined) break;
        const other = taken === expression.ifTrue ? expression.ifFalse : expression.ifTrue;
        const otherwise = this.#after(other, place, path);
        const flips = wanted !== undefined && otherwise !== undefined && alike(otherwise, wanted);
        if (!flips) return said(taken);
        return said(expression.condition, [], bool(taken !== expression.ifTrue));
      }
      case 'unary':
        if (expression.operator === '!' && wanted?.type.kind === 'bool' && isPlain(wanted))
          return said(expression.operand, [], bool(!wanted.unmark().asBool()));
        break;
      case 'index': {
        const key = this.#after(expression.key, place, []);
        if (key === undefined || !key.isKnown || key.isNull) break;
        const inKey = this.#saidKey(expression, place, path, wanted);
        if (inKey.length > 0) return inKey;
        return said(expression.collection, [indexStep(key.unmark()), ...path]);
      }
      case 'call': {
        const [argument] = expression.args;
        const name = expression.name.replace(/^core::/, '');
        if (argument !== undefined && TRANSPARENT.has(name)) return said(argument);
        if (name === 'jsonencode' && argument !== undefined && wanted !== undefined) {
          const inner = decoded(wanted);
          if (inner !== undefined) return said(argument, [], inner);
        }
        if (name === 'merge') return this.#saidMerge(expression, place, path, wanted);
        break;
      }
      default:
        break;
    }
    const parts = this.#saidParts(expression, place, path, wanted);
    return parts ?? this.#opaque(expression, place, path, wanted);
  }

  /** The entries of a constructor that are not what was wanted. */
  #saidParts(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] | undefined {
    if (asMap(expression) === undefined && asList(expression) === undefined) return undefined;
    if (path.length > 0) {
      const [only, more] = this.#parts(expression, place, path) ?? [];
      return only === undefined || more !== undefined
        ? [this.#source(expression, place, path, wanted)]
        : this.#said(only[0], place, only[1], wanted);
    }
    const whole = [this.#source(expression, place, [], wanted)];
    if (!isSet(wanted) || !wanted.isKnown) return whole;
    const items = asMap(expression);
    const found: Cause[] = [];
    const compare = (value: Expression, want: Value | undefined): void => {
      if (want === undefined) {
        found.push(this.#source(value, place, [], undefined));
        return;
      }
      const now = this.#before(value, place, []) ?? this.#after(value, place, []);
      if (now === undefined || !alike(now, want)) found.push(...this.#said(value, place, [], want));
    };
    if (items !== undefined) {
      const entries = entriesOf(wanted);
      if (entries === undefined) return whole;
      const left = new Set(entries.keys());
      for (const { key, value } of items) {
        const name = this.#text(key, place);
        if (name === undefined) return whole;
        left.delete(name);
        compare(value, entries.get(name));
      }
      for (const name of left) {
        const gone = entries.get(name);
        if (isSet(gone)) found.push({ ...this.#source(expression, place, [], gone), name });
      }
      return found.length > 0 ? found : whole;
    }
    const elements = asList(expression) ?? [];
    const plain = wanted.unmark();
    if (!['list', 'tuple'].includes(plain.type.kind) || plain.length !== elements.length)
      return whole;
    for (const [at, element] of elements.entries()) compare(element, plain.at(at));
    return found.length > 0 ? found : whole;
  }

  #saidMerge(
    expression: Extract<Expression, { kind: 'call' }>,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const [first, ...rest] = path;
    const lastWith = (name: string): Expression | undefined =>
      expression.args.findLast((argument) => {
        const value = this.#after(argument, place, []);
        return value !== undefined && holds(value, name);
      });
    if (first !== undefined) {
      const name = nameOfStep(first);
      const argument = lastWith(name);
      if (argument !== undefined) return this.#said(argument, place, [first, ...rest], wanted);
    }
    const now = this.#after(expression, place, []);
    const entries = wanted === undefined ? undefined : entriesOf(wanted);
    const current = now === undefined ? undefined : entriesOf(now);
    if (first !== undefined || entries === undefined || current === undefined)
      return this.#opaque(expression, place, path, wanted);
    const found: Cause[] = [];
    for (const [name, value] of current) {
      const want = entries.get(name);
      if (want !== undefined && alike(value, want)) continue;
      const argument = lastWith(name);
      if (argument !== undefined)
        found.push(...this.#said(argument, place, [indexStep(name)], want));
    }
    const isWhole = [...entries.keys()].every((name) => current.has(name));
    return isWhole && found.length > 0
      ? distinct(found)
      : [...distinct(found), ...this.#opaque(expression, place, [], wanted)];
  }

  /** An element of a collection that was another one: the key, where another key gives what was wanted. */
  #saidKey(
    expression: Extract<Expression, { kind: 'index' }>,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const collection = this.#after(expression.collection, place, []);
    if (wanted === undefined || collection === undefined) return [];
    const plain = collection.unmark();
    if (!plain.isKnown || plain.isNull) return [];
    const elements =
      entriesOf(plain) ??
      (['list', 'tuple'].includes(plain.type.kind)
        ? new Map(plain.elements().map((one, at) => [at, one]))
        : undefined);
    if (elements === undefined) return [];
    for (const [key, element] of elements) {
      const part = partOf(element, path);
      if (part === undefined || !alike(part, wanted)) continue;
      const [step] = [indexStep(key)];
      return step.kind === 'index' ? this.#said(expression.key, place, [], step.key) : [];
    }
    return [];
  }

  /** A text of which the literal parts stayed: then what is between them is known. */
  #saidTemplate(
    expression: Extract<Expression, { kind: 'template' }>,
    place: Place,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const whole = [this.#source(expression, place, [], wanted)];
    const varying = expression.parts.filter(({ kind }) => kind !== 'literal');
    if (varying.length === 0) return whole;
    if (wanted === undefined || !isPlain(wanted) || wanted.type.kind !== 'string')
      return this.#opaque(expression, place, [], wanted);
    const want = this.#holes(expression.parts, place, wanted.unmark().asString());
    if (want === 'unclear') return this.#opaque(expression, place, [], wanted);
    if (want === 'other text') {
      // The text did change; what it did not have before may have too.
      const text = wanted.unmark().asString();
      const others = varying.filter((part) => {
        const now = this.#before(part, place, []);
        const known = now !== undefined && isPlain(now) ? asText(now) : undefined;
        return known !== undefined && !text.includes(known);
      });
      const found = others.flatMap((part) => this.#said(part, place, [], undefined));
      return [...whole, ...distinct(found.filter(leadsFurther).map(asPossible))];
    }
    const found = want.flatMap(([part, text]) => {
      const now = this.#before(part, place, []);
      const value = str(text).withMarks(wanted.marks);
      if (now !== undefined && alike(now, value)) return [];
      return this.#said(part, place, [], value);
    });
    return found.length > 0 ? found : whole;
  }

  /** What each part that varies must have been for a text to come out, where its literal parts allow that. */
  #holes(
    parts: readonly Expression[],
    place: Place,
    text: string,
  ): readonly (readonly [Expression, string])[] | 'other text' | 'unclear' {
    const known = parts.map((part) => {
      const value = this.#before(part, place, []);
      if (part.kind === 'literal') return part.value.asString();
      return value !== undefined && isPlain(value) ? asText(value) : undefined;
    });
    const varying = parts.flatMap((part, at) => (part.kind === 'literal' ? [] : [at]));
    // One part after the other is taken for the one that changed, while the others stayed.
    for (const hole of varying) {
      const fixed = known.filter((_text, at) => at !== hole);
      if (fixed.includes(undefined)) continue;
      const head = known.slice(0, hole).join('');
      const tail = known.slice(hole + 1).join('');
      const part = parts[hole];
      if (part === undefined || text.length < head.length + tail.length) continue;
      if (text.startsWith(head) && text.endsWith(tail))
        return [[part, text.slice(head.length, text.length - tail.length)]];
    }
    // All may have changed, where literals tell them apart.
    const found: (readonly [Expression, string])[] = [];
    let rest = text;
    for (const [at, part] of parts.entries()) {
      if (part.kind === 'literal') {
        const literal = part.value.asString();
        if (!rest.startsWith(literal)) return 'other text';
        rest = rest.slice(literal.length);
        continue;
      }
      const next = parts[at + 1];
      if (next === undefined) {
        found.push([part, rest]);
        rest = '';
        continue;
      }
      if (next.kind !== 'literal') return 'unclear';
      const end = rest.indexOf(next.value.asString());
      if (end < 0) return 'other text';
      found.push([part, rest.slice(0, end)]);
      rest = rest.slice(end);
    }
    return rest === '' ? found : 'other text';
  }

  /** What a reference stands for is followed; a resource that stays as it is, is what the text refers to. */
  #saidBy(
    traversal: Traversal,
    range: Range,
    place: Place,
    extra: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const root = traversal.steps[0];
    const text = (): readonly Cause[] => [
      this.#written(range, wanted, this.#afterOf(traversal, place, extra)),
    ];
    if (root?.kind === 'root' && place.iterators?.has(root.name) === true) {
      const { iterators: _, generators = [], ...outside } = place;
      const found = generators.flatMap((one) => this.#said(one, outside, [], undefined));
      return found.length > 0 ? found : text();
    }
    const { reference } = parseReference(traversal);
    if (reference === undefined) return text();
    const rest: Path = [...pathOf(traversal.steps.slice(reference.consumed)), ...extra];
    const { subject } = reference;
    if (subject.kind === 'variable' && place.module.isRoot)
      return this.#variable(subject.name, rest, wanted) ?? text();
    if (subject.kind === 'path' || subject.kind === 'terraform') {
      const after = this.#afterOf(traversal, place, extra);
      return [
        {
          kind: 'environment',
          address: `${subject.kind}.${subject.name}`,
          range,
          ...(wanted === undefined ? {} : { before: wanted }),
          ...(after === undefined ? {} : { after }),
          causes: [],
        },
      ];
    }
    const source = this.#sourceOf(reference, place, rest);
    if (source === undefined && subject.kind === 'moduleCall') {
      const found = this.#saidByCall(reference, place, rest, wanted);
      return found.length > 0 ? found : text();
    }
    if (source === undefined)
      return this.#missingArgument(reference, place, rest, wanted) ?? text();
    const { expression, path } = source;
    const after = this.#after(expression, source.place, path);
    const key = `said ${source.address} ${path.map(nameOfStep).join('.')}`;
    return [
      {
        kind: source.kind,
        ...(source.kind === 'repetition' ? { name: 'each.value' } : {}),
        address: source.address,
        ...withPath(path),
        range: source.range,
        ...(wanted === undefined ? {} : { before: wanted }),
        ...(after === undefined ? {} : { after }),
        ...this.once(key, () => this.#said(expression, source.place, path, wanted)),
      },
    ];
  }

  /** A module as a whole, or an instance of it: which instances there are, and what each gives. */
  #saidByCall(
    reference: Reference,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const { subject } = reference;
    const config = this.#moduleOf(place.module);
    const call = subject.kind === 'moduleCall' ? config?.calls.get(subject.name) : undefined;
    if (subject.kind !== 'moduleCall' || call === undefined) return [];
    const expression = repeats(call);
    const [first] = path;
    const hasOwnKey = subject.key !== undefined || expression === undefined;
    const entries = wanted === undefined ? undefined : entriesOf(wanted);
    if (!hasOwnKey && expression !== undefined) {
      const there = this.#callKeys(place.module, call.name);
      const key = first === undefined ? undefined : nameOfStep(first);
      const gone =
        key === undefined ? [...(entries?.keys() ?? [])] : wanted === undefined ? [] : [key];
      const missing = gone.filter((one) => !there.some((other) => String(other) === one));
      const added =
        entries === undefined || key !== undefined
          ? key !== undefined && wanted === undefined
            ? [key]
            : []
          : there.map(String).filter((one) => !entries.has(one));
      const changed = [
        ...missing.map((one) => [one, false] as const),
        ...added.map((one) => [one, true] as const),
      ];
      const isCounted = call.count !== undefined;
      if (changed.length > 0)
        return changed.slice(0, isCounted ? 1 : changed.length).map(([one, present]): Cause => ({
          kind: 'repetition',
          address: place.module.child(call.name, undefined).text,
          name: isCounted ? 'count' : 'for_each',
          ...(isCounted ? {} : { key: one }),
          present,
          range: expression.range,
          ...this.once(`member ${place.module.text} ${call.name} ${one}`, () =>
            isCounted
              ? this.#said(expression, { module: place.module }, [], undefined)
              : this.membership(expression, { module: place.module }, one, present),
          ),
        }));
    }
    return this.#outputsOf(reference, place, path).flatMap((one) => {
      const steps: Path = [...one.steps];
      const want = wanted === undefined ? undefined : partOf(wanted, steps);
      const now = this.#before(one.expression, one.place, one.path);
      if (want === undefined || (now !== undefined && alike(now, want))) return [];
      return this.#through(one, (output) =>
        this.#said(output.expression, output.place, output.path, want),
      );
    });
  }

  #callKeys(module: ModuleInstance, name: string): readonly InstanceKey[] {
    const cells = this.#worlds.after.evaluation.find(module);
    return [...(cells?.calls.get(name)?.instances.keys() ?? [])];
  }

  /** The outputs that a reference to a module selects that names none, with the steps to each. */
  #outputsOf(
    { subject }: Reference,
    { module }: Place,
    path: Path,
  ): readonly (Source & { readonly steps: Path })[] {
    const config = this.#moduleOf(module);
    if (subject.kind !== 'moduleCall' || subject.output !== undefined) return [];
    const child = config?.children.get(subject.name);
    const call = config?.calls.get(subject.name);
    if (child === undefined || call === undefined) return [];
    const isOne = subject.key !== undefined || repeats(call) === undefined;
    const [first] = path;
    const keys = isOne
      ? [subject.key]
      : this.#callKeys(module, subject.name).filter(
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

  /** What is behind a named value, told as behind that; nothing where nothing is. */
  #through<S extends Source>(source: S, find: (source: S) => readonly Cause[]): readonly Cause[] {
    const found = find(source);
    if (found.length === 0) return [];
    const { kind, address, range } = source;
    const values = this.#values(source.expression, source.place, source.path);
    return [{ kind, address, ...withPath(source.path), range, ...values, causes: found }];
  }

  /** A variable of a child module that the call does not set: its default. */
  #missingArgument(
    { subject }: Reference,
    { module }: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] | undefined {
    if (subject.kind !== 'variable') return undefined;
    const variable = this.#moduleOf(module)?.variables.get(subject.name);
    if (variable === undefined) return undefined;
    const after = partOf(variable.default, path);
    const call = this.#moduleOf(module)?.call;
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

  #variable(name: string, path: Path, wanted: Value | undefined): readonly Cause[] | undefined {
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

  /** An expression that cannot be taken apart: its text, and the variables that it may be instead. */
  #opaque(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const functions = this.#impure(expression);
    if (functions.length > 0) return functions;
    const files = calledNames(expression)
      .filter(([name]) => READS_FILES.test(name))
      .map(([name, range]): Cause => ({ kind: 'file', name, range, possible: true, causes: [] }));
    const possible = this.#traversals(expression).flatMap((traversal) =>
      this.#saidBy(traversal, traversal.range, place, [], undefined).filter(leadsFurther),
    );
    const others = distinct([...files, ...possible.map(asPossible)]);
    const source = this.#source(expression, place, path, wanted);
    return others.length === 0 ? [source] : [asPossible(source), ...others];
  }

  #source(expression: Expression, place: Place, path: Path, wanted: Value | undefined): Cause {
    return this.#written(expression.range, wanted, this.#after(expression, place, path));
  }

  #written(range: Range, wanted: Value | undefined, after: Value | undefined): Cause {
    return {
      kind: 'source',
      range,
      ...(wanted === undefined ? {} : { before: wanted }),
      ...(after === undefined ? {} : { after }),
      causes: [],
    };
  }

  // ---------- keys

  #memberSaid(
    expression: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] {
    const inside = (inner: Expression): readonly Cause[] =>
      this.#memberSaid(inner, place, key, present);
    switch (expression.kind) {
      case 'templateWrap':
        return inside(expression.wrapped);
      case 'parentheses':
        return inside(expression.inner);
      case 'conditional': {
        const taken = this.#taken(expression, place);
        if (taken === undefined) break;
        const other = taken === expression.ifTrue ? expression.ifFalse : expression.ifTrue;
        const otherwise = this.#after(other, place, []);
        if (otherwise !== undefined && holds(otherwise, key) !== present)
          return this.#said(expression.condition, place, [], bool(taken !== expression.ifTrue));
        return inside(taken);
      }
      case 'call': {
        const name = expression.name.replace(/^core::/, '');
        if (TRANSPARENT.has(name) || name === 'keys') {
          const [argument] = expression.args;
          if (argument !== undefined) return inside(argument);
        }
        if (MANY.has(name)) {
          const holding = expression.args.filter((argument) => {
            const value = this.#after(argument, place, []);
            return value !== undefined && holds(value, key);
          });
          if (present && holding.length > 0) return holding.flatMap(inside);
        }
        break;
      }
      case 'scopeTraversal': {
        const { traversal } = expression;
        const { reference } = parseReference(traversal);
        if (reference === undefined) break;
        const rest = pathOf(traversal.steps.slice(reference.consumed));
        const { subject } = reference;
        if (subject.kind === 'variable' && place.module.isRoot)
          return this.#variable(subject.name, rest, undefined) ?? [];
        const source = this.#sourceOf(reference, place, rest);
        if (source === undefined)
          return (
            this.#missingArgument(reference, place, rest, undefined) ?? [
              this.#source(expression, place, [], undefined),
            ]
          );
        const inner =
          source.path.length === 0
            ? this.#memberSaid(source.expression, source.place, key, present)
            : this.#said(source.expression, source.place, source.path, undefined);
        const { kind, address, range } = source;
        return [{ kind, address, range, causes: inner }];
      }
      default:
        break;
    }
    const items = asMap(expression);
    const own = items?.find((item) => this.#text(item.key, place) === key);
    if (own !== undefined) return [{ ...this.#source(own.key, place, [], undefined), name: key }];
    const elements = asList(expression);
    const element = elements?.find((one) => {
      const value = this.#after(one, place, []);
      return value !== undefined && isPlain(value) && asText(value) === key;
    });
    if (element !== undefined && present) {
      if (element.kind === 'scopeTraversal') return this.#said(element, place, [], undefined);
      return [{ ...this.#source(element, place, [], undefined), name: key }];
    }
    if (items !== undefined || elements !== undefined)
      return [this.#source(expression, place, [], undefined)];
    return this.#opaque(expression, place, [], undefined);
  }

  // ---------- references

  /** The expression that gives a named value, and the part of it that a path selects. */
  #sourceOf({ subject }: Reference, place: Place, path: Path): Source | undefined {
    const { module } = place;
    const config = this.#moduleOf(module);
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

  #moduleOf(instance: ModuleInstance): Module | undefined {
    return this.#facts.plan.configuration.modules.get(instance.path.text);
  }

  #afterOf(traversal: Traversal, place: Place, path: Path): Value | undefined {
    const { range } = traversal;
    return this.#after({ kind: 'scopeTraversal', range, traversal }, place, path);
  }

  #taken(
    expression: Extract<Expression, { kind: 'conditional' }>,
    place: Place,
  ): Expression | undefined {
    const value = this.#after(expression.condition, place, []);
    if (value === undefined || !isPlain(value)) return undefined;
    return asText(value) === 'true' ? expression.ifTrue : expression.ifFalse;
  }

  #text(expression: Expression, place: Place): string | undefined {
    const value = this.#after(expression, place, []);
    return value !== undefined && isPlain(value) ? asText(value) : undefined;
  }

  #traversals(expression: Expression): readonly Traversal[] {
    const seen = new Set<string>();
    return variables(expression).filter((traversal) => {
      const text = traversal.range.text();
      if (seen.has(text)) return false;
      seen.add(text);
      return true;
    });
  }

  #impure(expression: Expression): readonly Cause[] {
    return calledNames(expression)
      .filter(([name]) => IMPURE.has(name))
      .map(([name, range]): Cause => ({ kind: 'function', name, range, causes: [] }));
  }
}

/** Functions of which the result has the keys of several arguments. */
const MANY: ReadonlySet<string> = new Set(['merge', 'concat', 'setunion', 'flatten', 'distinct']);

/** Whatever repeats a resource or a call. */
export function repeats({ count, forEach, enabled }: Repeatable): Expression | undefined {
  return count ?? forEach ?? enabled;
}

function calledNames(expression: Expression): readonly (readonly [string, Range])[] {
  return functionCalls(expression).map(({ name, range }) => [name.replace(/^core::/, ''), range]);
}

function isUnchanged(before: Value | undefined, after: Value | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.unmarkDeep().value.rawEquals(after.unmarkDeep().value);
}

function withPath(path: Path): Pick<Cause, 'attribute'> {
  return path.length === 0 ? {} : { attribute: path };
}

function leadsFurther({ kind }: Cause): boolean {
  return kind !== 'source';
}

/** Not sure: of several that are, one at least is it. */
function asPossible(cause: Cause): Cause {
  return { ...cause, possible: true, causes: cause.causes.map(asPossible) };
}

function secret(value: Value, sensitive: boolean): Value {
  return sensitive ? value.mark('sensitive') : value;
}

/** The same thing said twice is said once. */
function distinct(causes: readonly Cause[]): readonly Cause[] {
  const seen = new Set<string>();
  return causes.filter(({ kind, address, attribute, range, told }) => {
    const path = (attribute ?? []).map(nameOfStep).join('.');
    const key = `${kind} ${address ?? ''} ${path} ${address === undefined ? String(range) : ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return told !== true || causes.every((one) => one.told === true || one.address !== address);
  });
}

function isPlain(value: Value): boolean {
  return value.isKnown && !value.isNull;
}

function asText(value: Value): string | undefined {
  const plain = value.unmark();
  switch (plain.type.kind) {
    case 'string':
      return plain.asString();
    case 'bool':
      return String(plain.asBool());
    case 'number': {
      const text = asType(plain, STRING);
      return text?.asString();
    }
    default:
      return undefined;
  }
}

/** Whether a map or object has a key, or a set or list an element. */
function holds(value: Value, key: string): boolean {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return false;
  switch (plain.type.kind) {
    case 'object':
      return plain.type.indexOf(key) !== undefined;
    case 'map':
      return plain.get(key) !== undefined;
    case 'set':
    case 'list':
    case 'tuple':
      return plain.elements().some((one) => isPlain(one) && asText(one) === key);
    default:
      return false;
  }
}

function entriesOf(value: Value): ReadonlyMap<string, Value> | undefined {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return undefined;
  switch (plain.type.kind) {
    case 'object':
      return new Map(plain.type.names.map((name) => [name, plain.attr(name)]));
    case 'map':
      return new Map(plain.entries().map(([key, one]) => [key.asString(), one]));
    default:
      return undefined;
  }
}

/** The value that a JSON text stands for. */
function decoded(value: Value): Value | undefined {
  if (!isPlain(value) || value.type.kind !== 'string') return undefined;
  try {
    const plain: unknown = JSON.parse(value.unmark().asString());
    return valueFromPlain(plain as Parameters<typeof valueFromPlain>[0]).withMarks(value.marks); // what JSON.parse gives
  } catch {
    return undefined;
  }
}

/** The steps to the elements of a collection, as references can take them. */
function elementSteps(value: Value): readonly Path[number][] {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return [];
  switch (plain.type.kind) {
    case 'list':
    case 'tuple':
      return plain.elements().map((_element, at) => indexStep(at));
    case 'map':
    case 'object':
      return [...(entriesOf(plain)?.keys() ?? [])].map((key) => indexStep(key));
    default:
      return [];
  }
}

function pathOf(steps: readonly TraversalStep[]): Path {
  const path: Path[number][] = [];
  for (const step of steps) {
    if (step.kind === 'attr') path.push(attrStep(step.name));
    else if (step.kind === 'index') path.push(indexStep(step.key));
    else if (step.kind === 'splat') break;
  }
  return path;
}

function nameOfStep(step: Path[number]): string {
  if (step.kind === 'attr') return step.name;
  return asText(step.key) ?? '*';
}

function keyOfStep(key: Value): InstanceKey {
  if (!isPlain(key)) return undefined;
  if (key.type.kind === 'string') return key.asString();
  return key.type.kind === 'number' ? key.asInt() : undefined;
}
