import { parseReference, type Reference } from '@terrane/addresses';
import { bool, indexStep, integer, object, type Path, str, tuple, type Value } from '@terrane/cty';
import { asList, asMap, type Expression, type Range, type Traversal } from '@terrane/hcl';
import type { ModuleCall } from '../config/model.ts';
import { asPossible, distinct, leadsFurther, withPath, writtenAt } from './cause-parts.ts';
import type { Cause, SourceCause } from './model.ts';
import { calledNames, impureCalls, traversalsIn } from './references.ts';
import { repeats, type Sources } from './sources.ts';
import { templateHoles } from './template-holes.ts';
import type { Visited } from './visited.ts';
import { TRANSPARENT } from './transparent.ts';
import {
  asText,
  decodeJson,
  entriesOf,
  holds,
  isPlain,
  nameOfStep,
  pathOf,
} from './value-parts.ts';
import { alike, isOfOtherKind, isSet, partOf } from './values.ts';
import type { Place } from './worlds.ts';

const READS_FILES = /^(?:core::)?(?:file|templatefile$)/;

/** Returns the causes of the presence or absence of a key in the value of an expression. */
export type Membership = (
  expression: Expression,
  place: Place,
  key: string,
  present: boolean,
) => readonly Cause[];

/** Returns the elements of a list by position; undefined for other values. */
function elementsOf(value: Value): ReadonlyMap<string, Value> | undefined {
  const plain = value.unmark();
  if (!['list', 'tuple'].includes(plain.type.kind) || !plain.isKnown || plain.isNull)
    return undefined;
  return new Map(plain.elements().map((element, index) => [String(index), element]));
}

/** Returns the earlier number of instances if the value contained all of them. */
function countBefore(
  entries: ReadonlyMap<string, Value> | undefined,
  path: Path,
): Value | undefined {
  return entries === undefined || path.length > 0 ? undefined : integer(entries.size);
}

/** Follows expressions to the texts and variables that determine their values. */
export class TextFollower {
  readonly #sources: Sources;
  readonly #visited: Visited;
  readonly #membership: Membership;

  constructor(sources: Sources, visited: Visited, membership: Membership) {
    this.#sources = sources;
    this.#visited = visited;
    this.#membership = membership;
  }

  /** Returns the texts and variables that make the value of an expression differ from `wanted`, its earlier value. */
  follow(
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const follow = (inner: Expression, within: Path = path, want = wanted): readonly Cause[] =>
      this.follow(inner, place, within, want);
    switch (expression.kind) {
      case 'templateWrap':
        return follow(expression.wrapped);
      case 'parentheses':
        return follow(expression.inner);
      case 'iteration':
        return this.follow(
          expression.wrapped,
          { ...place, iterators: expression.iterators },
          path,
          wanted,
        );
      case 'relativeTraversal':
        return follow(expression.source, [...pathOf(expression.traversal.steps), ...path]);
      case 'scopeTraversal':
        return this.#followReference(expression.traversal, expression.range, place, path, wanted);
      case 'template':
        return this.#followTemplate(expression, place, wanted);
      case 'conditional': {
        const branch = this.#sources.branchOf(expression, place);
        if (branch === undefined) break;
        return this.#followCondition(expression, branch, place, path, wanted) ?? follow(branch);
      }
      case 'unary':
        if (expression.operator === '!' && wanted?.type.kind === 'bool' && isPlain(wanted))
          return follow(expression.operand, [], bool(!wanted.unmark().asBool()));
        break;
      case 'index': {
        const causes = this.#followIndex(expression, place, path, wanted);
        if (causes !== undefined) return causes;
        break;
      }
      case 'call': {
        const [argument] = expression.args;
        const name = expression.name.replace(/^core::/, '');
        if (argument !== undefined && TRANSPARENT.has(name)) return follow(argument);
        if (name === 'jsonencode' && argument !== undefined && wanted !== undefined) {
          const inner = decodeJson(wanted);
          if (inner !== undefined) return follow(argument, [], inner);
        }
        if (name === 'merge') return this.#followMerge(expression, place, path, wanted);
        break;
      }
      case 'splat': {
        const inSplat = this.#followSplat(expression, place, path, wanted);
        if (inSplat.length > 0) return inSplat;
        break;
      }
      default:
        break;
    }
    const parts = this.#followConstructor(expression, place, path, wanted);
    return parts ?? this.opaque(expression, place, path, wanted);
  }

