import type { NativeAttribute } from '../syntax/attribute-list.ts';
import type { NativeBlock, NativeBody } from '../syntax/native-body.ts';
import { type Comment, firstFrom, isJustAbove } from '../toolkit/comments.ts';
import { AttributeNode } from './attribute-node.ts';
import { BlockNode } from './block-node.ts';
import { BodyNode } from './body-node.ts';
import type { Gap } from './nodes.ts';

/** Parses text into editable nodes without losing a character. */
export class NodeParser {
  readonly #text: string;
  readonly #comments: readonly Comment[];

  constructor(text: string, comments: readonly Comment[]) {
    this.#text = text;
    this.#comments = comments;
  }

  /** Returns the nodes of a body whose text lies between two offsets. */
  nodes(
    body: NativeBody,
    start: number,
    end: number,
    owner: BodyNode,
  ): (Gap | AttributeNode | BlockNode)[] {
    const items = [...body.attributes.values(), ...body.blocks].toSorted(
      (a, b) => a.range.start - b.range.start,
    );
    const nodes: (Gap | AttributeNode | BlockNode)[] = [];
    let at = start;
    for (const item of items) {
      const from = this.#leadStart(at, item.range.start);
      if (from > at) nodes.push({ kind: 'gap', text: this.#text.slice(at, from) });
      const to = this.#lineEnd(item.range.end, end);
      const lead = this.#text.slice(from, item.range.start);
      const tail = this.#text.slice(item.range.end, to);
      nodes.push(
        'openBraceRange' in item
          ? this.#block(item, lead, tail, owner)
          : this.#attribute(item, lead, tail, owner),
      );
      at = to;
    }
    if (end > at) nodes.push({ kind: 'gap', text: this.#text.slice(at, end) });
    return nodes;
  }

  #attribute(
    { nameRange, expression, range }: NativeAttribute,
    lead: string,
    tail: string,
    owner: BodyNode,
  ): AttributeNode {
    // The range of the attribute includes closing parentheses, which that of the expression omits.
    const { start } = expression.range;
    return new AttributeNode(owner, {
      lead,
      name: nameRange.text(),
      equals: this.#text.slice(nameRange.end, start),
      value: this.#text.slice(start, range.end),
      tail,
    });
  }

  #block(block: NativeBlock, lead: string, tail: string, owner: BodyNode): BlockNode {
    const text = this.#text;
    const braceEnd = block.openBraceRange.end;
    const closeStart = block.closeBraceRange.start;
    const lineEnd = this.#lineEnd(braceEnd, closeStart);
    const openEnd = text.charCodeAt(lineEnd - 1) === 0x0a ? lineEnd : braceEnd;
    // The indentation of the closing brace is removed with it.
    let closeFrom = closeStart;
    while (closeFrom > openEnd && isBlank(text.charCodeAt(closeFrom - 1))) closeFrom--;
    if (closeFrom > openEnd && text.charCodeAt(closeFrom - 1) !== 0x0a) closeFrom = closeStart;
    const content = new BodyNode(owner.eol);
    let at = block.typeRange.end;
    const labels = block.labelRanges.map((range, i) => {
      const space = text.slice(at, range.start);
      at = range.end;
      return { space, source: range.text(), text: block.labels[i] ?? '' };
    });
    const editor = new BlockNode(owner, content, {
      lead,
      type: block.type,
      labels,
      open: text.slice(at, openEnd),
      close: text.slice(closeFrom, block.closeBraceRange.end),
      tail,
    });
    content.fill(editor, this.nodes(block.body, openEnd, closeFrom, content));
    return editor;
  }

  /** Returns the start of an item's leading comments and indentation, not before `from`. */
  #leadStart(from: number, itemStart: number): number {
    let at = itemStart;
    for (let i = firstFrom(this.#comments, itemStart) - 1; i >= 0; i--) {
      const comment = this.#comments[i];
      if (comment === undefined || comment.range.start < from) break;
      if (!isJustAbove(this.#text, comment, at)) break;
      at = comment.range.start;
    }
    while (at > from && isBlank(this.#text.charCodeAt(at - 1))) at--;
    return at;
  }

  /**
   * Returns the end of the line on which an item ends, with comments and newline, or the position of the next text on
   * it.
   */
  #lineEnd(itemEnd: number, limit: number): number {
    const text = this.#text;
    let at = itemEnd;
    for (;;) {
      while (at < limit && isBlank(text.charCodeAt(at))) at++;
      const comment = this.#comments[firstFrom(this.#comments, at)];
      if (comment?.range.start !== at || at >= limit) break;
      at = comment.range.end;
    }
    if (text.startsWith('\r\n', at)) return at + 2;
    return text.charCodeAt(at) === 0x0a ? at + 1 : at;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
