import {
  type Expression,
  type FunctionCallExpr,
  type NativeAttribute,
  type NativeBlock,
  type NativeBody,
  walkExpression,
} from '@terrane/hcl';
import type { EnclosingBlock } from './cursor-context.ts';

/** The nodes of a native syntax tree that contain an offset. */
export interface NodesAt {
  /** from the outermost */
  readonly blocks: readonly NativeBlock[];
  readonly attribute: NativeAttribute | undefined;
  /** expressions of the attribute, from the outermost */
  readonly expressions: readonly Expression[];
}

/** Returns the nodes that contain an offset; a node's end counts as inside. */
export function nodesAt(body: NativeBody, offset: number): NodesAt {
  const blocks: NativeBlock[] = [];
  let current = body;
  for (;;) {
    const block = current.blocks.find(({ range }) => range.start <= offset && offset <= range.end);
    if (block === undefined) break;
    blocks.push(block);
    current = block.body;
  }
  const attribute = [...current.attributes.values()].find(
    ({ range }) => range.start <= offset && offset <= range.end,
  );
  const expressions: Expression[] = [];
  if (attribute !== undefined) {
    walkExpression(attribute.expression, (expression) => {
      const { start, end } = expression.range;
      if (offset < start || offset > end) return false;
      expressions.push(expression);
      return true;
    });
  }
  return { blocks, attribute, expressions };
}

/** The innermost function call that contains an offset. */
export function callAt({ expressions }: NodesAt): FunctionCallExpr | undefined {
  const call = expressions.findLast(({ kind }) => kind === 'call');
  return call?.kind === 'call' ? call : undefined;
}

/** Converts blocks to the parameters of the schema look-up. */
export function enclosing(blocks: readonly NativeBlock[]): readonly EnclosingBlock[] {
  return blocks.map(({ type, labels, openBraceRange }) => ({
    type,
    labels,
    bodyStart: openBraceRange.end,
  }));
}
