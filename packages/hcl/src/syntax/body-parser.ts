import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import { quoteText } from '@terrane/cty';
import { type Range, rangeBetween } from '../source/source.ts';
import { parseExpression } from './expression-parser.ts';
import { type NativeAttribute, type NativeBlock, NativeBody } from './native-body.ts';
import { MAX_DEPTH, skipTooDeepBlock } from './nesting.ts';
import { resolveStringLiteral } from './string-literal.ts';
import type { ReadToken, TokenReader } from './token-reader.ts';
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
  const attributes = new Map<string, NativeAttribute>();
  const blocks: NativeBlock[] = [];
  const startRange = p.previousRange();
  for (;;) {
    const type = p.peek();
    if (type === end) {
      const endRange = p.read().range;
      return new NativeBody(attributes, blocks, rangeBetween(startRange, endRange));
    }
    if (type === Token.Newline) {
      p.skip();
    } else if (type === Token.Ident) {
      parseBodyItem(p, attributes, blocks);
    } else {
      const bad = p.read();
      if (!p.recovery) {
        reportBadItem(p, bad, end, startRange);
      }
      const endRange = p.previousRange();
      p.recover(end);
      return new NativeBody(attributes, blocks, rangeBetween(startRange, endRange));
    }
  }
}

function reportBadItem(p: TokenReader, bad: ReadToken, end: TokenType, start: Range): void {
  if (bad.type === Token.OQuote) {
    const detail = 'Argument names must not be quoted.';
    p.diagnostics.push(errorDiagnostic('Invalid argument name', detail, bad.range));
  } else if (bad.type !== Token.EOF) {
    p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_REQUIRED_HERE, bad.range));
  } else if (end === Token.CBrace) {
    p.diagnostics.push(errorDiagnostic(UNCLOSED_BLOCK, UNCLOSED_BLOCK_DETAIL, start));
  }
}

function parseBodyItem(
  p: TokenReader,
  attributes: Map<string, NativeAttribute>,
  blocks: NativeBlock[],
): void {
  const name = p.read();
  switch (p.peek()) {
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
      p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_NEEDS_EQUALS, name.range));
  }
}

function addAttribute(
  p: TokenReader,
  attribute: NativeAttribute,
  attributes: Map<string, NativeAttribute>,
): void {
  const existing = attributes.get(attribute.name);
  if (existing === undefined) {
    attributes.set(attribute.name, attribute);
    return;
  }
  const detail = `The argument ${quoteText(attribute.name)} was already set at ${existing.nameRange}. Each argument may be set only once.`;
  p.diagnostics.push(errorDiagnostic('Attribute redefined', detail, attribute.nameRange));
}

/** Attribute = name "=" Expression newline */
function parseAttribute(p: TokenReader, name: ReadToken, singleLine: boolean): NativeAttribute {
  const equals = p.read();
  const mark = p.diagnostics.length;
  const expression = parseExpression(p);
  const lost = p.lostSince(mark);
  const endRange = p.previousRange();
  if (lost) {
    p.recoverAfterBodyItem();
  } else if (!singleLine) {
    parseAttributeEnd(p, name);
  }
  return {
    name: p.text(name),
    expression,
    range: rangeBetween(name.range, endRange),
    nameRange: name.range,
    equalsRange: equals.range,
  };
}

function parseAttributeEnd(p: TokenReader, name: ReadToken): void {
  const next = p.peek();
  if (next === Token.Newline || next === Token.EOF) {
    p.skip();
    return;
  }
  const end = p.peekToken();
  if (!p.recovery) {
    const comma = end.type === Token.Comma;
    const summary = comma ? 'Unexpected comma after argument' : 'Missing newline after argument';
    const separation = 'Argument definitions must be separated by newlines, not commas. ';
    const detail = `${comma ? separation : ''}An argument definition must end with a newline.`;
    const context = rangeBetween(name.range, end.range);
    p.diagnostics.push(errorDiagnostic(summary, detail, end.range, { context }));
  }
  p.recoverAfterBodyItem();
}

/** A label and its range. */
export interface Label {
  readonly text: string;
  readonly range: Range;
}

