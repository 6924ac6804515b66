import { parseReference, type Reference } from '@terrane/addresses';
import { bool, indexStep, integer, object, type Path, str, tuple, type Value } from '@terrane/cty';
import { asList, asMap, type Expression, type Range, type Traversal } from '@terrane/hcl';
import type { ModuleCall } from '../config/model.ts';
import { asPossible, distinct, leadsFurther, withPath, writtenAt } from './cause-parts.ts';
import type { Cause, SourceCause } from './model.ts';
import { calledNames, impureCalls, traversalsIn } from './references.ts';
import { repeats, type Sources } from './sources.ts';
import { templateHoles } from './template-holes.ts';
import type { Told } from './told.ts';
import { TRANSPARENT } from './transparent.ts';
import { asText, decoded, entriesOf, holds, isPlain, nameOfStep, pathOf } from './value-parts.ts';
import { alike, isOfOtherKind, isSet, partOf } from './values.ts';
import type { Place } from './worlds.ts';

const READS_FILES = /^(?:core::)?(?:file|templatefile$)/;

/** Why the value of an expression has, or has not, a key. */
export type Membership = (
  expression: Expression,
  place: Place,
  key: string,
  present: boolean,
) => readonly Cause[];

/** The elements of a list, by their places; undefined where it is none. */
function elementsOf(value: Value): ReadonlyMap<string, Value> | undefined {
  const plain = value.unmark();
  if (!['list', 'tuple'].includes(plain.type.kind) || !plain.isKnown || plain.isNull)
    return undefined;
  return new Map(plain.elements().map((one, at) => [String(at), one]));
}

/** How many instances there were, where a value was made of all of them. */
function countBefore(
  entries: ReadonlyMap<string, Value> | undefined,
  path: Path,
): Value | undefined {
  return entries === undefined || path.length > 0 ? undefined : integer(entries.size);
}

/** Follows expressions to the texts and the variables that they are made of. */
export class TextFollower {
  readonly #sources: Sources;
  readonly #told: Told;
  readonly #membership: Membership;

  constructor(sources: Sources, told: Told, membership: Membership) {
    this.#sources = sources;
    this.#told = told;
    this.#membership = membership;
  }

  /** What the text of an expression and its variables come to, where it gave `wanted`. */
  said(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const said = (inner: Expression, within: Path = path, want = wanted): readonly Cause[] =>
      this.said(inner, place, within, want);
    switch (expression.kind) {
      case 'templateWrap':
        return said(expression.wrapped);
      case 'parentheses':
        return said(expression.inner);
      case 'iteration':
        return this.said(
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
        const taken = this.#sources.taken(expression, place);
        if (taken === undefined) break;
        const other = taken === expression.ifTrue ? expression.ifFalse : expression.ifTrue;
        const otherwise = this.#sources.after(other, place, path);
        const flips = wanted !== undefined && otherwise !== undefined && alike(otherwise, wanted);
        if (!flips) return said(taken);
        const decided = said(expression.condition, [], bool(taken !== expression.ifTrue));
        // A condition that nothing can have changed but its own text is less likely than what is taken by it.
        return decided.some(leadsFurther) || taken.kind === 'literal' ? decided : said(taken);
      }
      case 'unary':
        if (expression.operator === '!' && wanted?.type.kind === 'bool' && isPlain(wanted))
          return said(expression.operand, [], bool(!wanted.unmark().asBool()));
        break;
      case 'index': {
        const key = this.#sources.after(expression.key, place, []);
        if (key === undefined || !key.isKnown || key.isNull) break;
        const inKey = this.#saidKey(expression, place, path, wanted);
        if (inKey.length > 0) return inKey;
        const inside = said(expression.collection, [indexStep(key.unmark()), ...path]);
        const byKey = traversalsIn(expression.key).flatMap((traversal) =>
          this.#saidBy(traversal, traversal.range, place, [], undefined).filter(leadsFurther),
        );
        return byKey.length === 0 ? inside : distinct([...inside, ...byKey].map(asPossible));
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
      case 'splat': {
        const found = this.#saidSplat(expression, place, path, wanted);
        if (found.length > 0) return found;
        break;
      }
      default:
        break;
    }
    const parts = this.#saidParts(expression, place, path, wanted);
    return parts ?? this.opaque(expression, place, path, wanted);
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
      const [only, more] = this.#sources.parts(expression, place, path) ?? [];
      return only === undefined || more !== undefined
        ? this.opaque(expression, place, path, wanted)
        : this.said(only[0], place, only[1], wanted);
    }
    const whole = [this.source(expression, place, [], wanted)];
    if (wanted === undefined) return this.opaque(expression, place, [], wanted);
    if (!isSet(wanted) || !wanted.isKnown) return whole;
    const items = asMap(expression);
    const found: Cause[] = [];
    const compare = (value: Expression, want: Value | undefined): void => {
      if (want === undefined) {
        found.push(this.source(value, place, [], undefined));
        return;
      }
      const now = this.#sources.before(value, place, []) ?? this.#sources.after(value, place, []);
      if (now !== undefined && alike(now, want)) return;
      const said = this.said(value, place, [], want);
      // What was of quite another kind may have been another text altogether.
      const isOther = now !== undefined && isOfOtherKind(now, want) && said.some(leadsFurther);
      const text = this.source(value, place, [], want);
      found.push(...(isOther ? [text, ...said].map(asPossible) : said));
    };
    if (items !== undefined) {
      const entries = entriesOf(wanted);
      if (entries === undefined) return whole;
      const left = new Set(entries.keys());
      for (const { key, value } of items) {
        const name = this.#sources.text(key, place);
        if (name === undefined) return whole;
        left.delete(name);
        compare(value, entries.get(name));
      }
      for (const name of left) {
        const gone = entries.get(name);
        if (isSet(gone)) found.push({ ...this.source(expression, place, [], gone), name });
      }
      return found.length > 0 ? found : whole;
    }
    const elements = asList(expression) ?? [];
    const plain = wanted.unmark();
    // Which element of a set came from where is not told.
    if (plain.type.kind === 'set') return this.opaque(expression, place, [], wanted);
    if (!['list', 'tuple'].includes(plain.type.kind) || plain.length !== elements.length)
      return whole;
    for (const [at, element] of elements.entries()) compare(element, plain.at(at));
    return found.length > 0 ? found : whole;
  }

