// Attributes and blocks as the parser creates them. They store offsets and create ranges when they are requested:
// few ranges are, unless a configuration has errors.

import type { Expression } from '../model.ts';
import { Range, type Source } from '../source/source.ts';
import type { NativeAttribute } from './attribute-list.ts';
import type { NativeBlock, NativeBody } from './native-body.ts';
import type { TokenList } from './tokens.ts';

/** The indices of the tokens of an attribute. */
interface AttributeTokens {
  readonly name: number;
  readonly equals: number;
  readonly last: number;
}

/** An attribute of a source. */
export class ParsedAttribute implements NativeAttribute {
  readonly name: string;
  readonly expression: Expression;
  readonly #source: Source;
  readonly #start: number;
  readonly #equals: number;
  readonly #end: number;

  constructor(tokens: TokenList, { name, equals, last }: AttributeTokens, expression: Expression) {
    this.name = tokens.textOf(name);
    this.expression = expression;
    const { source, starts, ends } = tokens;
    this.#source = source;
    this.#start = starts[name] ?? 0;
    this.#equals = starts[equals] ?? 0;
    this.#end = ends[last] ?? 0;
  }

  get range(): Range {
    return new Range(this.#source, this.#start, this.#end);
  }

  get nameRange(): Range {
    return new Range(this.#source, this.#start, this.#start + this.name.length);
  }

  get equalsRange(): Range {
    return new Range(this.#source, this.#equals, this.#equals + 1);
  }
}

/** The indices of the tokens around the header and the body of a block. */
interface BlockTokens {
  readonly type: number;
  readonly open: number;
  readonly close: number;
}

/** The labels of a block with their start and end offsets, two for each label. */
export interface Labels {
  readonly texts: readonly string[];
  readonly offsets: readonly number[];
}

/** A block of a source. */
export class ParsedBlock implements NativeBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: NativeBody;
  readonly #source: Source;
  readonly #start: number;
  readonly #labelOffsets: readonly number[];
  readonly #openStart: number;
  readonly #openEnd: number;
  readonly #closeStart: number;
  readonly #closeEnd: number;

  constructor(
    tokens: TokenList,
    { type, open, close }: BlockTokens,
    { texts, offsets }: Labels,
    body: NativeBody,
  ) {
    this.type = tokens.textOf(type);
    this.labels = texts;
    this.body = body;
    const { source, starts, ends } = tokens;
    this.#source = source;
    this.#start = starts[type] ?? 0;
    this.#labelOffsets = offsets;
    this.#openStart = starts[open] ?? 0;
    this.#openEnd = ends[open] ?? 0;
    this.#closeStart = starts[close] ?? 0;
    this.#closeEnd = ends[close] ?? 0;
  }

  get range(): Range {
    return new Range(this.#source, this.#start, this.#closeEnd);
  }

  get typeRange(): Range {
    return new Range(this.#source, this.#start, this.#start + this.type.length);
  }

  get labelRanges(): readonly Range[] {
    const offsets = this.#labelOffsets;
    const ranges = new Array<Range>(offsets.length / 2);
    for (let i = 0; i < ranges.length; i++)
      ranges[i] = new Range(this.#source, offsets[2 * i] ?? 0, offsets[2 * i + 1] ?? 0);
    return ranges;
  }

  get defRange(): Range {
    const end = this.#labelOffsets.at(-1) ?? this.#start + this.type.length;
    return new Range(this.#source, this.#start, end);
  }

  get openBraceRange(): Range {
    return new Range(this.#source, this.#openStart, this.#openEnd);
  }

  get closeBraceRange(): Range {
    return new Range(this.#source, this.#closeStart, this.#closeEnd);
  }
}