/** Block = name { string | name } "{" ( Body | Attribute "}" ) newline */
function parseBlock(p: TokenReader, name: ReadToken): NativeBlock {
  const labels: string[] = [];
  const labelRanges: Range[] = [];
  for (;;) {
    const type = p.peek();
    if (type === Token.OBrace) {
      break;
    }
    if (type === Token.OQuote) {
      const label = parseLabelString(p);
      labels.push(label.text);
      labelRanges.push(label.range);
    } else if (type === Token.Ident) {
      const token = p.read();
      labels.push(p.text(token));
      labelRanges.push(token.range);
    } else {
      reportBadBlockHeader(p, name);
      p.recoverAfterBodyItem();
      const body = new NativeBody(new Map(), [], name.range);
      return makeBlock(p, name, { labels, labelRanges }, body, name.range, name.range);
    }
  }
  const open = p.read();
  p.depth++;
  let body: NativeBody | undefined;
  if (p.depth > MAX_DEPTH) skipTooDeepBlock(p, name.range);
  else body = parseBlockBody(p, name, open);
  p.depth--;
  const closeRange = p.previousRange();
  parseBlockEnd(p, name);
  return makeBlock(
    p,
    name,
    { labels, labelRanges },
    // A missing body has been reported; diagnostics only need its range.
    body ?? new NativeBody(new Map(), [], rangeBetween(open.range, closeRange)),
    open.range,
    closeRange,
  );
}

function makeBlock(
  p: TokenReader,
  name: ReadToken,
  { labels, labelRanges }: Pick<NativeBlock, 'labels' | 'labelRanges'>,
  body: NativeBody,
  openBraceRange: Range,
  closeBraceRange: Range,
): NativeBlock {
  return {
    type: p.text(name),
    labels,
    body,
    defRange: rangeBetween(name.range, labelRanges.at(-1) ?? name.range),
    typeRange: name.range,
    labelRanges,
    openBraceRange,
    closeBraceRange,
    range: rangeBetween(name.range, closeBraceRange),
  };
}

function reportBadBlockHeader(p: TokenReader, name: ReadToken): void {
  const token = p.peekToken();
  let detail: string;
  if (token.type === Token.Equal) {
    detail =
      'The equals sign "=" indicates an argument definition, and must not be used when defining a block.';
  } else if (token.type === Token.Newline) {
    detail =
      'A block definition must have block content delimited by "{" and "}", starting on the same line as the block header.';
  } else if (p.recovery) {
    return;
  } else {
    detail = 'Either a quoted string block label or an opening brace ("{") is expected here.';
  }
  const context = rangeBetween(name.range, token.range);
  p.diagnostics.push(errorDiagnostic('Invalid block definition', detail, token.range, { context }));
}

function parseBlockBody(p: TokenReader, name: ReadToken, open: ReadToken): NativeBody | undefined {
  const next = p.peek();
  if (next === Token.Newline || next === Token.EOF || next === Token.CBrace) {
    return parseBody(p, Token.CBrace);
  }
  const mark = p.diagnostics.length;
  const body = parseSingleAttribute(p);
  const inner = p.diagnostics.splice(mark);
  if (p.peek() === Token.CBrace) {
    p.skip();
  } else {
    reportBadSingleLineEnd(p, name, open);
    p.recover(Token.CBrace);
  }
  p.diagnostics.push(...inner);
  return body;
}

function reportBadSingleLineEnd(p: TokenReader, name: ReadToken, open: ReadToken): void {
  const token = p.peekToken();
  const summary = 'Invalid single-argument block definition';
  if (token.type === Token.Comma) {
    const detail =
      'Single-line block syntax can include only one argument definition. To define multiple arguments, use the multi-line block syntax with one argument definition per line.';
    p.diagnostics.push(errorDiagnostic(summary, detail, token.range));
  } else if (token.type === Token.Newline) {
    const detail =
      "An argument definition on the same line as its containing block creates a single-line block definition, which must also be closed on the same line. Place the block's closing brace immediately after the argument definition.";
    p.diagnostics.push(errorDiagnostic(summary, detail, token.range));
  } else if (p.recovery) {
    return;
  } else if (token.type === Token.EOF) {
    const context = rangeBetween(name.range, open.range);
    p.diagnostics.push(
      errorDiagnostic(UNCLOSED_BLOCK, UNCLOSED_BLOCK_DETAIL, open.range, { context }),
    );
  } else {
    const detail =
      'A single-line block definition must end with a closing brace immediately after its single argument definition.';
    p.diagnostics.push(errorDiagnostic(summary, detail, token.range));
  }
}

