import {
  BOOL,
  convert,
  DYNAMIC,
  friendlyName,
  type Marks,
  NO_MARKS,
  object,
  quoteText,
  STRING,
  tuple,
  UNKNOWN,
  unionMarks,
  type Value,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression, ForExpr, Scope } from '../model.ts';
import { countEffort } from './effort.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';
import { Frame, type LoopBinding } from './scope.ts';

/** The number of elements that are counted together. */
const CHUNK = 256;

/**
 * Evaluates a `for` expression to a tuple or object. The loop is a single frame whose key and value are set for each
 * element. Marks of the collection, conditions and keys are added to the result.
 */
export function evaluateFor(
  e: ForExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const marked = evaluate(e.collection, scope, diagnostics);
  const origin = { subject: e.collection.range, context: e.range, expression: e.collection, scope };
  if (marked.isNull) {
    const detail = "A null value cannot be used as the collection in a 'for' expression.";
    reportFault(diagnostics, 'Iteration over null value', detail, origin);
    return UNKNOWN;
  }
  if (marked.type === DYNAMIC) {
    return UNKNOWN;
  }
  const collection = marked.unmark();
  if (!isIterable(collection)) {
    const detail = `A value of type ${friendlyName(collection.type)} cannot be used as the collection in a 'for' expression.`;
    reportFault(diagnostics, 'Iteration over non-iterable value', detail, origin);
    return UNKNOWN;
  }
  const loop = new Loop(e, scope, diagnostics, evaluate, marked.marks);
  if (e.condition !== undefined) {
    const marks = loop.tryCondition(e.condition);
    if (marks === undefined) {
      return UNKNOWN;
    }
    if (!collection.isKnown) {
      return UNKNOWN.withMarks(unionMarks(marked.marks, marks));
    }
  } else if (!collection.isKnown) {
    return UNKNOWN.withMarks(marked.marks);
  }
  return e.key === undefined ? loop.makeTuple(collection) : loop.makeObject(collection, e.key);
}

/** Returns true if a `for` can go over values of this type. */
export function isIterable(value: Value): boolean {
  switch (value.type.kind) {
    case 'list':
    case 'set':
    case 'map':
    case 'tuple':
    case 'object':
      return true;
    default:
      return false;
  }
}

class Loop {
  readonly #e: ForExpr;
  readonly #scope: Scope | undefined;
  readonly #frame: Frame;
  readonly #current: LoopBinding;
  readonly #diagnostics: Diagnostic[];
  readonly #evaluate: Evaluate;
  #marks: Marks;
  #elements: readonly Value[] = [];
  /** Keys and elements; undefined if the loop does not name the key. */
  #entries: readonly (readonly [Value, Value])[] | undefined = undefined;
  // True while all elements and keys of the result are known.
  #isKnown = true;

  constructor(
    e: ForExpr,
    scope: Scope | undefined,
    diagnostics: Diagnostic[],
    evaluate: Evaluate,
    marks: Marks,
  ) {
    this.#e = e;
    this.#scope = scope;
    const { keyName, valueName } = e;
    this.#current = { kind: 'loop', keyName, valueName, key: undefined, value: undefined };
    this.#frame = new Frame(scope, this.#current);
    this.#diagnostics = diagnostics;
    this.#evaluate = evaluate;
    this.#marks = marks;
  }

  /**
   * Evaluates the condition for an unknown element first, so that a condition with an error that is independent of the
   * element is reported once. Returns its marks, or undefined after an error.
   */
  tryCondition(condition: Expression): Marks | undefined {
    const e = this.#e;
    const scope = this.#scope;
    const diagnostics = this.#diagnostics;
    const frame = this.#frame;
    const current = this.#current;
    current.key = UNKNOWN;
    current.value = UNKNOWN;
    const mark = diagnostics.length;
    const result = this.#evaluate(condition, frame, diagnostics);
    const failed = hasErrors(diagnostics, mark);
    const origin = { subject: condition.range, context: e.range, expression: condition, scope };
    if (result.isNull) {
      const detail = "The value of the 'if' clause must not be null.";
      reportFault(diagnostics, 'Condition is null', detail, origin);
      return undefined;
    }
    try {
      convert(result, BOOL);
    } catch (error) {
      const detail = `The 'if' clause value is invalid: ${faultMessage(error)}.`;
      reportFault(diagnostics, "Invalid 'for' condition", detail, origin);
      return undefined;
    }
    return failed ? undefined : result.marks;
  }

