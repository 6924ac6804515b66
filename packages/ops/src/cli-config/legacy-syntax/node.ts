/** A position in a file, counted in characters from 1; undefined in JSON, whose positions are not recorded. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A value in a CLI configuration file: a literal, a list or an object with items. */
export type Node = LiteralNode | ListNode | ObjectNode;

/** A number, a bool or a string, written out. */
export interface LiteralNode {
  readonly kind: 'literal';
  readonly type: 'number' | 'float' | 'bool' | 'string' | 'heredoc';
  /** the value: the unquoted string, the digits, `true` */
  readonly value: string;
  readonly place: Place | undefined;
}

/** `[…]` */
export interface ListNode {
  readonly kind: 'list';
  readonly elements: readonly Node[];
  readonly place: Place | undefined;
}

/** `{…}`, or a whole file */
export interface ObjectNode {
  readonly kind: 'object';
  readonly items: readonly Item[];
  readonly place: Place | undefined;
}

/** A key of an item. */
export interface Key {
  readonly text: string;
  readonly place: Place | undefined;
}

/** `key = value`, or `key "label" … { … }` */
export interface Item {
  readonly keys: readonly Key[];
  readonly assigned: boolean;
  readonly value: Node;
}

/** A file of the CLI configuration, read. */
export interface LegacyFile {
  readonly items: readonly Item[];
  /** in JSON, arguments and blocks look the same */
  readonly isJson: boolean;
}

/** A syntax or type error in a CLI configuration file. */
export class LegacySyntaxError extends Error {}

/** Returns an error at a position, worded as in HCL 1. */
export function errorAt(place: Place | undefined, message: string): LegacySyntaxError {
  return new LegacySyntaxError(`At ${placeText(place)}: ${message}`);
}

/** "3:5", or "-" for an unknown position */
export function placeText(place: Place | undefined): string {
  return place === undefined ? '-' : `${place.line}:${place.column}`;
}
