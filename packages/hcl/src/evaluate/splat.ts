import {
  DYNAMIC,
  EMPTY_TUPLE_VALUE,
  list,
  listType,
  refine,
  tuple,
  tupleType,
  type Type,
  UNKNOWN,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Scope, SplatExpr } from '../model.ts';
import { rangeBetween } from '../source/source.ts';
import { countEffort } from './effort.ts';
import { type Evaluate, reportFault } from './fault.ts';
import { Frame, type SplatBinding } from './scope.ts';
import { definitelyNotNull, lengthBounds } from './value-range.ts';

/**
 * Applies the rest of the splat to each element. A value that is not a sequence counts as one element, null as none.
 * Sets and lists return lists, tuples return tuples.
 */
export function evaluateSplat(
  e: SplatExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const mark = diagnostics.length;
  let source = evaluate(e.source, scope, diagnostics);
  if (hasErrors(diagnostics, mark)) {
    return UNKNOWN;
  }
  const isSequence = isSequenceType(source.type);
  if (source.isNull) {
    if (!isSequence) {
      return EMPTY_TUPLE_VALUE.withMarks(source.marks);
    }
    const detail = 'Splat expressions (with the * symbol) cannot be applied to null sequences.';
    const subject = e.source.range;
    const context = rangeBetween(subject, e.markerRange);
    reportFault(diagnostics, 'Splat of null value', detail, {
      subject,
      context,
      expression: e.source,
      scope,
    });
    return UNKNOWN;
  }
  if (source.type === DYNAMIC) {
    return UNKNOWN.withMarks(source.marks);
  }
  // An unknown single value becomes one element, or none if it is null later.
  const maybeNone = !isSequence && !source.isKnown && !definitelyNotNull(source);
  if (!isSequence) {
    source = tuple([source]).withMarks(source.marks);
  }
  const splat = new Splat(e, scope, evaluate);
  if (!source.isKnown) {
    return splat.unknownResult(source, diagnostics);
  }
  const { marks } = source;
  const plain = source.unmark();
  const applied = splat.applyAll(plain.elements(), diagnostics);
  if (maybeNone) {
    return UNKNOWN.withMarks(marks);
  }
  if (applied.failed) {
    return unknownOf(splat.resultType(plain.type, [])).withMarks(marks);
  }
  if (plain.type.kind === 'tuple') {
    return tuple(applied.values).withMarks(marks);
  }
  return splat.makeList(plain.type, applied.values, diagnostics).withMarks(marks);
}

function isSequenceType(type: Type): boolean {
  return type.kind === 'tuple' || type.kind === 'list' || type.kind === 'set';
}

class Splat {
  readonly #e: SplatExpr;
  readonly #frame: Frame;
  readonly #current: SplatBinding;
  readonly #evaluate: Evaluate;

  constructor(e: SplatExpr, scope: Scope | undefined, evaluate: Evaluate) {
    this.#e = e;
    this.#current = { kind: 'splat', item: e.item, value: UNKNOWN };
    this.#frame = new Frame(scope, this.#current);
    this.#evaluate = evaluate;
  }

  applyAll(
    elements: readonly Value[],
    diagnostics: Diagnostic[],
  ): { readonly values: readonly Value[]; readonly failed: boolean } {
    const mark = diagnostics.length;
    const values: Value[] = [];
    countEffort(elements.length);
    for (const element of elements) {
      values.push(this.#apply(element, diagnostics));
    }
    return { values, failed: hasErrors(diagnostics, mark) };
  }

  /** The type of the result, found by applying the splat to unknown elements. */
  resultType(source: Type, diagnostics: Diagnostic[]): Type {
    switch (source.kind) {
      case 'list':
      case 'set':
        return listType(this.#apply(unknownOf(source.element), diagnostics).type);
      case 'tuple':
        return tupleType(
          source.elements.map((type) => this.#apply(unknownOf(type), diagnostics).type),
        );
      default:
        return DYNAMIC;
    }
  }

  unknownResult(source: Value, diagnostics: Diagnostic[]): Value {
    const type = this.resultType(source.type, diagnostics);
    let result = unknownOf(type);
    if (type !== DYNAMIC) {
      result = refine(result, { notNull: true });
    }
    if (type.kind === 'list') {
      const { min, max } = lengthBounds(source);
      result = refine(result, {
        minLength: min,
        ...(max === Infinity ? {} : { maxLength: max }),
      });
    }
    return result.withMarks(source.marks);
  }

  makeList(source: Type, values: readonly Value[], diagnostics: Diagnostic[]): Value {
    const [first] = values;
    if (first === undefined) {
      const type = this.resultType(source, diagnostics);
      return list(type.kind === 'list' ? type.element : DYNAMIC, []);
    }
    const type = elementType(values);
    if (values.every((value) => value.type === type || value.type === DYNAMIC)) {
      return list(type, values);
    }
    // A splat of single values inside of the splat returns tuples of different lengths.
    const e = this.#e;
    reportFault(
      diagnostics,
      'Invalid nested splat expressions',
      "The second level of splat expression produced elements of different types, so it isn't possible to construct a valid list to represent the top-level result.\n\nConsider using a for expression instead, to produce a tuple-typed result which can therefore have non-homogenous element types.",
      { subject: e.each.range, context: e.range, expression: e, scope: this.#frame },
    );
    return UNKNOWN;
  }

  #apply(element: Value, diagnostics: Diagnostic[]): Value {
    this.#current.value = element;
    return this.#evaluate(this.#e.each, this.#frame, diagnostics);
  }
}

/** Returns the type of the first element with a type, which applies to elements without a type too. */
function elementType(values: readonly Value[]): Type {
  return values.find((value) => value.type !== DYNAMIC)?.type ?? DYNAMIC;
}
