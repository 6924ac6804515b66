import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  parseReference,
  type Reference,
} from '@terrane/addresses';
import { indexStep, type Path } from '@terrane/cty';
import { children, type Expression, type Traversal, variables } from '@terrane/hcl';
import { distinct, withPath } from './cause-parts.ts';
import type { PlanFacts } from './facts.ts';
import type { Cause } from './model.ts';
import { impureCalls, traversalsIn } from './references.ts';
import type { Question, Sources } from './sources.ts';
import type { Visited } from './visited.ts';
import { isUnchanged, keyOfStep, nameOfStep, pathOf } from './value-parts.ts';
import { partOf } from './values.ts';
import type { Place } from './worlds.ts';

/** Finds the causes of the changes of other resources, at which chains continue. */
export interface Chains {
  /** the causes of the change of an instance */
  change(addr: InstanceAddr): readonly Cause[];
  /** the causes of the difference of an attribute from the stored object */
  attribute(addr: InstanceAddr, path: Path): readonly Cause[];
  /** the causes of an unknown attribute */
  unknown(addr: InstanceAddr, path: Path): readonly Cause[];
}

/** Expressions whose operands are traced as whole values. */
const WHOLE: ReadonlySet<Expression['kind']> = new Set([
  'call',
  'binary',
  'unary',
  'templateJoin',
  'json',
]);

/** Follows expressions to the changes of other resources. */
export class ChangeFollower {
  readonly #facts: PlanFacts;
  readonly #sources: Sources;
  readonly #chains: Chains;
  readonly #visited: Visited;

  constructor(facts: PlanFacts, sources: Sources, chains: Chains, visited: Visited) {
    this.#facts = facts;
    this.#sources = sources;
    this.#chains = chains;
    this.#visited = visited;
  }

  /** Returns the changes of resources that change the value of an expression, or make it unknown. */
  follow(expression: Expression, place: Place, path: Path, question: Question): readonly Cause[] {
    if (expression.kind === 'literal' || !this.#sources.concerns(expression, place, path, question))
      return [];
    const follow = (inner: Expression, within: Path = path): readonly Cause[] =>
      this.follow(inner, place, within, question);
    switch (expression.kind) {
      case 'templateWrap':
        return follow(expression.wrapped);
      case 'parentheses':
        return follow(expression.inner);
      case 'template':
        return expression.parts.flatMap((part) => follow(part, []));
      case 'iteration':
        return this.follow(
          expression.wrapped,
          { ...place, iterators: expression.iterators },
          path,
          question,
        );
      case 'conditional': {
        const inCondition = follow(expression.condition, []);
        if (inCondition.length > 0) return inCondition;
        const branch = this.#sources.branchOf(expression, place);
        return branch === undefined
          ? [...follow(expression.ifTrue), ...follow(expression.ifFalse)]
          : follow(branch);
      }
      case 'relativeTraversal':
        return follow(expression.source, [...pathOf(expression.traversal.steps), ...path]);
      case 'index': {
        const key = this.#sources.after(expression.key, place, []);
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
    const parts = this.#sources.parts(expression, place, path);
    if (parts !== undefined) {
      const inKeys = this.#sources.keys(expression, place, path).flatMap((key) => follow(key, []));
      const inValues = parts.flatMap(([part, within]) => follow(part, within));
      return inKeys.length === 0 ? inValues : distinct([...inKeys, ...inValues]);
    }
    const functions = question === 'unknown' ? impureCalls(expression) : [];
    const causes = WHOLE.has(expression.kind)
      ? children(expression).flatMap((child) => follow(child, []))
      : traversalsIn(expression).flatMap((traversal) =>
          this.#reference(traversal, place, [], question),
        );
    return distinct([...functions, ...causes]);
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
    const all = this.#sources.after(source, place, []);
    const isMany =
      all !== undefined &&
      all.isKnown &&
      !all.isNull &&
      ['list', 'set', 'tuple'].includes(all.type.kind);
    if (!isMany) return this.follow(source, place, [...inside, ...rest], question);
    if (first?.kind === 'index')
      return this.follow(source, place, [first, ...inside, ...rest], question);
    const causes = this.#sources
      .elements(source, place)
      .flatMap((step) => this.follow(source, place, [step, ...inside], question));
    return causes.length > 0 ? causes : this.follow(source, place, [], question);
  }

  /** Traces a `for` expression, whose elements count only by the attributes that its body reads. */
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
    const inElements = this.#elementsOf(expression, place, path).flatMap((step) =>
      used.flatMap((within) => this.follow(collection, place, [step, ...within], question)),
    );
    const others = outside.flatMap((traversal) => this.#reference(traversal, place, [], question));
    const both = distinct([...inElements, ...others]);
    return both.length > 0 ? both : this.follow(collection, place, [], question);
  }

  /** Returns the steps to the elements of the collection that contribute to the part of a `for` expression at a path. */
  #elementsOf(expression: Extract<Expression, { kind: 'for' }>, place: Place, [first]: Path): Path {
    const { collection, key, condition } = expression;
    if (key !== undefined && first !== undefined) {
      const steps = this.#sources.elementsOfEntry(expression, place, nameOfStep(first));
      if (steps.length > 0) return steps;
    }
    const steps = this.#sources.elements(collection, place);
    // Without key and condition, the elements of the result correspond to those of the collection.
    return condition === undefined && key === undefined && first?.kind === 'index'
      ? steps.filter((step) => step.kind === 'index' && step.key.rawEquals(first.key))
      : steps;
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
      return generators.flatMap((generator) => this.follow(generator, outside, [], question));
    }
    const { reference } = parseReference(traversal);
    if (reference === undefined) return [];
    const rest: Path = [...pathOf(traversal.steps.slice(reference.consumed)), ...extra];
    const { subject } = reference;
    if (subject.kind === 'resource')
      return this.#resources(reference, subject, place.module, rest, question);
    const source = this.#sources.sourceOf(reference, place, rest);
    if (source === undefined)
      return this.#sources
        .outputsOf(reference, place, rest)
        .flatMap((declared) =>
          this.#sources.through(declared, (output) =>
            this.follow(output.expression, output.place, output.path, question),
          ),
        );
    const causes = this.follow(source.expression, source.place, source.path, question);
    if (causes.length === 0) return [];
    return [
      {
        kind: source.kind,
        ...(source.kind === 'repetition' ? { name: 'each.value' } : {}),
        address: source.address,
        ...withPath(source.path),
        range: source.range,
        ...this.#sources.values(source.expression, source.place, source.path),
        causes,
      },
    ];
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
      ...this.#facts.deferredKeys(abs),
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
    const link: Omit<Extract<Cause, { kind: 'resource' }>, 'causes'> = {
      kind: 'resource',
      address: addr.text,
      ...withPath(path),
      range,
      ...(change === undefined ? {} : { action: change.action }),
      // The values of a whole object would be too long.
      ...(path.length === 0 || before === undefined || before.isNull ? {} : { before }),
      ...(path.length === 0 || after === undefined ? {} : { after }),
    };
    const key = `${question} ${addr.text} ${path.map(nameOfStep).join('.')}`;
    return [
      {
        ...link,
        ...this.#visited.once(key, () =>
          question === 'unknown'
            ? this.#chains.unknown(addr, path)
            : this.#chains.attribute(addr, path),
        ),
      },
    ];
  }
}
