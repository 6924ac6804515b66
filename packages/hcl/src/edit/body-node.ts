import { isValidIdentifier } from '../syntax/scanner.ts';
import { AttributeNode } from './attribute-node.ts';
import { BlockNode } from './block-node.ts';
import type { HclAttributes, ItemEditor, Placement } from './editors.ts';
import {
  commentLines,
  type EditedBody,
  type EditedItem,
  type EditNode,
  type Gap,
} from './nodes.ts';
import { setIndent } from './indentation.ts';
import { quotedText } from '../format/value-tokens.ts';
import { type HclInput, sourceOf } from './source-text.ts';
import type { PlainValue } from '../toolkit/plain-value.ts';

type Node = Gap | AttributeNode | BlockNode;

/** The body of an edited text. */
export class BodyNode implements EditedBody {
  /** The line ending. */
  readonly eol: string;
  owner: BlockNode | undefined;
  nodes: Node[] = [];

  constructor(eol: string) {
    this.eol = eol;
  }

  /** Sets the nodes of the body. */
  fill(owner: BlockNode | undefined, nodes: Node[]): void {
    this.owner = owner;
    this.nodes = nodes;
  }

  get items(): readonly (AttributeNode | BlockNode)[] {
    return this.nodes.filter((node) => node.kind !== 'gap');
  }

  get attributes(): readonly AttributeNode[] {
    return this.nodes.filter((node) => node.kind === 'attribute');
  }

  attribute(name: string): AttributeNode | undefined {
    return this.attributes.find((attribute) => attribute.name === name);
  }

  blocks(type?: string, ...labels: readonly string[]): readonly BlockNode[] {
    return this.nodes
      .filter((node) => node.kind === 'block')
      .filter((block) => type === undefined || block.type === type)
      .filter((block) => labels.every((label, i) => block.labels[i] === label));
  }

  block(type: string, ...labels: readonly string[]): BlockNode | undefined {
    return this.blocks(type, ...labels)[0];
  }

  get(name: string): PlainValue | undefined {
    return this.attribute(name)?.value;
  }

  set(name: string, value: HclInput): AttributeNode {
    const existing = this.attribute(name);
    if (existing !== undefined) {
      existing.set(value);
      return existing;
    }
    if (!isValidIdentifier(name))
      throw new Error(`${JSON.stringify(name)} is not a valid name of an attribute`);
    const indent = this.#indent();
    const added = new AttributeNode(this, {
      lead: indent,
      name,
      equals: ' = ',
      value: sourceOf(value, indent, this.eol),
      tail: this.eol,
    });
    this.#put(added, undefined);
    this.#alignWithAbove(added);
    return added;
  }

  remove(name: string): boolean {
    const attribute = this.attribute(name);
    attribute?.remove();
    return attribute !== undefined;
  }

  rename(from: string, to: string): boolean {
    const attribute = this.attribute(from);
    attribute?.rename(to);
    return attribute !== undefined;
  }

