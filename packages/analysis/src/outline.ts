import { lastAtOrBefore, type NativeBlock, type NativeBody, Token } from '@terrane/hcl';
import { spanOf } from './symbol-syntax.ts';
import type { SourceDocument } from './source-document.ts';
import type { Span } from './symbol.ts';
import { nodesAt } from './syntax-nodes.ts';

/** An entry of a document's outline. */
export interface OutlineItem {
  readonly name: string;
  readonly kind: 'block' | 'attribute';
  /** the block type */
  readonly type: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineItem[];
}

/** Blocks and arguments of a document, nested; JSON documents have their declarations. */
export function outlineOf(document: SourceDocument): readonly OutlineItem[] {
  const { native } = document;
  if (native !== undefined) return bodyItems(native);
  return document.symbols.declarations.map(({ key, kind, span, nameSpan }) => ({
    name: key,
    kind: 'block',
    type: kind,
    // The range of a JSON declaration is its key.
    span: { start: Math.min(span.start, nameSpan.start), end: Math.max(span.end, nameSpan.end) },
    nameSpan,
    children: [],
  }));
}

function bodyItems(body: NativeBody): readonly OutlineItem[] {
  const attributes = [...body.attributes.values()].map(
    ({ name, range, nameRange }): OutlineItem => ({
      name,
      kind: 'attribute',
      type: 'attribute',
      span: spanOf(range),
      nameSpan: spanOf(nameRange),
      children: [],
    }),
  );
  const blocks = body.blocks.map((block): OutlineItem => ({
    name: [block.type, ...block.labels.map((label) => `"${label}"`)].join(' '),
    kind: 'block',
    type: block.type,
    span: spanOf(block.range),
    nameSpan: spanOf(block.defRange),
    children: bodyItems(block.body),
  }));
  return [...attributes, ...blocks].toSorted((a, b) => a.span.start - b.span.start);
}

/** A range of lines that can be folded, 0-based. */
export interface Fold {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'region' | 'comment';
}

/** The foldable ranges: blocks, brackets over several lines, heredocs and runs of comments. */
export function foldsOf(document: SourceDocument): readonly Fold[] {
  const { tokens, source } = document;
  const lineOf = (offset: number): number => lastAtOrBefore(source.starts(), offset);
  const folds: Fold[] = [];
  const open: number[] = [];
  let comments: { first: number; last: number } | undefined;
  const endComments = (): void => {
    if (comments !== undefined && comments.last > comments.first)
      folds.push({ startLine: comments.first, endLine: comments.last, kind: 'comment' });
    comments = undefined;
  };
  for (let i = 0; i < tokens.length; i++) {
    const start = tokens.starts[i] ?? 0;
    const end = tokens.ends[i] ?? 0;
    const type = tokens.types[i] ?? Token.EOF;
    if (type === Token.Comment) {
      const line = lineOf(start);
      const last = lineOf(Math.max(start, end - 1));
      if (comments?.last === line - 1) comments.last = last;
      else {
        endComments();
        comments = { first: line, last };
      }
      continue;
    }
    if (type !== Token.Newline) endComments();
    if (OPENING.has(type)) open.push(start);
    else if (CLOSING.has(type)) {
      const from = open.pop();
      if (from === undefined) continue;
      const startLine = lineOf(from);
      // The line of the closing bracket or heredoc marker remains visible.
      const endLine = lineOf(type === Token.CHeredoc ? Math.max(start, end - 1) : start) - 1;
      if (endLine > startLine) folds.push({ startLine, endLine, kind: 'region' });
    }
  }
  endComments();
  return folds.toSorted((a, b) => a.startLine - b.startLine);
}

const OPENING: ReadonlySet<number> = new Set([
  Token.OBrace,
  Token.OBrack,
  Token.OParen,
  Token.OHeredoc,
]);
const CLOSING: ReadonlySet<number> = new Set([
  Token.CBrace,
  Token.CBrack,
  Token.CParen,
  Token.CHeredoc,
]);

/** Returns the spans around an offset, from the innermost to the whole document. */
export function selectionsAt(document: SourceDocument, offset: number): readonly Span[] {
  const documentSpan = { start: 0, end: document.text.length };
  const { native, tokens } = document;
  const spans: Span[] = [documentSpan];
  if (native !== undefined) {
    const { blocks, attribute, expressions } = nodesAt(native, offset);
    for (const block of blocks) {
      spans.push(spanOf(block.range));
      if (insideBlock(block, offset))
        spans.push({ start: block.openBraceRange.end, end: block.closeBraceRange.start });
    }
    if (attribute !== undefined) spans.push(spanOf(attribute.range));
    for (const { range } of expressions) spans.push(spanOf(range));
  }
  for (let i = 0; i < tokens.length; i++) {
    const start = tokens.starts[i] ?? 0;
    const end = tokens.ends[i] ?? 0;
    if (start > offset) break;
    if (end >= offset && tokens.types[i] === Token.Ident) spans.push({ start, end });
  }
  const nested: Span[] = [];
  for (const span of spans) {
    const outer = nested.at(-1);
    const isInside =
      outer === undefined ||
      (span.start >= outer.start &&
        span.end <= outer.end &&
        span.end - span.start < outer.end - outer.start);
    if (isInside) nested.push(span);
  }
  return nested.toReversed();
}

function insideBlock({ openBraceRange, closeBraceRange }: NativeBlock, offset: number): boolean {
  return openBraceRange.end <= offset && offset <= closeBraceRange.start;
}
