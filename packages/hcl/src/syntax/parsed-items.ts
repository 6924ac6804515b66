// Attributes and blocks as the parser creates them. They store offsets and create ranges when they are requested:
// few ranges are, unless a configuration has errors.

import type { Expression } from '../model.ts';
import { Range, type Source } from '../source/source.ts';
import type { NativeAttribute, NativeBlock, NativeBody } from './native-body.ts';
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
    this.#source = tokens.source;
    this.#start = tokens.start(name);
    this.#equals = tokens.start(equals);
    this.#end = tokens.end(last);
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
  readonly texts: string[];
  readonly offsets: number[];
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
    this.#source = tokens.source;
    this.#start = tokens.start(type);
    this.#labelOffsets = offsets;
    this.#openStart = tokens.start(open);
    this.#openEnd = tokens.end(open);
    this.#closeStart = tokens.start(close);
    this.#closeEnd = tokens.end(close);
  }

  get range(): Range {
    return new Range(this.#source, this.#start, this.#closeEnd);
  }

  get typeRange(): Range {
    return new Range(this.#source, this.#start, this.#start + this.type.length);
  }

  get labelRanges(): readonly Range[] {
    return this.labels.map((_label, i) => {
      const start = this.#labelOffsets[2 * i] ?? 0;
      return new Range(this.#source, start, this.#labelOffsets[2 * i + 1] ?? start);
    });
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
