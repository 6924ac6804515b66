import { compareText, friendlyName, type FunctionSpec, isCollection, Value } from '@terrane/cty';
import { hasErrors } from './diagnostic.ts';
import { isInnerScope, lookUpInner, rootName } from '../evaluate/scope.ts';
import { traverseRelative } from '../evaluate/traverse.ts';
import { lengthBounds } from '../evaluate/value-range.ts';
import { variables } from '../expression/references.ts';
import type { Diagnostic, DiagnosticExtra, FunctionCallExtra, Scope, Traversal } from '../model.ts';
import { lastAtOrBefore, rangeBetween, type Source, utf8Length } from '../source/source.ts';
import { compactValue, traversalText } from './compact-value.ts';
import { contextOf } from './context.ts';

/** The value of a reference as a statement: "is a string", "has a sensitive value". */
export interface SnippetValue {
  readonly traversal: string;
  readonly statement: string;
}

/** The source code of a diagnostic and the values in it: data for any renderer. */
export interface Snippet {
  /** the header of the block around it, such as `resource "a" "b"`; a path for JSON files */
  readonly context: string | undefined;
  /** whole lines, separated by LF, without empty lines */
  readonly code: string;
  /** the line of the start of the range; within a string of JSON, counted in the text of the string */
  readonly startLine: number;
  /** the highlighted part, as UTF-16 offsets into `code` */
  readonly highlightStart: number;
  readonly highlightEnd: number;
  /** the highlighted part in UTF-8 bytes, as in Terraform's JSON */
  readonly highlightStartByte: number;
  readonly highlightEndByte: number;
  /** sorted, each reference once */
  readonly values: readonly SnippetValue[];
  /** the failed function call */
  readonly functionCall?: { readonly name: string; readonly signature?: FunctionSpec };
}

