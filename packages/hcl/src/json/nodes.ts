import type { Num } from '@terrane/cty';
import type { Range } from '../source/source.ts';

/** A value of the JSON syntax, with its place in the file. */
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
  /** the opening bracket of objects and arrays, otherwise the whole */
  readonly startRange: Range;
}

export interface JsonObjectNode extends JsonNodeBase {
  readonly kind: 'object';
  /** in source order, with repetitions */
  readonly properties: readonly JsonProperty[];
  readonly closeRange: Range;
}

export interface JsonProperty {
  readonly name: string;
  readonly value: JsonSyntaxNode;
  readonly nameRange: Range;
}

export interface JsonArrayNode extends JsonNodeBase {
  readonly kind: 'array';
  readonly elements: readonly JsonSyntaxNode[];
}

export interface JsonStringNode extends JsonNodeBase {
  readonly kind: 'string';
  readonly value: string;
}

export interface JsonNumberNode extends JsonNodeBase {
  readonly kind: 'number';
  readonly value: Num;
}

export interface JsonBooleanNode extends JsonNodeBase {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface JsonNullNode extends JsonNodeBase {
  readonly kind: 'null';
}

/** Stands where no value could be parsed. */
export interface JsonInvalidNode extends JsonNodeBase {
  readonly kind: 'invalid';
}
