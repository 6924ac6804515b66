import { isValidIdentifier } from '../syntax/scanner.ts';
import type { BodyEditor, Placement } from './editors.ts';
import {
  type BlockTexts,
  commentLines,
  commentText,
  type EditedBlock,
  type EditedBody,
  indentationAtEnd,
} from './nodes.ts';
import { quotedText } from '../format/value-tokens.ts';

/** A block of an edited text. */
export class BlockNode implements EditedBlock {
  readonly kind = 'block' as const;
  body: EditedBody | undefined;
  readonly content: EditedBody;
  texts: BlockTexts;

  constructor(body: EditedBody, content: EditedBody, texts: BlockTexts) {
    this.body = body;
    this.content = content;
    this.texts = texts;
  }

  get type(): string {
    return this.texts.type;
  }

  get labels(): readonly string[] {
    return this.texts.labels.map((label) => label.text);
  }

  get indent(): string {
    return indentationAtEnd(this.texts.lead);
  }

  get comment(): string | undefined {
    return commentText(this.texts.lead);
  }

  setType(type: string): void {
    if (!isValidIdentifier(type))
      throw new Error(`${JSON.stringify(type)} is not a valid block type`);
    this.texts = { ...this.texts, type };
  }

  setLabels(...labels: readonly string[]): void {
    this.texts = {
      ...this.texts,
      labels: labels.map((text, i) => {
        const old = this.texts.labels[i];
        if (old?.text === text) return old;
        const isUnquoted =
          old !== undefined && !old.source.startsWith('"') && isValidIdentifier(text);
        return { space: old?.space ?? ' ', source: isUnquoted ? text : quotedText(text), text };
      }),
    };
  }

  setComment(text: string | undefined): void {
    const { indent } = this;
    const comment = text === undefined ? '' : commentLines(text, indent, this.content.eol);
    this.texts = { ...this.texts, lead: comment + indent };
  }

  remove(): void {
    this.body?.removeItem(this);
  }

  moveTo(body: BodyEditor, placement?: Placement): void {
    body.take(this, placement);
  }

  toString(): string {
    const { lead, type, labels, open, close, tail } = this.texts;
    const header = labels.map((label) => label.space + label.source).join('');
    return `${lead}${type}${header}${open}${this.content}${close}${tail}`;
  }

  patch(texts: Partial<BlockTexts>): void {
    this.texts = { ...this.texts, ...texts };
  }

  openUp(eol: string): void {
    if (this.texts.open.endsWith('\n')) return;
    this.patch({ open: this.texts.open.trimEnd() + eol, close: `${this.indent}}` });
  }

  get isSingleLine(): boolean {
    return !this.texts.open.endsWith('\n');
  }
}