  /** A part of all instances of a module: which there are, and what each gives. */
  #saidSplat(
    { source, each }: Extract<Expression, { kind: 'splat' }>,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    if (source.kind !== 'scopeTraversal' || each.kind !== 'relativeTraversal') return [];
    const { reference } = parseReference(source.traversal);
    if (reference?.subject.kind !== 'moduleCall' || wanted === undefined) return [];
    const rest = pathOf(source.traversal.steps.slice(reference.consumed));
    const inside = pathOf(each.traversal.steps);
    const [first, ...more] = path;
    if (first !== undefined)
      return this.#saidByCall(reference, place, [...rest, first, ...inside, ...more], wanted);
    const plain = wanted.unmark();
    if (!['list', 'tuple'].includes(plain.type.kind) || !plain.isKnown || plain.isNull) return [];
    const whole = plain
      .elements()
      .map((element) =>
        inside.reduceRight((inner, step) => object({ [nameOfStep(step)]: inner }), element),
      );
    return this.#saidByCall(reference, place, rest, tuple(whole));
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
        const value = this.#sources.after(argument, place, []);
        return value !== undefined && holds(value, name);
      });
    if (first !== undefined) {
      const name = nameOfStep(first);
      const argument = lastWith(name);
      if (argument !== undefined) return this.said(argument, place, [first, ...rest], wanted);
    }
    const now = this.#sources.after(expression, place, []);
    const entries = wanted === undefined ? undefined : entriesOf(wanted);
    const current = now === undefined ? undefined : entriesOf(now);
    if (first !== undefined || entries === undefined || current === undefined)
      return this.opaque(expression, place, path, wanted);
    const found: Cause[] = [];
    for (const [name, value] of current) {
      const want = entries.get(name);
      if (want !== undefined && alike(value, want)) continue;
      const argument = lastWith(name);
      if (argument !== undefined)
        found.push(...this.said(argument, place, [indexStep(name)], want));
    }
    const isWhole = [...entries.keys()].every((name) => current.has(name));
    return isWhole && found.length > 0
      ? distinct(found)
      : [...distinct(found), ...this.opaque(expression, place, [], wanted)];
  }

  /** An element of a collection that was another one: the key, where another key gives what was wanted. */
  #saidKey(
    expression: Extract<Expression, { kind: 'index' }>,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const collection = this.#sources.after(expression.collection, place, []);
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
      return step.kind === 'index' ? this.said(expression.key, place, [], step.key) : [];
    }
    return [];
  }

  /** A text of which the literal parts stayed: then what is between them is known. */
  #saidTemplate(
    expression: Extract<Expression, { kind: 'template' }>,
    place: Place,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const whole = [this.source(expression, place, [], wanted)];
    const varying = expression.parts.filter(({ kind }) => kind !== 'literal');
    if (varying.length === 0) return whole;
    if (wanted === undefined || !isPlain(wanted) || wanted.type.kind !== 'string')
      return this.opaque(expression, place, [], wanted);
    const want = templateHoles(expression.parts, wanted.unmark().asString(), (part) =>
      this.#sources.before(part, place, []),
    );
    if (want === 'unclear') return this.opaque(expression, place, [], wanted);
    if (want === 'other text') {
      // The text did change; what it did not have before may have too.
      const text = wanted.unmark().asString();
      const others = varying.filter((part) => {
        const now = this.#sources.before(part, place, []);
        const known = now !== undefined && isPlain(now) ? asText(now) : undefined;
        return known !== undefined && !text.includes(known);
      });
      const found = others.flatMap((part) => this.said(part, place, [], undefined));
      return [...whole, ...distinct(found.filter(leadsFurther).map(asPossible))];
    }
    const found = want.flatMap(([part, text]) => {
      const now = this.#sources.before(part, place, []);
      const value = str(text).withMarks(wanted.marks);
      if (now !== undefined && alike(now, value)) return [];
      return this.said(part, place, [], value);
    });
    return found.length > 0 ? found : whole;
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
      writtenAt(range, wanted, this.#sources.afterOf(traversal, place, extra)),
    ];
    if (root?.kind === 'root' && place.iterators?.has(root.name) === true) {
      const { iterators: _, generators = [], ...outside } = place;
      const found = generators.flatMap((one) => this.said(one, outside, [], undefined));
      return found.length > 0 ? found : text();
    }
    const { reference } = parseReference(traversal);
    if (reference === undefined) return text();
    const rest: Path = [...pathOf(traversal.steps.slice(reference.consumed)), ...extra];
    const { subject } = reference;
    if (subject.kind === 'variable' && place.module.isRoot)
      return this.#sources.variable(subject.name, rest, wanted) ?? text();
    if (subject.kind === 'path' || subject.kind === 'terraform') {
      const after = this.#sources.afterOf(traversal, place, extra);
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
    const source = this.#sources.sourceOf(reference, place, rest);
    if (source === undefined && subject.kind === 'moduleCall') {
      const found = this.#saidByCall(reference, place, rest, wanted);
      return found.length > 0 ? found : text();
    }
    if (source === undefined)
      return this.#sources.missingArgument(reference, place, rest, wanted) ?? text();
    const { expression, path } = source;
    const after = this.#sources.after(expression, source.place, path);
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
        ...this.#told.once(key, () => this.said(expression, source.place, path, wanted)),
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
    const config = this.#sources.moduleOf(place.module);
    const call = subject.kind === 'moduleCall' ? config?.calls.get(subject.name) : undefined;
    if (subject.kind !== 'moduleCall' || call === undefined) return [];
    const expression = repeats(call);
    if (subject.key === undefined && expression !== undefined) {
      const found = this.#saidByRepetition(call, expression, place, path, wanted);
      if (found.length > 0) return found;
    }
    return this.#sources.outputsOf(reference, place, path).flatMap((one) => {
      const steps: Path = [...one.steps];
      const want = wanted === undefined ? undefined : partOf(wanted, steps);
      const now = this.#sources.before(one.expression, one.place, one.path);
      if (want === undefined || (now !== undefined && alike(now, want))) return [];
      return this.#sources.through(one, (output) =>
        this.said(output.expression, output.place, output.path, want),
      );
    });
  }

  /** Which instances of a module there are, where not those that were; empty where they are the same. */
  #saidByRepetition(
    call: ModuleCall,
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const [first] = path;
    const entries = wanted === undefined ? undefined : (entriesOf(wanted) ?? elementsOf(wanted));
    const there = this.#sources.callKeys(place.module, call.name);
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
    const keys = changed.slice(0, isCounted ? 1 : changed.length).map(([one, present]): Cause => ({
      kind: 'repetition',
      address: place.module.child(call.name, undefined).text,
      name: isCounted ? 'count' : 'for_each',
      ...(isCounted ? {} : { key: one }),
      present,
      range: expression.range,
      ...this.#told.once(`member ${place.module.text} ${call.name} ${one}`, () =>
        isCounted
          ? this.said(expression, { module: place.module }, [], countBefore(entries, path))
          : this.#membership(expression, { module: place.module }, one, present),
      ),
    }));
    // Lists are of instances that are counted, and objects of others: it was another text.
    const isOther =
      isSet(wanted) &&
      first === undefined &&
      (isCounted ? entriesOf(wanted) : elementsOf(wanted)) !== undefined;
    const text = this.source(expression, { module: place.module }, [], undefined);
    return isOther ? [text, ...keys] : keys;
  }

  /** An expression that cannot be taken apart: its text, and the variables that it may be instead. */
  opaque(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const functions = impureCalls(expression);
    if (functions.length > 0) return functions;
    const files = calledNames(expression)
      .filter(([name]) => READS_FILES.test(name))
      .map(([name, range]): Cause => ({ kind: 'file', name, range, possible: true, causes: [] }));
    const possible = traversalsIn(expression).flatMap((traversal) =>
      this.#saidBy(traversal, traversal.range, place, [], undefined).filter(leadsFurther),
    );
    const others = distinct([...files, ...possible.map(asPossible)]);
    const source = this.source(expression, place, path, wanted);
    return others.length === 0 ? [source] : [asPossible(source), ...others];
  }

  /** The text of an expression itself. */
  source(expression: Expression, place: Place, path: Path, wanted: Value | undefined): SourceCause {
    return writtenAt(expression.range, wanted, this.#sources.after(expression, place, path));
  }
}
