import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import { quoteText } from '@terrane/cty';
import { AttributeList, type NativeAttribute } from './attribute-list.ts';
import { parseExpression } from './expression-parser.ts';
import { type NativeBlock, NativeBody } from './native-body.ts';
import { MAX_DEPTH, skipTooDeepBlock } from './nesting.ts';
import { type Labels, ParsedAttribute, ParsedBlock } from './parsed-items.ts';
import { stringLiteral } from './string-literal.ts';
import type { TokenReader } from './token-reader.ts';
import { Token, type TokenType } from './tokens.ts';

const ITEM_REQUIRED = 'Argument or block definition required';
const ITEM_REQUIRED_HERE = 'An argument or block definition is required here.';
const ITEM_NEEDS_EQUALS =
  'An argument or block definition is required here. To set an argument, use the equals sign "=" to introduce the argument value.';
const UNCLOSED_BLOCK = 'Unclosed configuration block';
const UNCLOSED_BLOCK_DETAIL =
  'There is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file.';

/** Body = { newline | Attribute | Block } end */
export function parseBody(p: TokenReader, end: TokenType): NativeBody {
  const attributes = new AttributeList();
  const blocks: NativeBlock[] = [];
  const start = p.previousIndex();
  for (;;) {
    const type = p.nextType;
    if (type === end) {
      return new NativeBody(attributes, blocks, p.tokens.rangeBetween(start, p.read()));
    }
    if (type === Token.Newline) {
      p.skip();
    } else if (type === Token.Ident) {
      parseBodyItem(p, attributes, blocks);
    } else {
      const bad = p.read();
      if (!p.recovery) {
        reportBadItem(p, bad, end, start);
      }
      const range = p.tokens.rangeBetween(start, p.previousIndex());
      p.recover(end);
      return new NativeBody(attributes, blocks, range);
    }
  }
}

function reportBadItem(p: TokenReader, bad: number, end: TokenType, start: number): void {
  if (p.tokens.type(bad) === Token.OQuote) {
    const detail = 'Argument names must not be quoted.';
    p.diagnostics.push(errorDiagnostic('Invalid argument name', detail, p.tokens.range(bad)));
  } else if (p.tokens.type(bad) !== Token.EOF) {
    p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_REQUIRED_HERE, p.tokens.range(bad)));
  } else if (end === Token.CBrace) {
    p.diagnostics.push(
      errorDiagnostic(UNCLOSED_BLOCK, UNCLOSED_BLOCK_DETAIL, p.tokens.range(start)),
    );
  }
}

function parseBodyItem(p: TokenReader, attributes: AttributeList, blocks: NativeBlock[]): void {
  const name = p.read();
  switch (p.nextType) {
    case Token.Equal:
      addAttribute(p, parseAttribute(p, name, false), attributes);
      return;
    case Token.OQuote:
    case Token.OBrace:
    case Token.Ident:
      blocks.push(parseBlock(p, name));
      return;
    default:
      p.recoverAfterBodyItem();
      p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_NEEDS_EQUALS, p.tokens.range(name)));
  }
}

function addAttribute(p: TokenReader, attribute: NativeAttribute, attributes: AttributeList): void {
  const existing = attributes.get(attribute.name);
  if (existing === undefined) {
    attributes.add(attribute);
    return;
  }
  const detail = `The argument ${quoteText(attribute.name)} was already set at ${existing.nameRange}. Each argument may be set only once.`;
  p.diagnostics.push(errorDiagnostic('Attribute redefined', detail, attribute.nameRange));
}

/** Attribute = name "=" Expression newline */
function parseAttribute(p: TokenReader, name: number, singleLine: boolean): NativeAttribute {
  const equals = p.read();
  const mark = p.diagnostics.length;
  const expression = parseExpression(p);
  const lost = p.lostSince(mark);
  const last = p.previousIndex();
  if (lost) {
    p.recoverAfterBodyItem();
  } else if (!singleLine) {
    parseAttributeEnd(p, name);
  }
  return new ParsedAttribute(p.tokens, { name, equals, last }, expression);
}

