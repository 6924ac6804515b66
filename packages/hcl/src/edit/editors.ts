import type { PlainValue } from '../toolkit/plain-value.ts';
import type { HclInput } from './source-text.ts';

/** An attribute or a block that is edited. */
export type ItemEditor = AttributeEditor | BlockEditor;

/** The position of an item relative to another one, which must be in the body. */
export interface Placement {
  readonly before?: ItemEditor;
  readonly after?: ItemEditor;
}

/** Attributes of a new block, by name; undefined values are omitted. */
export type HclAttributes = Readonly<Record<string, HclInput | undefined>>;

interface ItemEditorBase {
  /** The body that it is in; undefined after it was removed. */
  readonly body: BodyEditor | undefined;
  /** The indentation of its first line. */
  readonly indent: string;
  /** The comments directly above it, without their markers; undefined without comments. */
  readonly comment: string | undefined;
  /** Replaces the comments directly above it by line comments with this text; undefined removes them. */
  setComment(text: string | undefined): void;
  /** Removes it, with its comments and lines. */
  remove(): void;
  /** Moves the item, with its comments, to another position or body; see {@link BodyEditor.take}. */
  moveTo(body: BodyEditor, placement?: Placement): void;
  /** Returns the text of the item, with its comments and newline. */
  toString(): string;
}

/** An attribute of an edited text. */
export interface AttributeEditor extends ItemEditorBase {
  readonly kind: 'attribute';
  readonly name: string;
  /** The source of the value. */
  readonly source: string;
  /** The value as plain JavaScript; undefined if it depends on references or functions. */
  readonly value: PlainValue | undefined;
  /** Replaces the value and leaves the rest unchanged. */
  set(value: HclInput): void;
  /**
   * Sets a part of the value, which must be written as an object or a list, at a path of property names and element
   * indices. Missing objects on the path are created, and an index equal to the length of a list appends to it. Throws
   * an `HclError` if the path leads through another expression, such as a function call.
   */
  setIn(path: readonly (string | number)[], value: HclInput): void;
  /** Removes a property or an element of the value; returns true if it existed. */
  removeIn(path: readonly (string | number)[]): boolean;
  /** Renames the attribute. Throws an Error if the name is invalid or already used in the body. */
  rename(name: string): void;
}

/** A block in an edited text. `content` edits its body. */
export interface BlockEditor extends ItemEditorBase {
  readonly kind: 'block';
  readonly type: string;
  readonly labels: readonly string[];
  /** The body inside the block. */
  readonly content: BodyEditor;
  /** Changes the block type. Throws an Error if the name is invalid. */
  setType(type: string): void;
  /** Replaces the labels; labels that stay the same keep their notation. */
  setLabels(...labels: readonly string[]): void;
}

/**
 * A body of an edited text: that of a file or of a block. All unaffected text keeps its bytes. Removing or moving an
 * item includes the comments directly above it, the comment after it and the empty lines that separate it from the next
 * item. New items are written in canonical layout, with the existing indentation and newlines.
 */
export interface BodyEditor {
  /** All attributes and blocks, in order. */
  readonly items: readonly ItemEditor[];
  /** The attributes, in order. */
  readonly attributes: readonly AttributeEditor[];
  /** The attribute with a name. */
  attribute(name: string): AttributeEditor | undefined;
  /** Returns the blocks in order: all blocks, those of a type, or those whose labels start with the given ones. */
  blocks(type?: string, ...labels: readonly string[]): readonly BlockEditor[];
  /** Returns the first block of a type whose labels start with the given ones. */
  block(type: string, ...labels: readonly string[]): BlockEditor | undefined;
  /** Returns the constant value of an attribute; undefined if it is missing or not constant. */
  get(name: string): PlainValue | undefined;
  /**
   * Sets an attribute: replaces an existing value, or appends the attribute, aligned with the one above if possible.
   */
  set(name: string, value: HclInput): AttributeEditor;
  /** Removes an attribute; returns true if it existed. */
  remove(name: string): boolean;
  /** Renames an attribute in place; returns false if there is no such attribute. */
  rename(from: string, to: string): boolean;
  /** Adds a block with some attributes at the end, or beside another item. */
  addBlock(
    type: string,
    labels?: readonly string[],
    attributes?: HclAttributes,
    placement?: Placement,
  ): BlockEditor;
  /** Appends a comment, after an empty line. */
  addComment(text: string): void;
  /**
   * Moves an attribute or block, possibly of another file, to this body and adapts its indentation. Throws an Error if
   * an attribute of this name exists, and for a block that contains this body.
   */
  take(item: ItemEditor, placement?: Placement): void;
  /** The text. */
  toString(): string;
}
