// Interpretations of expressions other than by value: as a reference, a keyword, a list, a call.

import { FALSE, TRUE, type Value } from '@terrane/cty';
import { embeddedExpression, embeddedTraversal } from '../json/embedded.ts';
import { jsonExpression, propertyNameNode } from '../json/json-expression.ts';
import type { Expression, Traversal } from '../model.ts';
import { type Range, rangeBetween } from '../source/source.ts';

/** An expression as an absolute traversal; undefined if it is more than a static reference. */
export function asTraversal(expression: Expression): Traversal | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return expression.traversal;
    case 'relativeTraversal': {
      const source = asTraversal(expression.source);
      if (source === undefined) {
        return undefined;
      }
      const steps = [...source.steps, ...expression.traversal.steps];
      return { steps, range: rangeBetween(source.range, expression.traversal.range) };
    }
    case 'literal':
      return keywordTraversal(expression.value, expression.range);
    case 'objectKey':
      return expression.forceNonLiteral ? undefined : asTraversal(expression.wrapped);
    case 'iteration':
      return asTraversal(expression.wrapped);
    case 'json':
      return expression.node.kind === 'string' ? embeddedTraversal(expression.node) : undefined;
    default:
      return undefined;
  }
}

/** `null`, `true` and `false` are ordinary names where a reference is expected. */
function keywordTraversal(value: Value, range: Range): Traversal | undefined {
  const name = value.isNull
    ? 'null'
    : value === TRUE
      ? 'true'
      : value === FALSE
        ? 'false'
        : undefined;
  return name === undefined ? undefined : { steps: [{ kind: 'root', name, range }], range };
}

/** Variant of `asTraversal` whose first step is an attribute of the context. */
export function asRelativeTraversal(expression: Expression): Traversal | undefined {
  const traversal = asTraversal(expression);
  const first = traversal?.steps[0];
  if (traversal === undefined || first?.kind !== 'root') {
    return traversal;
  }
  const { name, range } = first;
  const steps = [{ kind: 'attr', name, range } as const, ...traversal.steps.slice(1)];
  return { steps, range: traversal.range };
}

/** Returns the name if the expression is a plain name. */
export function asKeyword(expression: Expression): string | undefined {
  const steps = asTraversal(expression)?.steps;
  const first = steps?.[0];
  return steps?.length === 1 && first?.kind === 'root' ? first.name : undefined;
}

/** The elements, if the expression is a tuple constructor. */
export function asList(expression: Expression): readonly Expression[] | undefined {
  switch (expression.kind) {
    case 'tuple':
      return expression.elements;
    case 'objectKey':
    case 'iteration':
      return asList(expression.wrapped);
    case 'json':
      return expression.node.kind === 'array'
        ? expression.node.elements.map(jsonExpression)
        : undefined;
    default:
      return undefined;
  }
}

/** A pair of an object constructor, its two sides not evaluated. */
export interface KeyValueExpressions {
  readonly key: Expression;
  readonly value: Expression;
}

/** The items in source order, if the expression is an object constructor. */
export function asMap(expression: Expression): readonly KeyValueExpressions[] | undefined {
  switch (expression.kind) {
    case 'object':
      return expression.items;
    case 'objectKey':
    case 'iteration':
      return asMap(expression.wrapped);
    case 'json':
      return expression.node.kind === 'object'
        ? expression.node.properties.map((property) => ({
            key: jsonExpression(propertyNameNode(property)),
            value: jsonExpression(property.value),
          }))
        : undefined;
    default:
      return undefined;
  }
}

/** A call of a function, its arguments not evaluated. */
export interface StaticCall {
  readonly name: string;
  readonly nameRange: Range;
  readonly args: readonly Expression[];
  /** from the opening to the closing parenthesis */
  readonly argsRange: Range;
}

/** The call, if the expression is a function call. */
export function asCall(expression: Expression): StaticCall | undefined {
  switch (expression.kind) {
    case 'call': {
      const { name, nameRange, args } = expression;
      return {
        name,
        nameRange,
        args,
        argsRange: rangeBetween(expression.openRange, expression.closeRange),
      };
    }
    case 'objectKey':
    case 'iteration':
      return asCall(expression.wrapped);
    case 'json': {
      const inner =
        expression.node.kind === 'string' ? embeddedExpression(expression.node) : undefined;
      return inner === undefined ? undefined : asCall(inner);
    }
    default:
      return undefined;
  }
}