  /** Follows the condition if the other arm has the earlier value; undefined if following the selected arm is better. */
  #followCondition(
    { condition, ifTrue, ifFalse }: Extract<Expression, { kind: 'conditional' }>,
    branch: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] | undefined {
    const other = this.#sources.after(branch === ifTrue ? ifFalse : ifTrue, place, path);
    if (wanted === undefined || other === undefined || !alike(other, wanted)) return undefined;
    const causes = this.follow(condition, place, [], bool(branch !== ifTrue));
    // A condition that only an edit of its text can have changed is less likely than the selected arm.
    return causes.some(leadsFurther) || branch.kind === 'literal' ? causes : undefined;
  }

  /** Follows the key or the element of an index; undefined if the key is unknown. */
  #followIndex(
    expression: Extract<Expression, { kind: 'index' }>,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] | undefined {
    const key = this.#sources.after(expression.key, place, []);
    if (key === undefined || !isPlain(key)) return undefined;
    const inKey = this.#followKey(expression, place, path, wanted);
    if (inKey.length > 0) return inKey;
    const steps = [indexStep(key.unmark()), ...path];
    const inside = this.follow(expression.collection, place, steps, wanted);
    const byKey = traversalsIn(expression.key).flatMap((traversal) =>
      this.#followReference(traversal, traversal.range, place, [], undefined).filter(leadsFurther),
    );
    return byKey.length === 0 ? inside : distinct([...inside, ...byKey].map(asPossible));
  }

  /** Follows the entries of a constructor that differ from the earlier value. */
  #followConstructor(
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
        : this.follow(only[0], place, only[1], wanted);
    }
    const source = [this.source(expression, place, [], wanted)];
    if (wanted === undefined) return this.opaque(expression, place, [], wanted);
    if (!isSet(wanted) || !wanted.isKnown) return source;
    const items = asMap(expression);
    const causes: Cause[] = [];
    const compare = (value: Expression, want: Value | undefined): void => {
      if (want === undefined) {
        causes.push(this.source(value, place, [], undefined));
        return;
      }
      const now = this.#sources.before(value, place, []) ?? this.#sources.after(value, place, []);
      if (now !== undefined && alike(now, want)) return;
      const behind = this.follow(value, place, [], want);
      // A value of another kind was possibly another text altogether.
      const isOther = now !== undefined && isOfOtherKind(now, want) && behind.some(leadsFurther);
      const text = this.source(value, place, [], want);
      causes.push(...(isOther ? [text, ...behind].map(asPossible) : behind));
    };
    if (items !== undefined) {
      const entries = entriesOf(wanted);
      if (entries === undefined) return source;
      const missing = new Set(entries.keys());
      for (const { key, value } of items) {
        const name = this.#sources.text(key, place);
        if (name === undefined) return source;
        missing.delete(name);
        compare(value, entries.get(name));
      }
      for (const name of missing) {
        const removedEntry = entries.get(name);
        if (isSet(removedEntry))
          causes.push({ ...this.source(expression, place, [], removedEntry), name });
      }
      return causes.length > 0 ? causes : source;
    }
    const elements = asList(expression) ?? [];
    const plain = wanted.unmark();
    // The elements of a set have no positions.
    if (plain.type.kind === 'set') return this.opaque(expression, place, [], wanted);
    if (!['list', 'tuple'].includes(plain.type.kind) || plain.length !== elements.length)
      return source;
    for (const [index, element] of elements.entries()) compare(element, plain.at(index));
    return causes.length > 0 ? causes : source;
  }

  /** Follows a splat over the instances of a module. */
  #followSplat(
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
      return this.#followCall(reference, place, [...rest, first, ...inside, ...more], wanted);
    const plain = wanted.unmark();
    if (!['list', 'tuple'].includes(plain.type.kind) || !plain.isKnown || plain.isNull) return [];
    const instances = plain
      .elements()
      .map((element) =>
        inside.reduceRight((inner, step) => object({ [nameOfStep(step)]: inner }), element),
      );
    return this.#followCall(reference, place, rest, tuple(instances));
  }

  #followMerge(
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
      if (argument !== undefined) return this.follow(argument, place, [first, ...rest], wanted);
    }
    const now = this.#sources.after(expression, place, []);
    const entries = wanted === undefined ? undefined : entriesOf(wanted);
    const current = now === undefined ? undefined : entriesOf(now);
    if (first !== undefined || entries === undefined || current === undefined)
      return this.opaque(expression, place, path, wanted);
    const causes: Cause[] = [];
    for (const [name, value] of current) {
      const want = entries.get(name);
      if (want !== undefined && alike(value, want)) continue;
      const argument = lastWith(name);
      if (argument !== undefined)
        causes.push(...this.follow(argument, place, [indexStep(name)], want));
    }
    const isWhole = [...entries.keys()].every((name) => current.has(name));
    return isWhole && causes.length > 0
      ? distinct(causes)
      : [...distinct(causes), ...this.opaque(expression, place, [], wanted)];
  }

  /** Follows the key of an index if another element has the earlier value. */
  #followKey(
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
        ? new Map(plain.elements().map((element, index) => [index, element]))
        : undefined);
    if (elements === undefined) return [];
    for (const [key, element] of elements) {
      const part = partOf(element, path);
      if (part === undefined || !alike(part, wanted)) continue;
      const [step] = [indexStep(key)];
      return step.kind === 'index' ? this.follow(expression.key, place, [], step.key) : [];
    }
    return [];
  }

  /** Traces the interpolations of a template, whose earlier values are known if its literal parts are unchanged. */
  #followTemplate(
    expression: Extract<Expression, { kind: 'template' }>,
    place: Place,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const source = [this.source(expression, place, [], wanted)];
    const varying = expression.parts.filter(({ kind }) => kind !== 'literal');
    if (varying.length === 0) return source;
    if (wanted === undefined || !isPlain(wanted) || wanted.type.kind !== 'string')
      return this.opaque(expression, place, [], wanted);
    const want = templateHoles(expression.parts, wanted.unmark().asString(), (part) =>
      this.#sources.before(part, place, []),
    );
    if (want === 'unclear') return this.opaque(expression, place, [], wanted);
    if (want === 'other text') {
      // The literal text changed; interpolations absent from the earlier text possibly did too.
      const text = wanted.unmark().asString();
      const others = varying.filter((part) => {
        const now = this.#sources.before(part, place, []);
        const currentText = now !== undefined && isPlain(now) ? asText(now) : undefined;
        return currentText !== undefined && !text.includes(currentText);
      });
      const causes = others.flatMap((part) => this.follow(part, place, [], undefined));
      return [...source, ...distinct(causes.filter(leadsFurther).map(asPossible))];
    }
    const causes = want.flatMap(([part, text]) => {
      const now = this.#sources.before(part, place, []);
      const value = str(text).withMarks(wanted.marks);
      if (now !== undefined && alike(now, value)) return [];
      return this.follow(part, place, [], value);
    });
    return causes.length > 0 ? causes : source;
  }

  /** Follows a reference. A reference to a resource is a text: `ChangeFollower` follows its changes. */
  #followReference(
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
      const causes = generators.flatMap((generator) =>
        this.follow(generator, outside, [], undefined),
      );
      return causes.length > 0 ? causes : text();
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
      const causes = this.#followCall(reference, place, rest, wanted);
      return causes.length > 0 ? causes : text();
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
        ...this.#visited.once(key, () => this.follow(expression, source.place, path, wanted)),
      },
    ];
  }

  /** Follows a reference to a module call or an instance of it: to its repetition and its outputs. */
  #followCall(
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
      const causes = this.#followRepetition(call, expression, place, path, wanted);
      if (causes.length > 0) return causes;
    }
    return this.#sources.outputsOf(reference, place, path).flatMap((declared) => {
      const steps: Path = [...declared.steps];
      const want = wanted === undefined ? undefined : partOf(wanted, steps);
      const now = this.#sources.before(declared.expression, declared.place, declared.path);
      if (want === undefined || (now !== undefined && alike(now, want))) return [];
      return this.#sources.through(declared, (output) =>
        this.follow(output.expression, output.place, output.path, want),
      );
    });
  }

  /** Follows the repetition of a module call if its instances differ from the earlier ones. */
  #followRepetition(
    call: ModuleCall,
    expression: Expression,
    place: Place,
    path: Path,
    wanted: Value | undefined,
  ): readonly Cause[] {
    const [first] = path;
    const entries = wanted === undefined ? undefined : (entriesOf(wanted) ?? elementsOf(wanted));
    const callKeys = this.#sources.callKeys(place.module, call.name);
    const key = first === undefined ? undefined : nameOfStep(first);
    const removedKeys =
      key === undefined ? [...(entries?.keys() ?? [])] : wanted === undefined ? [] : [key];
    const missing = removedKeys.filter((key) => !callKeys.some((other) => String(other) === key));
    const added =
      entries === undefined || key !== undefined
        ? key !== undefined && wanted === undefined
          ? [key]
          : []
        : callKeys.map(String).filter((key) => !entries.has(key));
    const changed = [
      ...missing.map((key) => [key, false] as const),
      ...added.map((key) => [key, true] as const),
    ];
    const isCounted = call.count !== undefined;
    const keys = changed.slice(0, isCounted ? 1 : changed.length).map(([key, present]): Cause => ({
      kind: 'repetition',
      address: place.module.child(call.name, undefined).text,
      name: isCounted ? 'count' : 'for_each',
      ...(isCounted ? {} : { key }),
      present,
      range: expression.range,
      ...this.#visited.once(`member ${place.module.text} ${call.name} ${key}`, () =>
        isCounted
          ? this.follow(expression, { module: place.module }, [], countBefore(entries, path))
          : this.#membership(expression, { module: place.module }, key, present),
      ),
    }));
    // A list has counted instances and an object those of for_each: the form of the repetition changed.
    const isOther =
      isSet(wanted) &&
      first === undefined &&
      (isCounted ? entriesOf(wanted) : elementsOf(wanted)) !== undefined;
    const text = this.source(expression, { module: place.module }, [], undefined);
    return isOther ? [text, ...keys] : keys;
  }

  /** Returns the causes of an expression without parts to follow: its text, and possibly the variables in it. */
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
      this.#followReference(traversal, traversal.range, place, [], undefined).filter(leadsFurther),
    );
    const others = distinct([...files, ...possible.map(asPossible)]);
    const source = this.source(expression, place, path, wanted);
    return others.length === 0 ? [source] : [asPossible(source), ...others];
  }

  /** Returns the text of an expression as a cause. */
  source(expression: Expression, place: Place, path: Path, wanted: Value | undefined): SourceCause {
    return writtenAt(expression.range, wanted, this.#sources.after(expression, place, path));
  }
}
