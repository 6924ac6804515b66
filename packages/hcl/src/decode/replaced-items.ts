import type { Attribute, Block, Body, Expression } from '../model.ts';

/** Returns a block with another body. */
export function withBody(
  { type, labels, defRange, typeRange, labelRanges }: Block,
  body: Body,
): Block {
  return { type, labels, body, defRange, typeRange, labelRanges };
}

/** Returns an attribute with another expression. */
export function withExpression(
  { name, range, nameRange }: Attribute,
  expression: Expression,
): Attribute {
  return { name, expression, range, nameRange };
}