  addBlock(
    type: string,
    labels: readonly string[] = [],
    attributes: HclAttributes = {},
    placement?: Placement,
  ): BlockNode {
    if (!isValidIdentifier(type))
      throw new Error(`${JSON.stringify(type)} is not a valid name of a block`);
    const indent = this.#indent();
    const content = new BodyNode(this.eol);
    const block = new BlockNode(this, content, {
      lead: indent,
      type,
      labels: labels.map((text) => ({ space: ' ', source: quotedText(text), text })),
      open: ' {',
      close: '}',
      tail: this.eol,
    });
    content.fill(block, []);
    this.#put(block, placement);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) content.set(name, value);
    }
    return block;
  }

  addComment(text: string): void {
    this.#openUp();
    this.#endLine();
    const blank = this.toString() === '' ? '' : this.eol;
    this.nodes.push({ kind: 'gap', text: blank + commentLines(text, this.#indent(), this.eol) });
  }

  toString(): string {
    return this.nodes.map(textOf).join('');
  }

  take(item: ItemEditor, placement?: Placement): void {
    if (!(item instanceof AttributeNode || item instanceof BlockNode)) {
      throw new TypeError('only what an editor gave can be moved');
    }
    const sibling = placement?.before ?? placement?.after;
    if (sibling === item) return;
    for (let at: EditedBody | undefined = this; at !== undefined; at = at.owner?.body) {
      if (at.owner === item) throw new Error('a block cannot be moved into itself');
    }
    if (sibling !== undefined && sibling.body !== this)
      throw new Error('the place is not in this body');
    if (
      item.kind === 'attribute' &&
      item.body !== this &&
      this.attribute(item.name) !== undefined
    ) {
      throw new Error(`${item.name} is set already`);
    }
    const indent = this.#indent();
    item.remove();
    setIndent(item, indent);
    this.#put(item, placement);
  }

  removeItem(item: ItemEditor): void {
    const at = this.nodes.findIndex((node) => node === item);
    const removed = this.nodes[at];
    if (removed === undefined || removed.kind === 'gap') return;
    removed.body = undefined;
    this.nodes.splice(at, 1);
    const before = this.nodes[at - 1];
    const after = this.nodes[at];
    if (before?.kind === 'gap' && (after === undefined || after.kind === 'gap')) {
      // Remove one of the two surrounding gaps too.
      if (after === undefined || /^[ \t]*\r?\n/.test(after.text)) {
        before.text = before.text.replace(/(^|\n)(?:[ \t]*\r?\n)+$/, '$1');
      }
      if (after?.kind === 'gap') {
        before.text += after.text;
        this.nodes.splice(at, 1);
      }
    } else if (before === undefined && after?.kind === 'gap') {
      after.text = after.text.replace(/^(?:[ \t]*\r?\n)+/, '');
    }
    this.nodes = this.nodes.filter((node) => node.kind !== 'gap' || node.text !== '');
  }

  ownLine(item: EditedItem): void {
    if (this.owner?.isSingleLine === true) {
      this.#openUp();
      const lead = item.texts.lead.trimStart();
      item.patch({ lead: lead === '' ? this.#childIndent() : `${this.#childIndent()}${lead}` });
    }
  }

  /** The indentation of the items. */
  #indent(): string {
    const single = this.owner?.isSingleLine === true;
    return single ? this.#childIndent() : (this.items[0]?.indent ?? this.#childIndent());
  }

  #childIndent(): string {
    return this.owner === undefined ? '' : `${this.owner.indent}${this.owner.body?.unit ?? '  '}`;
  }

  /** The indentation of one level: that of this body, or two spaces. */
  get unit(): string {
    const outer = this.owner?.indent ?? '';
    const inner = this.items[0]?.indent ?? '';
    return this.owner !== undefined && inner.length > outer.length && inner.startsWith(outer)
      ? inner.slice(outer.length)
      : '  ';
  }

  #openUp(): void {
    if (this.owner === undefined || !this.owner.isSingleLine) return;
    const indent = this.#childIndent();
    this.owner.openUp(this.eol);
    this.nodes = this.nodes.filter((node) => node.kind !== 'gap' || node.text.trim() !== '');
    for (const node of this.nodes) {
      if (node.kind === 'gap') node.text = `${indent}${node.text.trim()}${this.eol}`;
      else
        node.patch({
          lead: indent + node.texts.lead.trimStart(),
          tail: node.texts.tail.trimEnd() + this.eol,
        });
    }
  }

  /** Ensures that the last line ends with a newline. */
  #endLine(): void {
    const last = this.nodes.at(-1);
    if (last === undefined) return;
    if (last.kind === 'gap') {
      if (!/^\uFEFF?$/.test(last.text) && !last.text.endsWith('\n')) last.text += this.eol;
    } else if (!last.texts.tail.endsWith('\n')) {
      last.patch({ tail: last.texts.tail + this.eol });
    }
  }

  /** Inserts an item: attributes after the other attributes, blocks at the end. */
  #put(item: AttributeNode | BlockNode, placement: Placement | undefined): void {
    this.#openUp();
    this.#endLine();
    if (!item.texts.tail.endsWith('\n')) item.patch({ tail: item.texts.tail.trimEnd() + this.eol });
    const at = this.#placeFor(item, placement);
    item.body = this;
    this.nodes.splice(at, 0, item);
    this.#separate(at + 1);
    this.#separate(at);
  }

  #placeFor(item: EditedItem, placement: Placement | undefined): number {
    const { before, after } = placement ?? {};
    if (before !== undefined) return this.#indexOf(before);
    if (after !== undefined) return this.#indexOf(after) + 1;
    if (item.kind === 'block') return this.nodes.length;
    const last = this.nodes.findLastIndex((node) => node.kind === 'attribute');
    if (last >= 0) return last + 1;
    const block = this.nodes.findIndex((node) => node.kind === 'block');
    return block < 0 ? this.nodes.length : block;
  }

  #indexOf(item: ItemEditor): number {
    const at = this.nodes.findIndex((node) => node === item);
    if (at < 0) throw new Error('the place is not in this body');
    return at;
  }

  /** Inserts an empty line before a node if it or its predecessor is a block. */
  #separate(at: number): void {
    const before = this.nodes[at - 1];
    const after = this.nodes[at];
    if (before === undefined || after === undefined) return;
    const blank: Gap = { kind: 'gap', text: this.eol };
    if (before.kind !== 'gap' && after.kind !== 'gap') {
      if (before.kind === 'block' || after.kind === 'block') this.nodes.splice(at, 0, blank);
    } else if (before.kind === 'gap' && after.kind === 'block') {
      const separated = /(?:^|\n)[ \t]*\r?\n$/.test(before.text) || before.text.trim() === '';
      if (!separated) before.text += this.eol;
    } else if (after.kind === 'gap' && before.kind === 'block') {
      if (!/^[ \t]*\r?\n/.test(after.text)) after.text = this.eol + after.text;
    }
  }

  #alignWithAbove(added: AttributeNode): void {
    const above = this.nodes[this.nodes.indexOf(added) - 1];
    if (above?.kind !== 'attribute' || above.source.includes('\n')) return;
    const width = (above.equalsColumn ?? 0) - added.name.length;
    if (width > 1) added.patch({ equals: `${' '.repeat(width)}= ` });
  }
}

function textOf(node: EditNode): string {
  return node.kind === 'gap' ? node.text : node.toString();
}
