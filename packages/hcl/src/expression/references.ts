import { embeddedTemplate } from '../json/embedded.ts';
import { jsonExpression, propertyNameNode } from '../json/json-expression.ts';
import type { Expression, ForExpr, FunctionReference, Traversal } from '../model.ts';
import { asKeyword } from './static.ts';
import { takesType } from './type-call.ts';

/** The references in expressions that are not bound by a `for` in them, and the functions that they call. */
export interface ExpressionUses {
  readonly traversals: Traversal[];
  readonly calls: FunctionReference[];
}

const cache = new WeakMap<Expression, ExpressionUses>();
const NO_USES: ExpressionUses = { traversals: [], calls: [] };
const NO_NAMES: readonly string[] = [];

/** Returns what an expression uses. Cached per expression. */
function usesOf(expression: Expression): ExpressionUses {
  if (expression.kind === 'literal') return NO_USES;
  let uses = cache.get(expression);
  if (uses === undefined) {
    uses = { traversals: [], calls: [] };
    addUses(expression, uses);
    cache.set(expression, uses);
  }
  return uses;
}

/**
 * Returns the references in an expression that are not bound by a `for` in it, in source order, including duplicates.
 * Cached per expression.
 */
export function variables(expression: Expression): readonly Traversal[] {
  return expression.kind === 'blocks' ? expression.references() : usesOf(expression).traversals;
}

/** The functions that an expression calls, in source order, with repetitions. Cached per expression. */
export function functionCalls(expression: Expression): readonly FunctionReference[] {
  return usesOf(expression).calls;
}

/** Adds what an expression uses, in source order. References to bound names are left out. */
export function addUses(
  expression: Expression,
  uses: ExpressionUses,
  bound: readonly string[] = NO_NAMES,
): void {
  switch (expression.kind) {
    case 'literal':
      return;
    case 'scopeTraversal':
      addTraversal(expression.traversal, uses, bound);
      return;
    case 'template':
      addUsesOfParts(expression.parts, uses, bound);
      return;
    case 'for':
      addUsesOfFor(expression, uses, bound);
      return;
    case 'iteration':
      addUses(expression.wrapped, uses, [...bound, ...expression.iterators.keys()]);
      return;
    case 'blocks':
      for (const traversal of expression.references()) addTraversal(traversal, uses, bound);
      return;
    case 'call':
      uses.calls.push({ name: expression.name, range: expression.nameRange });
      break;
    default:
  }
  for (const child of operands(expression)) addUses(child, uses, bound);
}

function addUsesOfParts(
  parts: readonly Expression[],
  uses: ExpressionUses,
  bound: readonly string[],
): void {
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Expression;
    if (part.kind !== 'literal') addUses(part, uses, bound);
  }
}

function addTraversal(traversal: Traversal, uses: ExpressionUses, bound: readonly string[]): void {
  const root = traversal.steps[0];
  if (root?.kind === 'root' && !(bound.length > 0 && bound.includes(root.name)))
    uses.traversals.push(traversal);
}

function addUsesOfFor(expression: ForExpr, uses: ExpressionUses, bound: readonly string[]): void {
  const { collection, keyName, valueName, key, value, condition } = expression;
  addUses(collection, uses, bound);
  const inner = keyName === undefined ? [...bound, valueName] : [...bound, valueName, keyName];
  for (const part of [key, value, condition]) {
    if (part !== undefined) addUses(part, uses, inner);
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