function parseAttributeEnd(p: TokenReader, name: number): void {
  const next = p.nextType;
  if (next === Token.Newline || next === Token.EOF) {
    p.skip();
    return;
  }
  const end = p.nextIndex;
  if (!p.recovery) {
    const comma = p.tokens.type(end) === Token.Comma;
    const summary = comma ? 'Unexpected comma after argument' : 'Missing newline after argument';
    const separation = 'Argument definitions must be separated by newlines, not commas. ';
    const detail = `${comma ? separation : ''}An argument definition must end with a newline.`;
    const context = p.tokens.rangeBetween(name, end);
    p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(end), { context }));
  }
  p.recoverAfterBodyItem();
}

/** A label and the offsets of its start and end. */
export interface Label {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Block = name { string | name } "{" ( Body | Attribute "}" ) newline */
function parseBlock(p: TokenReader, name: number): NativeBlock {
  const labels = parseLabels(p);
  if (p.nextType !== Token.OBrace) {
    reportBadBlockHeader(p, name);
    p.recoverAfterBodyItem();
    const body = new NativeBody(new AttributeList(), [], p.tokens.range(name));
    return new ParsedBlock(p.tokens, { type: name, open: name, close: name }, labels, body);
  }
  const open = p.read();
  p.depth++;
  let body: NativeBody | undefined;
  if (p.depth > MAX_DEPTH) skipTooDeepBlock(p, p.tokens.range(name));
  else body = parseBlockBody(p, name, open);
  p.depth--;
  const close = p.previousIndex();
  parseBlockEnd(p, name);
  // A missing body has been reported; diagnostics only need its range.
  body ??= new NativeBody(new AttributeList(), [], p.tokens.rangeBetween(open, close));
  return new ParsedBlock(p.tokens, { type: name, open, close }, labels, body);
}

/** Labels = { string | name } */
function parseLabels(p: TokenReader): Labels {
  const { texts, offsets } = p.labels;
  let count = 0;
  for (; ; count++) {
    const type = p.nextType;
    if (type === Token.OQuote) {
      const label = parseLabelString(p);
      texts[count] = label.text;
      offsets[2 * count] = label.start;
      offsets[2 * count + 1] = label.end;
    } else if (type === Token.Ident) {
      const token = p.read();
      texts[count] = p.tokens.textOf(token);
      offsets[2 * count] = p.tokens.start(token);
      offsets[2 * count + 1] = p.tokens.end(token);
    } else {
      return { texts: texts.slice(0, count), offsets: offsets.slice(0, 2 * count) };
    }
  }
}

function reportBadBlockHeader(p: TokenReader, name: number): void {
  const type = p.nextType;
  const token = p.nextIndex;
  let detail: string;
  if (type === Token.Equal) {
    detail =
      'The equals sign "=" indicates an argument definition, and must not be used when defining a block.';
  } else if (type === Token.Newline) {
    detail =
      'A block definition must have block content delimited by "{" and "}", starting on the same line as the block header.';
  } else if (p.recovery) {
    return;
  } else {
    detail = 'Either a quoted string block label or an opening brace ("{") is expected here.';
  }
  const context = p.tokens.rangeBetween(name, token);
  p.diagnostics.push(
    errorDiagnostic('Invalid block definition', detail, p.tokens.range(token), { context }),
  );
}

function parseBlockBody(p: TokenReader, name: number, open: number): NativeBody | undefined {
  const next = p.nextType;
  if (next === Token.Newline || next === Token.EOF || next === Token.CBrace) {
    return parseBody(p, Token.CBrace);
  }
  const mark = p.diagnostics.length;
  const body = parseSingleAttribute(p);
  const inner = p.diagnostics.splice(mark);
  if (p.nextType === Token.CBrace) {
    p.skip();
  } else {
    reportBadSingleLineEnd(p, name, open);
    p.recover(Token.CBrace);
  }
  p.diagnostics.push(...inner);
  return body;
}

function reportBadSingleLineEnd(p: TokenReader, name: number, open: number): void {
  const type = p.nextType;
  const token = p.nextIndex;
  const summary = 'Invalid single-argument block definition';
  if (type === Token.Comma) {
    const detail =
      'Single-line block syntax can include only one argument definition. To define multiple arguments, use the multi-line block syntax with one argument definition per line.';
    p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token)));
  } else if (type === Token.Newline) {
    const detail =
      "An argument definition on the same line as its containing block creates a single-line block definition, which must also be closed on the same line. Place the block's closing brace immediately after the argument definition.";
    p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token)));
  } else if (p.recovery) {
    return;
  } else if (type === Token.EOF) {
    const context = p.tokens.rangeBetween(name, open);
    p.diagnostics.push(
      errorDiagnostic(UNCLOSED_BLOCK, UNCLOSED_BLOCK_DETAIL, p.tokens.range(open), { context }),
    );
  } else {
    const detail =
      'A single-line block definition must end with a closing brace immediately after its single argument definition.';
    p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token)));
  }
}

