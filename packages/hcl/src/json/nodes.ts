import type { Num } from '@terrane/cty';
import type { Range } from '../source/source.ts';

/** A value of the JSON syntax, with its range. */
export type JsonSyntaxNode =
  | JsonObjectNode
  | JsonArrayNode
  | JsonStringNode
  | JsonNumberNode
  | JsonBooleanNode
  | JsonNullNode
  | JsonInvalidNode;

interface JsonNodeBase {
  readonly range: Range;
  /** the opening bracket of objects and arrays, otherwise the whole range */
  readonly startRange: Range;
}

/** An object: its properties in order, repeated names included. */
export interface JsonObjectNode extends JsonNodeBase {
  readonly kind: 'object';
  /** in source order, with repetitions */
  readonly properties: readonly JsonProperty[];
  readonly closeRange: Range;
}

/** A property of an object. */
export interface JsonProperty {
  readonly name: string;
  readonly value: JsonSyntaxNode;
  readonly nameRange: Range;
}

/** An array. */
export interface JsonArrayNode extends JsonNodeBase {
  readonly kind: 'array';
  readonly elements: readonly JsonSyntaxNode[];
}

/** A string. */
export interface JsonStringNode extends JsonNodeBase {
  readonly kind: 'string';
  readonly value: string;
}

/** A number, with all its digits. */
export interface JsonNumberNode extends JsonNodeBase {
  readonly kind: 'number';
  readonly value: Num;
}

/** `true` or `false`. */
export interface JsonBooleanNode extends JsonNodeBase {
  readonly kind: 'boolean';
  readonly value: boolean;
}

/** `null`. */
export interface JsonNullNode extends JsonNodeBase {
  readonly kind: 'null';
}

/** Placeholder for a value that could not be parsed. */
export interface JsonInvalidNode extends JsonNodeBase {
  readonly kind: 'invalid';
}