  makeTuple(collection: Value): Value {
    const e = this.#e;
    const frame = this.#frame;
    const diagnostics = this.#diagnostics;
    const results: Value[] = [];
    const count = this.#begin(collection);
    for (let i = 0; i < count; i++) {
      if (i % CHUNK === CHUNK - 1) countEffort(CHUNK);
      if (this.#select(i)) results.push(this.#evaluate(e.value, frame, diagnostics));
    }
    countEffort(count % CHUNK);
    const result = this.#isKnown ? tuple(results) : UNKNOWN;
    return result.withMarks(this.#marks);
  }

  makeObject(collection: Value, key: Expression): Value {
    const e = this.#e;
    const frame = this.#frame;
    const diagnostics = this.#diagnostics;
    const results = new Map<string, Value>();
    const groups = new Map<string, Value[]>();
    const count = this.#begin(collection);
    for (let i = 0; i < count; i++) {
      if (i % CHUNK === CHUNK - 1) countEffort(CHUNK);
      const name = this.#select(i) ? this.#keyOf(key) : undefined;
      if (name === undefined) continue;
      const value = this.#evaluate(e.value, frame, diagnostics);
      if (e.group) {
        const group = groups.get(name);
        if (group === undefined) {
          groups.set(name, [value]);
        } else {
          group.push(value);
        }
      } else if (results.has(name)) {
        this.#reportDuplicate(key, name);
      } else {
        results.set(name, value);
      }
    }
    countEffort(count % CHUNK);
    if (!this.#isKnown) {
      return UNKNOWN.withMarks(this.#marks);
    }
    for (const [name, group] of groups) {
      results.set(name, tuple(group));
    }
    return object(results).withMarks(this.#marks);
  }

  /** Begins the iteration. Returns the number of elements. */
  #begin(collection: Value): number {
    if (this.#e.keyName === undefined) {
      this.#elements = collection.elements();
      return this.#elements.length;
    }
    this.#entries = collection.entries();
    return this.#entries.length;
  }

  /** Binds the frame to an element. Returns true if it satisfies the condition. */
  #select(i: number): boolean {
    const current = this.#current;
    const entry = this.#entries?.[i];
    if (entry === undefined) {
      current.value = this.#elements[i];
    } else {
      current.key = entry[0];
      current.value = entry[1];
    }
    const { condition } = this.#e;
    return condition === undefined || this.#includes(condition);
  }

  #includes(condition: Expression): boolean {
    const result = this.#evaluate(condition, this.#frame, this.#diagnostics);
    if (typeof result.payload === 'boolean' && result.type === BOOL && result.marks === NO_MARKS) {
      return result.payload;
    }
    if (result.isNull) {
      this.#fail(
        condition,
        "Invalid 'for' condition",
        "The value of the 'if' clause must not be null.",
      );
      return false;
    }
    this.#addMarks(result.marks);
    let include: Value;
    try {
      const plain = result.unmark();
      include = convert(plain, BOOL);
    } catch (error) {
      const detail = `The 'if' clause value is invalid: ${faultMessage(error)}.`;
      this.#fail(condition, "Invalid 'for' condition", detail);
      return false;
    }
    if (!include.isKnown) {
      this.#isKnown = false;
      return false;
    }
    return include.asBool();
  }

  #keyOf(key: Expression): string | undefined {
    const raw = this.#evaluate(key, this.#frame, this.#diagnostics);
    if (typeof raw.payload === 'string' && raw.type === STRING && raw.marks === NO_MARKS) {
      return raw.payload;
    }
    if (raw.isNull) {
      const detail = "Key expression in 'for' expression must not produce a null value.";
      this.#fail(key, 'Invalid object key', detail);
      return undefined;
    }
    this.#addMarks(raw.marks);
    if (!raw.isKnown) {
      this.#isKnown = false;
      return undefined;
    }
    const plain = raw.unmark();
    try {
      return convert(plain, STRING).asString();
    } catch (error) {
      const detail = `The key expression produced an invalid result: ${faultMessage(error)}.`;
      this.#fail(key, 'Invalid object key', detail);
      return undefined;
    }
  }

  #reportDuplicate(key: Expression, name: string): void {
    const detail = `Two different items produced the key ${quoteText(name)} in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.`;
    this.#report(key, 'Duplicate object key', detail);
  }

  /** Reports an error that makes the result unknown, unless one has been reported before. */
  #fail(expression: Expression, summary: string, detail: string): void {
    if (this.#isKnown) {
      this.#report(expression, summary, detail);
    }
    this.#isKnown = false;
  }

  #report(expression: Expression, summary: string, detail: string): void {
    const subject = expression.range;
    const origin = { subject, context: this.#e.range, expression, scope: this.#frame };
    reportFault(this.#diagnostics, summary, detail, origin);
  }

  #addMarks(marks: Marks): void {
    if (marks !== NO_MARKS) {
      this.#marks = unionMarks(this.#marks, marks);
    }
  }
}
