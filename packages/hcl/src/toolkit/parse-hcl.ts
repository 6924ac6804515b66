import type { Diagnostic } from '../model.ts';
import { parseJsonSyntax } from '../json/json-parser.ts';
import { Source } from '../source/source.ts';
import { parseBody } from '../syntax/body-parser.ts';
import { checkInvalidTokens } from '../syntax/invalid-tokens.ts';
import type { NativeAttribute } from '../syntax/attribute-list.ts';
import type { NativeBlock, NativeBody } from '../syntax/native-body.ts';
import type { ParsedFile } from '../syntax/parse.ts';
import { scanTokens } from '../syntax/scanner.ts';
import { TokenReader } from '../syntax/token-reader.ts';
import { Token } from '../syntax/tokens.ts';
import { type Comment, commentsIn, type ItemComments, itemComments } from './comments.ts';

/** Options of parsing. */
export interface ParseOptions {
  /** the name of the text in diagnostics; none by default */
  readonly filename?: string;
}

/** A parsed file of the native syntax; after errors it contains the parts that could be parsed. */
export class HclFile implements ParsedFile {
  readonly source: Source;
  readonly body: NativeBody;
  readonly diagnostics: readonly Diagnostic[];
  /** all comments, in order */
  readonly comments: readonly Comment[];

  constructor(source: Source) {
    const tokens = scanTokens(source);
    const diagnostics = checkInvalidTokens(tokens);
    this.source = source;
    this.body = parseBody(new TokenReader(tokens, diagnostics), Token.EOF);
    this.diagnostics = diagnostics;
    this.comments = commentsIn(tokens);
  }

  /** Returns the comments of an attribute or block of this file. */
  commentsOf(item: NativeAttribute | NativeBlock): ItemComments {
    return itemComments(this.comments, item);
  }
}

/** Parses a text, or the bytes of a file, in the native syntax. All its syntax errors are reported; nothing is thrown. */
export function parseHcl(text: string | Uint8Array, options: ParseOptions = {}): HclFile {
  return new HclFile(sourceOf(text, options));
}

/** Parses a text, or the bytes of a file, in the JSON syntax (`.tf.json`). Nothing is thrown. */
export function parseHclJson(text: string | Uint8Array, options: ParseOptions = {}): ParsedFile {
  return parseJsonSyntax(sourceOf(text, options));
}

function sourceOf(text: string | Uint8Array, { filename = '' }: ParseOptions): Source {
  return typeof text === 'string' ? new Source(filename, text) : Source.fromBytes(filename, text);
}
