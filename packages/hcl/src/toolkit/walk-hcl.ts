import { children } from '../expression/references.ts';
import type { Expression } from '../model.ts';
import type { NativeAttribute } from '../syntax/attribute-list.ts';
import type { NativeBlock, NativeBody } from '../syntax/native-body.ts';

/**
 * Callbacks for each kind of node. A function that returns `false` skips the children of its node. `path` are the
 * enclosing blocks, from the outermost.
 */
export interface HclVisitor {
  block?(block: NativeBlock, path: readonly NativeBlock[]): boolean | void;
  attribute?(attribute: NativeAttribute, path: readonly NativeBlock[]): boolean | void;
  expression?(expression: Expression, path: readonly NativeBlock[]): boolean | void;
}

/** Visits a body in source order, and every expression in it. */
export function walkHcl(body: NativeBody, visitor: HclVisitor): void {
  walkBody(body, visitor, []);
}

/** Visits an expression and all nested expressions, outer ones first. */
export function walkExpression(
  expression: Expression,
  visit: (expression: Expression) => boolean | void,
): void {
  if (visit(expression) === false) return;
  for (const child of children(expression)) walkExpression(child, visit);
}

function walkBody(body: NativeBody, visitor: HclVisitor, path: readonly NativeBlock[]): void {
  const items = [...body.attributes.values(), ...body.blocks].toSorted(
    (a, b) => a.range.start - b.range.start,
  );
  for (const item of items) {
    if ('openBraceRange' in item) {
      if (visitor.block?.(item, path) !== false) walkBody(item.body, visitor, [...path, item]);
    } else if (visitor.attribute?.(item, path) !== false && visitor.expression !== undefined) {
      walkExpression(item.expression, (e) => visitor.expression?.(e, path));
    }
  }
}