/** Returns the snippet of a diagnostic; undefined without a range, or with a range that is not shown. */
export function diagnosticSnippet(d: Diagnostic): Snippet | undefined {
  const { subject, context } = d;
  if (subject === undefined) {
    return undefined;
  }
  const source = subject.source.root;
  if (!source.isShown) return undefined;
  const highlight = atLeastOne(inRoot(subject.source, subject.start, subject.end));
  const around =
    context === undefined || context.isEmpty
      ? highlight
      : inRoot(context.source, context.start, context.end);
  const visibleRange = {
    start: Math.min(highlight.start, around.start),
    end: Math.max(highlight.end, around.end),
  };
  const { code, codeStart } = overlappingLines(source, visibleRange);
  const highlightStart = clamp(highlight.start - codeStart, code.length);
  const highlightEnd = clamp(
    highlight.start - codeStart + (highlight.end - highlight.start),
    code.length,
  );
  const functionCall = functionCallOf(d);
  return {
    context: contextOf(source, highlight.start),
    code,
    startLine: (visibleRange.start < highlight.start && context !== undefined ? context : subject)
      .from.line,
    highlightStart,
    highlightEnd,
    highlightStartByte: utf8Length(code.slice(0, highlightStart)),
    highlightEndByte: utf8Length(code.slice(0, highlightEnd)),
    values: valuesOf(d),
    ...(functionCall === undefined ? {} : { functionCall }),
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Converts a range of a source to offsets in its file. */
function inRoot(source: Source, start: number, end: number): Span {
  const { root } = source;
  if (root === source) {
    return { start, end };
  }
  return {
    start: root.offsetOfByte(source.position(start).byte),
    end: root.offsetOfByte(source.position(end).byte),
  };
}

function atLeastOne({ start, end }: Span): Span {
  return { start, end: end > start ? end : start + 1 };
}

function clamp(offset: number, length: number): number {
  return Math.max(0, Math.min(offset, length));
}

function overlappingLines(
  source: Source,
  span: Span,
): { readonly code: string; readonly codeStart: number } {
  const { text } = source;
  const starts = source.starts();
  const lines: string[] = [];
  let codeStart = 0;
  for (let i = lastAtOrBefore(starts, span.start); i < starts.length; i++) {
    const start = starts[i] ?? 0;
    if (start > span.end) {
      break;
    }
    const next = starts[i + 1];
    const line = text.slice(start, next === undefined ? text.length : next - 1).replace(/\r$/, '');
    const end = start + line.length;
    if (line === '' || !overlaps(start, end, span)) {
      continue;
    }
    if (lines.length === 0) {
      codeStart = start;
    }
    lines.push(line);
  }
  return { code: lines.join('\n'), codeStart };
}

/** Returns true if one of the two contains an end of the other. */
function overlaps(start: number, end: number, span: Span): boolean {
  const inLine = (offset: number): boolean => offset >= start && offset < end;
  const inSpan = (offset: number): boolean => offset >= span.start && offset < span.end;
  return inLine(span.start) || inLine(span.end) || inSpan(start) || inSpan(end);
}

function functionCallOf(d: Diagnostic): Snippet['functionCall'] {
  const { extra } = d;
  if (d.expression === undefined || extra === undefined || !isFunctionCall(extra)) {
    return undefined;
  }
  const { name, spec } = extra;
  // Terraform knows the signature of a function only if it is called outside of loops.
  const isInner = d.scope !== undefined && isInnerScope(d.scope);
  return spec === undefined || isInner ? { name } : { name, signature: spec };
}

// The kinds are an open set, so the compiler cannot narrow them.
function isFunctionCall(extra: DiagnosticExtra): extra is FunctionCallExtra {
  return extra.kind === 'functionCall';
}

// ----- values

/** The additional categories of values that a diagnostic explains. */
interface Causes {
  readonly unknown: boolean;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
}

function valuesOf(d: Diagnostic): readonly SnippetValue[] {
  const { expression, scope } = d;
  if (expression === undefined || scope === undefined) {
    return [];
  }
  const kind = d.extra?.kind;
  const causes = {
    unknown: kind === 'unknown',
    sensitive: kind === 'sensitive',
    ephemeral: kind === 'ephemeral' || kind === 'assertion',
  };
  const values = new Map<string, SnippetValue>();
  for (const traversal of variables(expression)) {
    addValue(traversal, scope, causes, values);
  }
  return [...values.values()].toSorted((a, b) => compareText(a.traversal, b.traversal));
}

/** Adds the longest prefix of a reference that has a value; a root name alone is not informative. */
function addValue(
  traversal: Traversal,
  scope: Scope,
  causes: Causes,
  values: Map<string, SnippetValue>,
): void {
  for (let length = traversal.steps.length; length > 1; length--) {
    const part = prefix(traversal, length);
    const value = valueOf(part, scope);
    if (value !== undefined) {
      const text = traversalText(part);
      const statement = values.has(text) ? undefined : statementOf(value, causes);
      if (statement !== undefined) {
        values.set(text, { traversal: text, statement });
      }
      return;
    }
  }
}

function prefix(traversal: Traversal, length: number): Traversal {
  const steps = traversal.steps.slice(0, length);
  const [first] = steps;
  const last = steps.at(-1);
  return first === undefined || last === undefined
    ? traversal
    : { steps, range: rangeBetween(first.range, last.range) };
}

function valueOf(traversal: Traversal, scope: Scope): Value | undefined {
  const diagnostics: Diagnostic[] = [];
  const binding = lookUpInner(scope, rootName(traversal));
  if (binding instanceof Value) {
    const value = traverseRelative(binding, traversal.steps, diagnostics, 1);
    return hasErrors(diagnostics) ? undefined : value;
  }
  if (binding?.peek !== undefined) {
    return binding.peek(traversal);
  }
  const resolution = binding?.resolve(traversal, diagnostics);
  if (resolution === undefined) {
    return undefined;
  }
  const { value, consumed } = resolution;
  const result = traverseRelative(value, traversal.steps, diagnostics, consumed);
  return hasErrors(diagnostics) ? undefined : result;
}

/**
 * Returns the statement about a value; undefined if it is omitted. Sensitive, ephemeral and unknown values are
 * mentioned as such only where they are the cause: otherwise readers would think that they are.
 */
function statementOf(value: Value, causes: Causes): string | undefined {
  for (const mark of value.marks) {
    if (mark !== 'sensitive' && mark !== 'ephemeral') {
      return undefined;
    }
  }
  const sensitive = value.hasMark('sensitive');
  const ephemeral = value.hasMark('ephemeral');
  if (sensitive && ephemeral) {
    return causes.sensitive && causes.ephemeral ? 'has an ephemeral, sensitive value' : undefined;
  }
  if (sensitive) {
    return causes.sensitive ? 'has a sensitive value' : undefined;
  }
  if (ephemeral) {
    return causes.ephemeral ? 'has an ephemeral value' : undefined;
  }
  return value.isKnown ? `is ${compactValue(value)}` : unknownStatement(value, causes.unknown);
}

// Larger bounds would distract.
const MAX_BOUND = 1024;

function unknownStatement(value: Value, isCause: boolean): string | undefined {
  const { type } = value;
  if (type.kind === 'dynamic') {
    return isCause ? 'will be known only after apply' : undefined;
  }
  const name = friendlyName(type);
  if (!isCause) {
    return `is a ${name}`;
  }
  if (!isCollection(type)) {
    return `is a ${name}, known only after apply`;
  }
  const { min, max } = lengthBounds(value);
  let size = '';
  if (min === max) {
    size = ` of length ${min}`;
  } else if (min !== 0 && max <= MAX_BOUND) {
    size = ` with between ${min} and ${max} elements`;
  } else if (min !== 0) {
    size = ` with at least ${min} elements`;
  } else if (max <= MAX_BOUND) {
    size = ` with up to ${max} elements`;
  }
  return `is a ${name}${size}, known only after apply`;
}
