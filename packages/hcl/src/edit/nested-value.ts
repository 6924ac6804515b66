import { formatNumber } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Expression, ObjectExpr, ObjectItem, TupleExpr } from '../model.ts';
import { Source } from '../source/source.ts';
import { literalIndexKey } from '../syntax/literal-key.ts';
import { parseExpression } from '../syntax/parse.ts';
import { scanTokens } from '../syntax/scanner.ts';
import { Token, type TokenList } from '../syntax/tokens.ts';
import { HclError } from '../toolkit/hcl-error.ts';
import {
  endsWithHeredoc,
  type HclInput,
  inParentheses,
  keySource,
  sourceOf,
} from './source-text.ts';

/** A step into a value: the name of a property, or the index of an element. */
export type ValueStep = string | number;

/** Returns the source of a value with the part at a path set. `indent` is that of the value's first line. */
export function setInside(
  source: string,
  path: readonly ValueStep[],
  value: HclInput,
  indent: string,
  eol: string,
): string {
  const { root, tokens } = parse(source);
  let at = root;
  for (const [depth, step] of path.entries()) {
    const container = containerFor(at, step);
    const inner = childAt(container, step);
    if (inner === undefined) {
      const rest = path.slice(depth + 1);
      const nested = rest.reduceRight<HclInput>((inner, name) => wrapped(name, inner, at), value);
      return insert(source, tokens, container, step, nested, indent, eol);
    }
    at = inner;
  }
  const { start, end } = at.range;
  const text = sourceOf(value, indentationOfLine(source, start, indent), eol);
  const safe = !/^[ \t]*\r?\n/.test(source.slice(end)) && end < source.length;
  const replacement = safe && endsWithHeredoc(text) ? inParentheses(text) : text;
  return source.slice(0, start) + replacement + source.slice(end);
}

/** Returns the source of a value without the part at a path; undefined if it does not exist. */
export function removeInside(source: string, path: readonly ValueStep[]): string | undefined {
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const { root, tokens } = parse(source);
  let at: Expression | undefined = root;
  for (const step of path.slice(0, -1)) {
    const container = asContainer(at);
    at = container === undefined ? undefined : childAt(container, step);
    if (at === undefined) return undefined;
  }
  const container = asContainer(at);
  if (container === undefined) return undefined;
  const parts = partsOf(container);
  const index = indexOf(container, last);
  const part = parts[index];
  if (part === undefined) return undefined;
  return withoutPart(source, tokens, container, part, parts[index - 1], parts.length === 1);
}

type Container = ObjectExpr | TupleExpr;

interface Part {
  readonly start: number;
  readonly end: number;
}

function parse(source: string): { readonly root: Expression; readonly tokens: TokenList } {
  const text = new Source('', source);
  const { expression, diagnostics } = parseExpression(text);
  if (expression === undefined) throw new HclError(diagnostics);
  return { root: expression, tokens: scanTokens(text) };
}

function asContainer(e: Expression): Container | undefined {
  if (e.kind === 'parentheses') return asContainer(e.inner);
  return e.kind === 'object' || e.kind === 'tuple' ? e : undefined;
}

function containerFor(e: Expression, step: ValueStep): Container {
  const container = asContainer(e);
  if (container === undefined || (container.kind === 'tuple' && typeof step !== 'number')) {
    const expectedKind = typeof step === 'number' ? 'a list' : 'an object';
    const detail = `To set ${JSON.stringify(step)} in this value, it would have to be written as ${expectedKind} in brackets.`;
    throw new HclError([errorDiagnostic('Value cannot be edited in parts', detail, e.range)]);
  }
  return container;
}

function wrapped(step: ValueStep, value: HclInput, e: Expression): HclInput {
  if (typeof step === 'string') return { [step]: value };
  if (step === 0) return [value];
  throw missingElement(step, e);
}

function missingElement(index: number, e: Expression): HclError {
  const detail = `There is no element ${index}, and it would not be the next one.`;
  return new HclError([errorDiagnostic('Element does not exist', detail, e.range)]);
}

function childAt(container: Container, step: ValueStep): Expression | undefined {
  const index = indexOf(container, step);
  return container.kind === 'tuple' ? container.elements[index] : container.items[index]?.value;
}

function indexOf(container: Container, step: ValueStep): number {
  if (container.kind === 'tuple') return typeof step === 'number' ? step : -1;
  return container.items.findLastIndex((item) => keyOf(item) === String(step));
}

/** Returns the name of a property if it is constant. */
function keyOf({ key }: ObjectItem): string | undefined {
  const { wrapped: e } = key;
  if (e.kind === 'scopeTraversal') {
    const [root] = e.traversal.steps;
    return e.traversal.steps.length === 1 && root?.kind === 'root' ? root.name : undefined;
  }
  const value = literalIndexKey(e);
  if (value === undefined || value.isNull || !value.isKnown) return undefined;
  switch (value.type.kind) {
    case 'string':
      return value.asString();
    case 'bool':
      return String(value.asBool());
    default:
      return formatNumber(value.asNum());
  }
}

function partsOf(container: Container): Part[] {
  return container.kind === 'tuple'
    ? container.elements.map(({ range }) => range)
    : container.items.map(({ key, value }) => ({ start: key.range.start, end: value.range.end }));
}

