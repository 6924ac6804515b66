import { type JsonNode, quoteText } from '@terrane/cty';
import { decodeYaml } from '@terrane/functions';
import { documentDiff } from '../diff/document-diff.ts';
import { wholeChange } from '../diff/change.ts';
import type { PartAction } from '../diff/diff.ts';
import { isArray, isMap, plainValue } from '../diff/plain.ts';
import { alignSequences, pairSequences } from '../diff/sequence.ts';
import { colorize } from '../text/style.ts';
import { type DrawOptions, indentation, symbol } from './options.ts';

// Short texts are shown in full, as in Terraform. Unchanged parts of longer texts are hidden if they take more than a
// glance to read.

/** The minimum number of lines of a text whose unchanged lines are hidden. */
const LONG_TEXT = 20;
/** Lines around a change that are shown nevertheless. */
const CONTEXT_LINES = 3;
/** Lines of a document that is worth comparing by its structure. */
const LONG_DOCUMENT = 10;
/** Larger documents are compared by lines: reading them would take too long. */
const MAX_DOCUMENT_SIZE = 1 << 18;
/** The minimum number of unchanged characters that are hidden in a line. */
const LONG_LINE = 200;
const HIDDEN_OF_LINE = 100;
/** Number of characters around a change in a long line. */
const CONTEXT_CHARACTERS = 20;

/** A line before and after, both quoted; long ones are cut to the difference and some characters around it. */
export function longChange(before: string, after: string, options: DrawOptions): string {
  const { arrow, color } = options.palette;
  const plain = (): string => `${quoteText(before)} ${arrow} ${quoteText(after)}`;
  if (Math.min(before.length, after.length) < LONG_LINE) return plain();
  const [was, is] = [[...before], [...after]];
  const minLength = Math.min(was.length, is.length);
  let start = 0;
  while (start < minLength && was[start] === is[start]) start++;
  let end = 0;
  while (end < minLength - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const head = Math.max(0, start - CONTEXT_CHARACTERS);
  const tail = Math.max(0, end - CONTEXT_CHARACTERS);
  if (head + tail < HIDDEN_OF_LINE) return plain();
  const part = (text: readonly string[]): string => {
    const visibleText = quoteText(text.slice(head, text.length - tail).join(''));
    return `${head > 0 ? '…' : ''}${visibleText}${tail > 0 ? '…' : ''}`;
  };
  const hiddenNote = colorize(
    `[dark_gray]# (${head + tail} unchanged characters hidden)[reset]`,
    color,
  );
  return `${part(was)} ${arrow} ${part(is)} ${hiddenNote}`;
}

/**
 * Two YAML documents, where their structure shows best what changes: both are long, and neither
 * their form nor their comments are all, or part, of it.
 */
export function yamlChange(
  before: string,
  after: string,
): readonly [JsonNode, JsonNode] | undefined {
  if (Math.max(before.length, after.length) > MAX_DOCUMENT_SIZE) return undefined;
  const [was, is] = [before.split('\n'), after.split('\n')];
  if (Math.max(was.length, is.length) <= LONG_DOCUMENT) return undefined;
  if (changesComment(was, is) || changesComment(is, was)) return undefined;
  const documents = [structureOf(before), structureOf(after)] as const;
  const [left, right] = documents;
  if (left === undefined || right === undefined || isArray(left) !== isArray(right)) {
    return undefined;
  }
  const { action } = documentDiff(wholeChange(left, right));
  return action === 'no-op' ? undefined : [left, right];
}

/** Returns true if a line with a comment is only in the first text. */
function changesComment(lines: readonly string[], others: readonly string[]): boolean {
  const otherLines = new Set(others);
  return lines.some((line) => /(?:^|\s)#/.test(line) && !otherLines.has(line));
}

/** Parses YAML text if it is a mapping or a list of mappings. */
function structureOf(text: string): JsonNode | undefined {
  let node: JsonNode;
  try {
    node = plainValue(decodeYaml(text));
  } catch {
    // Most texts are no YAML.
    return undefined;
  }
  if (isMap(node)) return node.size > 0 ? node : undefined;
  return isArray(node) && node.length > 0 && node.every(isMap) ? node : undefined;
}

/**
 * Returns the lines of two texts, with removed and added lines marked; for long texts, only the lines around changes.
 */
export function changedLines(
  before: string,
  after: string,
  indent: number,
  options: DrawOptions,
): string {
  const beforeLines = before.split('\n');
  const afterLines = after.split('\n');
  const isLong = Math.max(beforeLines.length, afterLines.length) > LONG_TEXT;
  const lines: (readonly [PartAction, string])[] = [];
  const align = isLong ? alignSequences : pairSequences;
  align(
    beforeLines,
    afterLines,
    () => false,
    (b, a) => {
      const removedLine = beforeLines[b];
      const addedLine = afterLines[a];
      if (removedLine !== undefined && removedLine === addedLine) {
        lines.push(['no-op', removedLine]);
        return;
      }
      if (removedLine !== undefined) lines.push(['delete', removedLine]);
      if (addedLine !== undefined) lines.push(['create', addedLine]);
    },
  );
  const start = indentation(indent + 1);
  const renderedLines = lines.map(([action, line]) => start + symbol(action, options) + line);
  return (isLong ? foldUnchanged(lines, renderedLines, indent, options) : renderedLines).join('\n');
}

/** Lines without those that are far from any change, which one line counts. */
function foldUnchanged(
  lines: readonly (readonly [PartAction, string])[],
  renderedLines: readonly string[],
  indent: number,
  options: DrawOptions,
): readonly string[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(([action], i) => {
    if (action === 'no-op') return;
    near.fill(1, Math.max(0, i - CONTEXT_LINES), i + CONTEXT_LINES + 1);
  });
  const result: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    let end = i;
    while (end < lines.length && near[end] === 0) end++;
    const count = end - i;
    if (count < 2) {
      result.push(renderedLines[i] ?? '');
      continue;
    }
    const text = `[dark_gray]# (${count} unchanged lines hidden)[reset]`;
    result.push(
      `${indentation(indent)}${symbol('no-op', options)}${colorize(text, options.palette.color)}`,
    );
    i = end - 1;
  }
  return result;
}
