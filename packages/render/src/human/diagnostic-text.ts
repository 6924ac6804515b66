import { compareText } from '@terrane/cty';
import {
  comparisonOf,
  type Comparison,
  deprecationOrigin,
  type Diagnostic,
  diagnosticSnippet,
  type Snippet,
} from '@terrane/hcl';
import { colorize, linkText, type TextStyle } from '../text/style.ts';
import { wrapLine } from '../text/word-wrap.ts';
import { comparisonLines } from './comparison-text.ts';

/** Width of the left rule in columns. */
const RULE_WIDTH = 2;

const COLORS = { error: 'red', warning: 'yellow' } as const;
const TITLES = { error: 'Error', warning: 'Warning' } as const;

/** The displayed part of a snippet. */
export interface ShownSnippet extends Pick<
  Snippet,
  'context' | 'code' | 'startLine' | 'highlightStart' | 'highlightEnd' | 'values'
> {
  /** the failed function call, with the names of its parameters if they are known */
  readonly functionCall?: { readonly name: string; readonly parameters?: readonly string[] };
}

/** The displayed part of a diagnostic. */
export interface ShownDiagnostic extends Pick<Diagnostic, 'severity' | 'summary' | 'detail'> {
  readonly address?: string | undefined;
  readonly place?: { readonly filename: string; readonly line: number } | undefined;
  readonly snippet?: ShownSnippet | undefined;
  /** the origin of a deprecation */
  readonly origin?: string | undefined;
  /** the compared values of a failed test assertion */
  readonly compared?: Comparison | undefined;
}

/**
 * Formats a diagnostic for people: title, location, code with the error underlined, values, explanation. With color (or
 * if the style requests it) inside a left rule, otherwise plain, as Terraform prints it with `-no-color`. Ends with a
 * line feed; a plain one also starts with one.
 */
export function diagnosticText(diagnostic: Diagnostic, style: TextStyle): string {
  return shownDiagnosticText(shownOf(diagnostic), style);
}

/** Formats a diagnostic that is already known to be displayed. */
export function shownDiagnosticText(diagnostic: ShownDiagnostic, style: TextStyle): string {
  const { severity } = diagnostic;
  if (!style.color && style.leftRule !== true) {
    return `\n${TITLES[severity]}: ${diagnostic.summary}\n\n${body(diagnostic, style, style.width - 1)}`;
  }
  const { color } = style;
  const title = colorize(`[bold][${COLORS[severity]}]${TITLES[severity]}: [reset]`, color);
  const summary = format(colorize('[bold]%s[reset]\n\n', color), [diagnostic.summary]);
  const text = title + summary + body(diagnostic, style, style.width - RULE_WIDTH - 1);
  return insideRule(text, (part) => colorize(`[${COLORS[severity]}]${part}[reset]`, color), color);
}

function shownOf(diagnostic: Diagnostic): ShownDiagnostic {
  const { severity, summary, detail, address, subject } = diagnostic;
  if (subject === undefined) return { severity, summary, detail, address };
  const location = { filename: subject.filename, line: subject.from.line };
  const snippet = diagnosticSnippet(diagnostic);
  if (snippet === undefined) return { severity, summary, detail, address, place: location };
  const { functionCall: call, ...shown } = snippet;
  const origin = deprecationOrigin(diagnostic);
  return {
    severity,
    summary,
    detail,
    address,
    place: location,
    origin,
    compared: comparisonOf(diagnostic),
    snippet: { ...shown, ...(call === undefined ? {} : { functionCall: callOf(call) }) },
  };
}

function callOf({
  name,
  signature,
}: NonNullable<Snippet['functionCall']>): NonNullable<ShownSnippet['functionCall']> {
  if (signature === undefined) return { name };
  const parameters = signature.parameters.map((parameter) => parameter.name);
  if (signature.variadic !== undefined) parameters.push(`${signature.variadic.name}...`);
  return { name, parameters };
}

