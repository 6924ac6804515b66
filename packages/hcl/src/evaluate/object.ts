import {
  convert,
  type Marks,
  NO_MARKS,
  object,
  ObjectLayout,
  STRING,
  str,
  UNKNOWN,
  unionMarks,
  type Value,
} from '@terrane/cty';
import { errorDiagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import { asKeyword } from '../expression/static.ts';
import type { Diagnostic, ObjectExpr, ObjectItem, ObjectKeyExpr, Scope } from '../model.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';

/**
 * Evaluates an object constructor. All keys and values are evaluated for their diagnostics; if a key is missing or
 * unknown, the object is unknown. Of duplicate keys the last applies; marks of keys are added to the object.
 */
export function evaluateObject(
  e: ObjectExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const layout = layoutOf(e);
  if (layout !== undefined) {
    const { items } = e;
    const { positions } = layout;
    const values = new Array<Value>(layout.length);
    for (let i = 0; i < items.length; i++) {
      const value = evaluate((items[i] as ObjectItem).value, scope, diagnostics);
      values[positions[i] as number] = value;
    }
    return layout.object(values);
  }
  const attributes = new Map<string, Value>();
  let marks: Marks = NO_MARKS;
  let isKnown = true;
  for (const item of e.items) {
    let name = literalKey(item.key);
    if (name !== undefined) {
      attributes.set(name, evaluate(item.value, scope, diagnostics));
      continue;
    }
    const mark = diagnostics.length;
    const key = evaluate(item.key, scope, diagnostics);
    const failed = hasErrors(diagnostics, mark);
    const value = evaluate(item.value, scope, diagnostics);
    if (!failed && !key.isNull) {
      marks = unionMarks(marks, key.marks);
    }
    name = failed ? undefined : keyText(key, item, scope, diagnostics);
    if (name === undefined) {
      isKnown = false;
    } else {
      attributes.set(name, value);
    }
  }
  return isKnown ? object(attributes).withMarks(marks) : UNKNOWN;
}

const layouts = new WeakMap<ObjectExpr, ObjectLayout | false>();

/** The layout of the objects of a constructor that has literal keys only. Determined once for each constructor. */
function layoutOf(e: ObjectExpr): ObjectLayout | undefined {
  let layout = layouts.get(e);
  if (layout === undefined) {
    const names = e.items.map((item) => literalKey(item.key));
    layout = names.every((name) => name !== undefined) && new ObjectLayout(names);
    layouts.set(e, layout);
  }
  return layout === false ? undefined : layout;
}

/** The name of a key that needs no evaluation. */
function literalKey(key: ObjectKeyExpr): string | undefined {
  const { wrapped } = key;
  if (wrapped.kind === 'template') {
    const [part] = wrapped.parts;
    return wrapped.parts.length === 1 && part?.kind === 'literal'
      ? part.value.asString()
      : undefined;
  }
  if (key.forceNonLiteral) {
    return undefined;
  }
  return asKeyword(wrapped);
}

function keyText(
  key: Value,
  item: ObjectItem,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): string | undefined {
  if (key.isNull) {
    const origin = { subject: item.value.range, expression: item.key, scope };
    reportFault(diagnostics, 'Null value as key', "Can't use a null value as a key.", origin);
    return undefined;
  }
  try {
    const text = convert(key.unmark(), STRING);
    return text.isKnown ? text.asString() : undefined;
  } catch (error) {
    const detail = `Can't use this value as a key: ${faultMessage(error)}.`;
    const origin = { subject: item.key.range, expression: item.key, scope };
    reportFault(diagnostics, 'Incorrect key type', detail, origin);
    return undefined;
  }
}

/**
 * Evaluates a key. A plain name is a literal key; a reference without parentheses is rejected, since a name may be
 * intended.
 */
export function evaluateObjectKey(
  e: ObjectKeyExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  if (!e.forceNonLiteral) {
    if (e.wrapped.kind === 'scopeTraversal' && e.wrapped.traversal.steps.length > 1) {
      const detail =
        "If this expression is intended to be a reference, wrap it in parentheses. If it's instead intended as a literal name containing periods, wrap it in quotes to create a string literal.";
      diagnostics.push(errorDiagnostic('Ambiguous attribute key', detail, e.range));
      return UNKNOWN;
    }
    const name = asKeyword(e.wrapped);
    if (name !== undefined) {
      return str(name);
    }
  }
  return evaluate(e.wrapped, scope, diagnostics);
}