/** SingleAttribute = Attribute, as in `block { name = value }`, all on one line */
function parseSingleAttribute(p: TokenReader): NativeBody | undefined {
  const name = p.read();
  if (p.tokens.type(name) !== Token.Ident) {
    p.recoverAfterBodyItem();
    p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_REQUIRED_HERE, p.tokens.range(name)));
    return undefined;
  }
  const next = p.nextIndex;
  switch (p.tokens.type(next)) {
    case Token.Equal: {
      const attribute = parseAttribute(p, name, true);
      return new NativeBody(new AttributeList([attribute]), [], attribute.range);
    }
    case Token.OQuote:
    case Token.OBrace:
    case Token.Ident: {
      p.recoverAfterBodyItem();
      const detail = `A single-line block definition can contain only a single argument. If you meant to define argument ${quoteText(p.tokens.textOf(name))}, use an equals sign to assign it a value. To define a nested block, place it on a line of its own within its parent block.`;
      const subject = p.tokens.rangeBetween(name, next);
      p.diagnostics.push(errorDiagnostic('Argument definition required', detail, subject));
      return undefined;
    }
    default:
      p.recoverAfterBodyItem();
      p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_NEEDS_EQUALS, p.tokens.range(name)));
      return undefined;
  }
}

function parseBlockEnd(p: TokenReader, name: number): void {
  const next = p.nextType;
  if (next === Token.Newline || next === Token.EOF) {
    p.skip();
    return;
  }
  const end = p.nextIndex;
  if (!p.recovery) {
    const detail = 'A block definition must end with a newline.';
    const context = p.tokens.rangeBetween(name, end);
    p.diagnostics.push(
      errorDiagnostic('Missing newline after block definition', detail, p.tokens.range(end), {
        context,
      }),
    );
  }
  p.recoverAfterBodyItem();
}

/** A quoted string in which template sequences are not allowed: a label, or a key of a traversal. */
export function parseLabelString(p: TokenReader): Label {
  const open = p.read();
  if (p.isPlainString()) {
    const text = stringLiteral(p, p.read());
    return { text, start: p.tokens.start(open), end: p.tokens.end(p.read()) };
  }
  return parseUnusualLabelString(p, open);
}

/** A quoted string that is empty or invalid. */
function parseUnusualLabelString(p: TokenReader, open: number): Label {
  const summary = 'Invalid string literal';
  const pieces: string[] = [];
  const labelTo = (last: number): Label => ({
    text: pieces.join(''),
    start: p.tokens.start(open),
    end: p.tokens.end(last),
  });
  for (;;) {
    const token = p.read();
    switch (p.tokens.type(token)) {
      case Token.CQuote:
        return labelTo(token);
      case Token.QuotedLit:
        pieces.push(stringLiteral(p, token));
        continue;
      default:
    }
    const context = p.tokens.rangeBetween(open, token);
    switch (p.tokens.type(token)) {
      case Token.TemplateInterp:
      case Token.TemplateControl: {
        const marker = p.tokens.type(token) === Token.TemplateControl ? '%' : '$';
        const detail = `Template sequences are not allowed in this string. To include a literal "${marker}", double it (as "${marker}${marker}") to escape it.`;
        p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token), { context }));
        pieces.push(marker, '{ ... }');
        p.recover(Token.TemplateSeqEnd);
        break;
      }
      case Token.EOF: {
        const detail = 'Unable to find the closing quote mark before the end of the file.';
        p.diagnostics.push(
          errorDiagnostic('Unterminated string literal', detail, p.tokens.range(token), {
            context,
          }),
        );
        return labelTo(token);
      }
      default: {
        const detail = 'This item is not valid in a string literal.';
        p.diagnostics.push(errorDiagnostic(summary, detail, p.tokens.range(token), { context }));
        p.recover(Token.CQuote);
        return labelTo(token);
      }
    }
  }
}