/** SingleAttribute = Attribute, as in `block { name = value }`, all on one line */
function parseSingleAttribute(p: TokenReader): NativeBody | undefined {
  const name = p.read();
  if (name.type !== Token.Ident) {
    p.recoverAfterBodyItem();
    p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_REQUIRED_HERE, name.range));
    return undefined;
  }
  const next = p.peekToken();
  switch (next.type) {
    case Token.Equal: {
      const attribute = parseAttribute(p, name, true);
      return new NativeBody(new Map([[attribute.name, attribute]]), [], attribute.range);
    }
    case Token.OQuote:
    case Token.OBrace:
    case Token.Ident: {
      p.recoverAfterBodyItem();
      const detail = `A single-line block definition can contain only a single argument. If you meant to define argument ${quoteText(p.text(name))}, use an equals sign to assign it a value. To define a nested block, place it on a line of its own within its parent block.`;
      const subject = rangeBetween(name.range, next.range);
      p.diagnostics.push(errorDiagnostic('Argument definition required', detail, subject));
      return undefined;
    }
    default:
      p.recoverAfterBodyItem();
      p.diagnostics.push(errorDiagnostic(ITEM_REQUIRED, ITEM_NEEDS_EQUALS, name.range));
      return undefined;
  }
}

function parseBlockEnd(p: TokenReader, name: ReadToken): void {
  const next = p.peek();
  if (next === Token.Newline || next === Token.EOF) {
    p.skip();
    return;
  }
  const end = p.peekToken();
  if (!p.recovery) {
    const detail = 'A block definition must end with a newline.';
    const context = rangeBetween(name.range, end.range);
    p.diagnostics.push(
      errorDiagnostic('Missing newline after block definition', detail, end.range, { context }),
    );
  }
  p.recoverAfterBodyItem();
}

/** A quoted string in which template sequences are not allowed: a label, or a key of a traversal. */
export function parseLabelString(p: TokenReader): Label {
  const open = p.read();
  if (p.isPlainString()) {
    const { start, end } = p.tokens.range(p.readIndex());
    const text = resolveStringLiteral(p.source, start, end, true, p.diagnostics);
    return { text, range: p.tokens.rangeBetween(open.index, p.readIndex()) };
  }
  const summary = 'Invalid string literal';
  const pieces: string[] = [];
  const labelTo = (end: Range): Label => ({
    text: pieces.join(''),
    range: rangeBetween(open.range, end),
  });
  for (;;) {
    const token = p.read();
    switch (token.type) {
      case Token.CQuote:
        return labelTo(token.range);
      case Token.QuotedLit: {
        const { start, end } = token.range;
        pieces.push(resolveStringLiteral(p.source, start, end, true, p.diagnostics));
        continue;
      }
      default:
    }
    const context = rangeBetween(open.range, token.range);
    switch (token.type) {
      case Token.TemplateInterp:
      case Token.TemplateControl: {
        const marker = token.type === Token.TemplateControl ? '%' : '$';
        const detail = `Template sequences are not allowed in this string. To include a literal "${marker}", double it (as "${marker}${marker}") to escape it.`;
        p.diagnostics.push(errorDiagnostic(summary, detail, token.range, { context }));
        pieces.push(marker, '{ ... }');
        p.recover(Token.TemplateSeqEnd);
        break;
      }
      case Token.EOF: {
        const detail = 'Unable to find the closing quote mark before the end of the file.';
        p.diagnostics.push(
          errorDiagnostic('Unterminated string literal', detail, token.range, { context }),
        );
        return labelTo(token.range);
      }
      default: {
        const detail = 'This item is not valid in a string literal.';
        p.diagnostics.push(errorDiagnostic(summary, detail, token.range, { context }));
        p.recover(Token.CQuote);
        return labelTo(token.range);
      }
    }
  }
}
