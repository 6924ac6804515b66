import type { JsonExpr } from '../model.ts';
import type { JsonProperty, JsonStringNode, JsonSyntaxNode } from './nodes.ts';

const expressions = new WeakMap<JsonSyntaxNode, JsonExpr>();
const names = new WeakMap<JsonProperty, JsonStringNode>();

/** The expression of a JSON value; the same one each time. */
export function jsonExpression(node: JsonSyntaxNode): JsonExpr {
  let expression = expressions.get(node);
  if (expression === undefined) {
    expression = { kind: 'json', range: node.range, node };
    expressions.set(node, expression);
  }
  return expression;
}

/** The name of a property as a string value, since names may be templates too. */
export function propertyNameNode(property: JsonProperty): JsonStringNode {
  let node = names.get(property);
  if (node === undefined) {
    const range = property.nameRange;
    node = { kind: 'string', value: property.name, range, startRange: range };
    names.set(property, node);
  }
  return node;
}
