import { parseReference } from '@terrane/addresses';
import { bool } from '@terrane/cty';
import { asList, asMap, type Expression } from '@terrane/hcl';
import type { TextFollower } from './follow-texts.ts';
import type { Cause } from './model.ts';
import type { Sources } from './sources.ts';
import { TRANSPARENT } from './transparent.ts';
import { asText, holds, isPlain, pathOf } from './value-parts.ts';
import type { Place } from './worlds.ts';

/** Functions whose result has the keys or elements of all arguments. */
const MANY: ReadonlySet<string> = new Set(['merge', 'concat', 'setunion', 'flatten', 'distinct']);

/** Follows the keys of maps and the elements of sets to the texts that define them. */
export class MemberFollower {
  readonly #sources: Sources;
  readonly #texts: TextFollower;

  constructor(sources: Sources, texts: TextFollower) {
    this.#sources = sources;
    this.#texts = texts;
  }

  /** Returns the causes of the presence or absence of a key. */
  follow(expression: Expression, place: Place, key: string, present: boolean): readonly Cause[] {
    const inside = (inner: Expression): readonly Cause[] => this.follow(inner, place, key, present);
    switch (expression.kind) {
      case 'templateWrap':
        return inside(expression.wrapped);
      case 'parentheses':
        return inside(expression.inner);
      case 'conditional': {
        const branch = this.#sources.branchOf(expression, place);
        if (branch === undefined) break;
        return this.#followCondition(expression, branch, place, key, present) ?? inside(branch);
      }
      case 'call': {
        const name = expression.name.replace(/^core::/, '');
        if (TRANSPARENT.has(name) || name === 'keys') {
          const [argument] = expression.args;
          if (argument !== undefined) return inside(argument);
        }
        if (MANY.has(name)) {
          const holding = expression.args.filter((argument) => {
            const value = this.#sources.after(argument, place, []);
            return value !== undefined && holds(value, key);
          });
          if (present && holding.length > 0) return holding.flatMap(inside);
        }
        break;
      }
      case 'scopeTraversal': {
        const causes = this.#followReference(expression, place, key, present);
        if (causes !== undefined) return causes;
        break;
      }
      default:
        break;
    }
    return this.#followConstructor(expression, place, key, present);
  }

  /** Follows the condition if the other arm differs in whether it has the key; undefined otherwise. */
  #followCondition(
    { condition, ifTrue, ifFalse }: Extract<Expression, { kind: 'conditional' }>,
    branch: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] | undefined {
    const other = this.#sources.after(branch === ifTrue ? ifFalse : ifTrue, place, []);
    if (other === undefined || holds(other, key) === present) return undefined;
    return this.#texts.follow(condition, place, [], bool(branch !== ifTrue));
  }

  /** Follows a reference to a named value; undefined if it is malformed. */
  #followReference(
    expression: Extract<Expression, { kind: 'scopeTraversal' }>,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] | undefined {
    const { traversal } = expression;
    const { reference } = parseReference(traversal);
    if (reference === undefined) return undefined;
    const rest = pathOf(traversal.steps.slice(reference.consumed));
    const { subject } = reference;
    if (subject.kind === 'variable' && place.module.isRoot)
      return this.#sources.variable(subject.name, rest, undefined) ?? [];
    const source = this.#sources.sourceOf(reference, place, rest);
    if (source === undefined)
      return (
        this.#sources.missingArgument(reference, place, rest, undefined) ?? [
          this.#texts.source(expression, place, [], undefined),
        ]
      );
    const causes =
      source.path.length === 0
        ? this.follow(source.expression, source.place, key, present)
        : this.#texts.follow(source.expression, source.place, source.path, undefined);
    const { kind, address, range } = source;
    return [{ kind, address, range, causes }];
  }

  /** Returns the entry of a constructor that has the key, or its text. */
  #followConstructor(
    expression: Expression,
    place: Place,
    key: string,
    present: boolean,
  ): readonly Cause[] {
    const items = asMap(expression);
    const keyItem = items?.find((item) => this.#sources.text(item.key, place) === key);
    if (keyItem !== undefined)
      return [{ ...this.#texts.source(keyItem.key, place, [], undefined), name: key }];
    const elements = asList(expression);
    const element = elements?.find((candidate) => {
      const value = this.#sources.after(candidate, place, []);
      return value !== undefined && isPlain(value) && asText(value) === key;
    });
    if (element !== undefined && present) {
      if (element.kind === 'scopeTraversal')
        return this.#texts.follow(element, place, [], undefined);
      return [{ ...this.#texts.source(element, place, [], undefined), name: key }];
    }
    if (items !== undefined || elements !== undefined)
      return [this.#texts.source(expression, place, [], undefined)];
    return this.#texts.opaque(expression, place, [], undefined);
  }
}