/** The text between a part and the end of its line, or the next part. */
interface After {
  readonly comma: number | undefined;
  /** the offset after the newline; undefined if other text follows on the line */
  readonly lineEnd: number | undefined;
}

function after(tokens: TokenList, end: number, limit: number): After {
  let comma: number | undefined;
  for (let i = 0; i < tokens.length; i++) {
    if ((tokens.starts[i] ?? 0) < end) continue;
    const type = tokens.types[i];
    const to = tokens.ends[i] ?? 0;
    if (to > limit) break;
    if (type === Token.Comma && comma === undefined) comma = to;
    else if (type === Token.Newline) return { comma, lineEnd: to };
    else if (type !== Token.Comment) break;
    else if (tokens.source.text.charCodeAt(to - 1) === 0x0a) return { comma, lineEnd: to };
  }
  return { comma, lineEnd: undefined };
}

function indentationOfLine(source: string, at: number, first: string): string {
  const line = source.lastIndexOf('\n', at - 1) + 1;
  return line === 0 ? first : (/^[ \t]*/.exec(source.slice(line))?.[0] ?? '');
}

function insert(
  source: string,
  tokens: TokenList,
  container: Container,
  step: ValueStep,
  value: HclInput,
  indent: string,
  eol: string,
): string {
  const isTuple = container.kind === 'tuple';
  const parts = partsOf(container);
  if (isTuple && step !== parts.length) throw missingElement(Number(step), container);
  const close = container.range.end - 1;
  const last = parts.at(-1);
  const from = last?.end ?? container.openRange.end;
  const { comma, lineEnd } = after(tokens, from, close);
  const closing = source.slice(0, close);
  const inner =
    last === undefined
      ? `${indentationOfLine(source, container.range.start, indent)}  `
      : indentationOfLine(source, last.start, `${indent}  `);
  const make = (at: string): string => {
    const text = sourceOf(value, at, eol);
    // Other text may follow on the line.
    const safe = endsWithHeredoc(text) ? inParentheses(text) : text;
    return isTuple ? safe : `${keySource(String(step))} = ${safe}`;
  };
  if (lineEnd !== undefined) {
    const separator = last !== undefined && isTuple && comma === undefined ? ',' : '';
    const line = `${inner}${make(inner)}${isTuple ? ',' : ''}${eol}`;
    return (
      source.slice(0, from) + separator + source.slice(from, lineEnd) + line + source.slice(lineEnd)
    );
  }
  const inserted = make(indentationOfLine(source, container.range.start, indent));
  if (last === undefined) {
    const padding = isTuple || /[ \t]$/.test(closing) ? '' : ' ';
    const start = container.openRange.end;
    const before = source.slice(start, close).trim() === '' ? source.slice(0, start) : closing;
    return `${before}${isTuple ? '' : ' '}${inserted}${isTuple ? '' : padding || ' '}${source.slice(close)}`;
  }
  if (comma !== undefined) return `${source.slice(0, comma)} ${inserted}${source.slice(comma)}`;
  return `${source.slice(0, from)}, ${inserted}${source.slice(from)}`;
}

function withoutPart(
  source: string,
  tokens: TokenList,
  container: Container,
  part: Part,
  previous: Part | undefined,
  isOnly: boolean,
): string {
  const close = container.range.end - 1;
  const { comma, lineEnd } = after(tokens, part.end, close);
  const lineStart = source.lastIndexOf('\n', part.start - 1) + 1;
  const alone =
    source.slice(lineStart, part.start).trim() === '' && lineStart > container.range.start;
  if (alone && lineEnd !== undefined) {
    const from = commentedStart(source, lineStart, container.openRange.end);
    return source.slice(0, from) + source.slice(lineEnd);
  }
  if (isOnly) {
    const remainingItems = source.slice(comma ?? part.end, close).trim();
    const before = source.slice(container.openRange.end, part.start).trim();
    const rest = `${before}${remainingItems}`;
    if (rest === '') return source.slice(0, container.openRange.end) + source.slice(close);
  }
  if (comma !== undefined) {
    const space = /^[ \t]*/.exec(source.slice(comma))?.[0].length ?? 0;
    return source.slice(0, part.start) + source.slice(comma + space);
  }
  if (previous !== undefined) {
    const first = after(tokens, previous.end, close).comma ?? previous.end;
    const between = source.slice(first, part.start);
    const separator = between.trim() === '' ? '' : between.trimEnd();
    const before = source.slice(0, first === previous.end ? first : first - 1);
    const newline = /(?:#|\/\/).*$/.test(separator) ? '\n' : '';
    return before + separator + newline + source.slice(part.end);
  }
  return source.slice(0, part.start) + source.slice(part.end);
}

/** Returns the start of the comments on the lines directly above a line. */
function commentedStart(source: string, lineStart: number, limit: number): number {
  let start = lineStart;
  for (;;) {
    const above = source.lastIndexOf('\n', start - 2) + 1;
    if (above < limit || start <= limit) return start;
    if (!/^[ \t]*(?:#|\/\/)/.test(source.slice(above, start))) return start;
    start = above;
  }
}