function body(diagnostic: ShownDiagnostic, style: TextStyle, width: number): string {
  let text = diagnostic.address === undefined ? '' : `  with ${diagnostic.address},\n`;
  text += placeText(diagnostic, style);
  if (diagnostic.detail === '') return text;
  if (width <= 0) return `${text}${diagnostic.detail}\n`;
  for (const line of diagnostic.detail.split('\n')) {
    text += `${line.startsWith(' ') ? line : wrapLine(line, width, style.terminal)}\n`;
  }
  return text;
}

function placeText(
  { place, snippet, origin = '', compared }: ShownDiagnostic,
  style: TextStyle,
): string {
  const { color, link } = style;
  if (place === undefined) return '';
  // A text that is not from a file, such as an address on the command line, has no location.
  if (place.filename === '') {
    return snippet === undefined
      ? ''
      : `  in:\n${codeText(snippet, color)}${valuesText(snippet, color)}\n`;
  }
  const target = link?.(place.filename, place.line);
  const heading = `  on ${linkText(`${place.filename} line ${place.line}`, target)}`;
  if (snippet === undefined) return `${heading}:\n  (source code not available)\n\n`;
  const context = snippet.context === undefined ? '' : `, in ${snippet.context}`;
  const from = origin === '' ? '' : `\n  The deprecation originates from ${origin}\n`;
  const differing = compared === undefined ? '' : comparisonText(compared, style);
  return `${heading}${context}:\n${codeText(snippet, color)}${valuesText(snippet, color)}${differing}${from}\n`;
}

function codeText(snippet: ShownSnippet, color: boolean): string {
  const { code } = snippet;
  const start = clamp(snippet.highlightStart, code.length);
  const highlightEnd =
    snippet.highlightEnd < snippet.highlightStart
      ? snippet.highlightStart + 1
      : snippet.highlightEnd;
  const end = Math.max(start, clamp(highlightEnd, code.length));
  const marked = format(colorize('%s[underline]%s[reset]%s', color), [
    code.slice(0, start),
    code.slice(start, end),
    code.slice(end),
  ]);
  return marked
    .split('\n')
    .map((line, i) => `${String(snippet.startLine + i).padStart(4)}: ${line}\n`)
    .join('');
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}

function valuesText(snippet: ShownSnippet, color: boolean): string {
  const call = snippet.functionCall;
  const parameters = call?.parameters;
  if (snippet.values.length === 0 && parameters === undefined) return '';
  let text = colorize('    [dark_gray]├────────────────[reset]\n', color);
  if (call !== undefined && parameters !== undefined) {
    const line = colorize('    [dark_gray]│[reset] while calling [bold]%s[reset](', color);
    text += `${format(line, [call.name])}${parameters.join(', ')})\n`;
  }
  const line = colorize('    [dark_gray]│[reset] [bold]%s[reset] %s\n', color);
  const values = [...snippet.values].sort((a, b) => compareText(a.traversal, b.traversal));
  for (const value of values) text += format(line, [value.traversal, value.statement]);
  return text;
}

function comparisonText(compared: Comparison, style: TextStyle): string {
  const lines = comparisonLines(compared, style);
  if (lines.length === 0) return '';
  const bar = colorize('    [dark_gray]│[reset] ', style.color);
  const title = colorize('    [dark_gray]├────────────────[reset]\n', style.color);
  return title + lines.map((line) => `${bar}${line}\n`).join('');
}

/** Inserts texts into a pattern; tags in the texts are not interpreted as colours. */
function format(pattern: string, texts: readonly string[]): string {
  let i = 0;
  return pattern.replace(/%s/g, () => texts[i++] ?? '');
}

function insideRule(text: string, rule: (part: string) => string, color: boolean): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  // With color, an escape sequence follows the space, which therefore remains on empty lines too.
  const start = color ? rule('│').slice(0, -'\u001b[0m'.length) : '│';
  const end = color ? '\u001b[0m' : '';
  const prefix = `${start} ${end}`;
  const emptyPrefix = color ? prefix : '│';
  const framed = lines.map((line) => (line === '' ? emptyPrefix : prefix + line) + '\n');
  return `${rule('╷')}\n${framed.join('')}${rule('╵')}\n`;
}
