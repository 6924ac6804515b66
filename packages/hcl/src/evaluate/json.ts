import {
  bool,
  convert,
  NULL,
  number,
  object,
  quoteText,
  STRING,
  str,
  tuple,
  UNKNOWN,
  type Value,
} from '@terrane/cty';
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { embeddedTemplate } from '../json/embedded.ts';
import { jsonExpression, propertyNameNode } from '../json/json-expression.ts';
import type { JsonObjectNode, JsonProperty } from '../json/nodes.ts';
import type { Diagnostic, Expression, JsonExpr, Scope } from '../model.ts';
import type { Range } from '../source/source.ts';
import { type Evaluate, faultMessage, reportFault } from './fault.ts';

/** Evaluates a value of the JSON syntax. Strings are templates if there is a scope, otherwise literals. */
export function evaluateJson(
  e: JsonExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const { node } = e;
  switch (node.kind) {
    case 'string': {
      if (scope === undefined) {
        return str(node.value);
      }
      const template = embeddedTemplate(node);
      diagnostics.push(...template.diagnostics);
      return hasErrors(template.diagnostics)
        ? UNKNOWN
        : evaluate(template.expression, scope, diagnostics);
    }
    case 'number':
      return number(node.value);
    case 'boolean':
      return bool(node.value);
    case 'null':
      return NULL;
    case 'array':
      return tuple(
        node.elements.map((element) => evaluate(jsonExpression(element), scope, diagnostics)),
      );
    case 'object':
      return evaluateObject(e, node, scope, diagnostics, evaluate);
    case 'invalid':
      return UNKNOWN;
  }
}

function evaluateObject(
  e: JsonExpr,
  node: JsonObjectNode,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
  evaluate: Evaluate,
): Value {
  const attributes = new Map<string, Value>();
  const ranges = new Map<string, Range>();
  let isKnown = true;
  for (const property of node.properties) {
    const key = evaluate(jsonExpression(propertyNameNode(property)), scope, diagnostics);
    const expression = jsonExpression(property.value);
    const value = evaluate(expression, scope, diagnostics);
    const name = keyName(key, property, expression, scope, diagnostics);
    if (name === undefined) {
      continue;
    }
    if (!name.isKnown) {
      isKnown = false;
      continue;
    }
    const text = name.unmark().asString();
    const first = ranges.get(text);
    if (first !== undefined) {
      const detail = `An attribute named ${quoteText(text)} was already defined at ${first}.`;
      const origin = { subject: property.nameRange, expression: e, scope };
      reportFault(diagnostics, 'Duplicate object attribute', detail, origin);
      continue;
    }
    attributes.set(text, value);
    ranges.set(text, property.nameRange);
  }
  return isKnown ? object(attributes) : UNKNOWN;
}

function keyName(
  key: Value,
  property: JsonProperty,
  expression: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value | undefined {
  const summary = 'Invalid object key expression';
  const origin = { subject: property.nameRange, expression, scope };
  let name: Value;
  try {
    name = convert(key, STRING);
  } catch (error) {
    const detail = `Cannot use this expression as an object key: ${faultMessage(error)}.`;
    reportFault(diagnostics, summary, detail, origin);
    return undefined;
  }
  if (name.isNull) {
    reportFault(diagnostics, summary, 'Cannot use null value as an object key.', origin);
    return undefined;
  }
  return name;
}
