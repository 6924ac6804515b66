import type { AttributeEditor, BlockEditor, BodyEditor, ItemEditor } from './editors.ts';

/** Text between items: empty lines, and comments that belong to no item. */
export interface Gap {
  readonly kind: 'gap';
  text: string;
}

/** The texts that an attribute consists of. */
export interface AttributeTexts {
  /** comments directly above, and the indentation */
  readonly lead: string;
  readonly name: string;
  /** ` = ` */
  readonly equals: string;
  readonly value: string;
  /** a trailing comment and the newline */
  readonly tail: string;
}

/** A label as written, with the space before it. */
export interface LabelText {
  readonly space: string;
  readonly source: string;
  readonly text: string;
}

/** The texts that a block consists of, beside its body. */
export interface BlockTexts {
  /** comments directly above, and the indentation */
  readonly lead: string;
  readonly type: string;
  readonly labels: readonly LabelText[];
  /** from the header to the end of the line of the opening brace, including comments */
  readonly open: string;
  /** the indentation and the closing brace */
  readonly close: string;
  /** a trailing comment and the newline */
  readonly tail: string;
}

/** The interface of an attribute to its body. */
export interface EditedAttribute extends AttributeEditor {
  body: EditedBody | undefined;
  readonly texts: AttributeTexts;
  /** The column of the equals sign from the start of the name; undefined if it is on another line. */
  readonly equalsColumn: number | undefined;
  patch(texts: Partial<AttributeTexts>): void;
}

/** The interface of a block to its body. */
export interface EditedBlock extends BlockEditor {
  body: EditedBody | undefined;
  readonly content: EditedBody;
  readonly texts: BlockTexts;
  /** True if the body begins on the line of the opening brace. */
  readonly isSingleLine: boolean;
  /** Moves the body to a separate line. */
  openUp(eol: string): void;
  patch(texts: Partial<BlockTexts>): void;
}

/** The interface of a body to its items. */
export interface EditedBody extends BodyEditor {
  /** The line ending. */
  readonly eol: string;
  /** The block that it is the body of. */
  readonly owner: EditedBlock | undefined;
  /** The items and the text between them. */
  readonly nodes: readonly EditNode[];
  /** The indentation of one level. */
  readonly unit: string;
  removeItem(item: ItemEditor): void;
  /** Ensures that an item is on a separate line. */
  ownLine(item: EditedItem): void;
}

/** An item of an edited body. */
export type EditedItem = EditedAttribute | EditedBlock;

/** A node of a body; the concatenated texts of all nodes are the body. */
export type EditNode = Gap | EditedItem;

/** The indentation that ends a text: the spaces and tabs after its last newline. */
export function indentationAtEnd(text: string): string {
  return /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n') + 1))?.[0] ?? '';
}

/** The comments that a leading text consists of, without their markers; undefined without any. */
export function commentText(lead: string): string | undefined {
  const lines = lead
    .split('\n')
    .map((line) => line.trim().replace(/^(?:#|\/\/|\/\*+) ?|\s*\*\/$/g, ''))
    .slice(0, -1);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** A text as line comments with an indentation. */
export function commentLines(text: string, indent: string, eol: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `${indent}#${line === '' ? '' : ` ${line}`}${eol}`)
    .join('');
}
