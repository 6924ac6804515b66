import type { PlainValue } from '../toolkit/plain-value.ts';
import type { HclInput } from './source-text.ts';

/** An attribute or a block that is edited. */
export type ItemEditor = AttributeEditor | BlockEditor;

/** Beside which item something is put; the item must be in the body. */
export interface Placement {
  readonly before?: ItemEditor;
  readonly after?: ItemEditor;
}

/** Attributes by name, as a new block is filled with; those that are undefined are left out. */
export type HclAttributes = Readonly<Record<string, HclInput | undefined>>;

interface ItemEditorBase {
  /** The body that it is in; undefined after it was removed. */
  readonly body: BodyEditor | undefined;
  /** The indentation of its first line. */
  readonly indent: string;
  /** The comments directly above it, without their markers; undefined where there are none. */
  readonly comment: string | undefined;
  /** Replaces the comments directly above it by line comments with this text; undefined removes them. */
  setComment(text: string | undefined): void;
  /** Removes it, with its comments and lines. */
  remove(): void;
  /** Moves it, with its comments, to another place or body; see {@link BodyEditor.take}. */
  moveTo(body: BodyEditor, placement?: Placement): void;
  /** Its text, with the comments and the newline that belong to it. */
  toString(): string;
}

/** An attribute in a text that is edited. */
export interface AttributeEditor extends ItemEditorBase {
  readonly kind: 'attribute';
  readonly name: string;
  /** The source of the value. */
  readonly source: string;
  /** The value as plain JavaScript; undefined where it depends on references or functions. */
  readonly value: PlainValue | undefined;
  /** Replaces the value and leaves the rest unchanged. */
  set(value: HclInput): void;
  /**
   * Sets something inside the value, which must be written as an object or a list: names of
   * properties and indices of elements lead there. Objects that are missing on the way are made,
   * and an index that is the length of a list appends to it. Throws an `HclError` where the path
   * leads through something else, such as a function call.
   */
  setIn(path: readonly (string | number)[], value: HclInput): void;
  /** Removes a property or an element inside the value; gives whether there was one. */
  removeIn(path: readonly (string | number)[]): boolean;
  /** Renames the attribute. Throws an Error if that is no name, or another attribute of the body has it. */
  rename(name: string): void;
}

/** A block in a text that is edited. What is in it is edited through `content`. */
export interface BlockEditor extends ItemEditorBase {
  readonly kind: 'block';
  readonly type: string;
  readonly labels: readonly string[];
  /** The body inside the block. */
  readonly content: BodyEditor;
  /** Changes the block type. Throws an Error if that is no name. */
  setType(type: string): void;
  /** Replaces the labels; labels that stay the same keep their notation. */
  setLabels(...labels: readonly string[]): void;
}

/**
 * A body whose text is edited: that of a file, or of a block. What no call asks to change keeps its
 * bytes. What is removed or moved takes along the comments directly above it, the comment behind it
 * and the empty lines that separated it from what came next. What is added is written in canonical
 * layout, with the indentation and the newlines of what is there.
 */
export interface BodyEditor {
  /** All attributes and blocks, in order. */
  readonly items: readonly ItemEditor[];
  /** The attributes, in order. */
  readonly attributes: readonly AttributeEditor[];
  /** The attribute with a name. */
  attribute(name: string): AttributeEditor | undefined;
  /** The blocks, in order: all, those of a type, or those whose labels begin with some. */
  blocks(type?: string, ...labels: readonly string[]): readonly BlockEditor[];
  /** The first block of a type whose labels begin with some. */
  block(type: string, ...labels: readonly string[]): BlockEditor | undefined;
  /** The constant value of an attribute; undefined where it is missing or no constant. */
  get(name: string): PlainValue | undefined;
  /** Sets an attribute: where it is, or after the others, in line with the one above if it fits. */
  set(name: string, value: HclInput): AttributeEditor;
  /** Removes an attribute; gives whether there was one. */
  remove(name: string): boolean;
  /** Renames an attribute in place; returns false if there is none of that name. */
  rename(from: string, to: string): boolean;
  /** Adds a block with some attributes at the end, or beside another item. */
  addBlock(
    type: string,
    labels?: readonly string[],
    attributes?: HclAttributes,
    placement?: Placement,
  ): BlockEditor;
  /** Adds a comment of its own at the end, after an empty line. */
  addComment(text: string): void;
  /**
   * Moves an attribute or block, possibly of another file, to this body and adapts its indentation. Throws an Error
   * where the name of an attribute is taken, and for a block that this body is in.
   */
  take(item: ItemEditor, placement?: Placement): void;
  /** The text. */
  toString(): string;
}
