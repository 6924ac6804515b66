import { embeddedTemplate } from '../json/embedded.ts';
import { jsonExpression, propertyNameNode } from '../json/json-expression.ts';
import type { Expression, ForExpr, Traversal } from '../model.ts';
import type { Range } from '../source/source.ts';
import { asKeyword } from './static.ts';
import { takesType } from './type-call.ts';

const cache = new WeakMap<Expression, readonly Traversal[]>();
const NONE: readonly Traversal[] = [];

/**
 * Returns the references in an expression that are not bound by a `for` in it, in source order, including duplicates.
 * Cached per expression.
 */
export function variables(expression: Expression): readonly Traversal[] {
  switch (expression.kind) {
    case 'literal':
      return NONE;
    case 'blocks':
      return expression.references();
    default: {
      let result = cache.get(expression);
      if (result === undefined) {
        const traversals: Traversal[] = [];
        collect(expression, [], traversals);
        result = traversals.length === 0 ? NONE : traversals;
        cache.set(expression, result);
      }
      return result;
    }
  }
}

function collect(expression: Expression, bound: readonly string[], traversals: Traversal[]): void {
  switch (expression.kind) {
    case 'scopeTraversal': {
      const root = expression.traversal.steps[0];
      if (root?.kind === 'root' && !bound.includes(root.name)) {
        traversals.push(expression.traversal);
      }
      return;
    }
    case 'for':
      collectFor(expression, bound, traversals);
      return;
    case 'iteration':
      collect(expression.wrapped, [...bound, ...expression.iterators.keys()], traversals);
      return;
    case 'blocks':
      traversals.push(...expression.references());
      return;
    default:
      for (const child of operands(expression)) {
        collect(child, bound, traversals);
      }
  }
}

/** Variant of `children` that returns all operands of a chain such as a + b + c, which nests to the left. */
function operands(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'binary') {
    return children(expression);
  }
  const reversed: Expression[] = [];
  let at: Expression = expression;
  while (at.kind === 'binary') {
    reversed.push(at.right);
    at = at.left;
  }
  reversed.push(at);
  return reversed.toReversed();
}

function collectFor(expression: ForExpr, bound: readonly string[], traversals: Traversal[]): void {
  collect(expression.collection, bound, traversals);
  const inner = [...bound, expression.valueName];
  if (expression.keyName !== undefined) {
    inner.push(expression.keyName);
  }
  for (const part of [expression.key, expression.value, expression.condition]) {
    if (part !== undefined) {
      collect(part, inner, traversals);
    }
  }
}

/** A function that an expression calls, and where. */
export interface FunctionReference {
  /** the full name, with "::" if it is namespaced */
  readonly name: string;
  readonly range: Range;
}

/** The functions that an expression calls, in source order, with repetitions. */
export function functionCalls(expression: Expression): readonly FunctionReference[] {
  const calls: FunctionReference[] = [];
  collectCalls(expression, calls);
  return calls;
}

function collectCalls(expression: Expression, calls: FunctionReference[]): void {
  if (expression.kind === 'call') {
    calls.push({ name: expression.name, range: expression.nameRange });
  }
  for (const child of operands(expression)) {
    collectCalls(child, calls);
  }
}

/** The expressions directly inside an expression, in the order in which they are evaluated. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'template':
      return expression.parts;
    case 'templateWrap':
    case 'iteration':
      return [expression.wrapped];
    case 'templateJoin':
      return [expression.tuple];
    case 'relativeTraversal':
      return [expression.source];
    case 'call':
      // Identifiers in a type expression are not references.
      return takesType(expression.name) ? expression.args.slice(0, 1) : expression.args;
    case 'conditional':
      return [expression.condition, expression.ifTrue, expression.ifFalse];
    case 'binary':
      return [expression.left, expression.right];
    case 'unary':
      return [expression.operand];
    case 'object':
      return expression.items.flatMap((item) => [item.key, item.value]);
    case 'objectKey':
      return asKeyword(expression.wrapped) === undefined ? [expression.wrapped] : [];
    case 'tuple':
      return expression.elements;
    case 'for': {
      const parts = [expression.collection, expression.key, expression.value, expression.condition];
      return parts.filter((part) => part !== undefined);
    }
    case 'index':
      return [expression.collection, expression.key];
    case 'splat':
      return [expression.source, expression.each];
    case 'parentheses':
      return [expression.inner];
    case 'json':
      return jsonChildren(expression);
    case 'literal':
    case 'scopeTraversal':
    case 'splatItem':
    case 'syntaxError':
    case 'blocks':
      return [];
  }
}

function jsonChildren(expression: Extract<Expression, { kind: 'json' }>): readonly Expression[] {
  const { node } = expression;
  switch (node.kind) {
    case 'string': {
      const template = embeddedTemplate(node);
      return template.diagnostics.length === 0 ? [template.expression] : [];
    }
    case 'array':
      return node.elements.map(jsonExpression);
    case 'object':
      return node.properties.flatMap((property) => [
        jsonExpression(propertyNameNode(property)),
        jsonExpression(property.value),
      ]);
    default:
      return [];
  }
}
