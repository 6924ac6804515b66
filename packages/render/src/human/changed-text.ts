import { type JsonNode, quoteText } from '@terrane/cty';
import { decodeYaml } from '@terrane/functions';
import { documentDiff } from '../diff/document-diff.ts';
import { wholeChange } from '../diff/change.ts';
import type { PartAction } from '../diff/diff.ts';
import { isArray, isMap, plainValue } from '../diff/plain.ts';
import { alignSequences, pairSequences } from '../diff/sequence.ts';
import { colorize } from '../text/style.ts';
import { type DrawOptions, indentation, symbol } from './options.ts';

// Short texts are shown as Terraform shows them: whole. What is hidden of longer ones would take
// more than a look to read over.

/** Lines of a text in which what does not change is left out. */
const LONG_TEXT = 20;
/** Lines around a change that are shown nevertheless. */
const CONTEXT_LINES = 3;
/** Lines of a document that is worth comparing by its structure. */
const LONG_DOCUMENT = 10;
/** Larger documents are compared by lines: reading them would take too long. */
const LARGEST_DOCUMENT = 1 << 18;
/** Characters of a line of which only what changes is shown, if so many do not. */
const LONG_LINE = 200;
const HIDDEN_OF_LINE = 100;
/** Characters around what changes in it. */
const CONTEXT_CHARACTERS = 20;

/** A line before and after, both quoted; of long ones, what differs with some characters around. */
export function longChange(before: string, after: string, options: DrawOptions): string {
  const { arrow, color } = options.palette;
  const plain = (): string => `${quoteText(before)} ${arrow} ${quoteText(after)}`;
  if (Math.min(before.length, after.length) < LONG_LINE) return plain();
  const [was, is] = [[...before], [...after]];
  const shortest = Math.min(was.length, is.length);
  let start = 0;
  while (start < shortest && was[start] === is[start]) start++;
  let end = 0;
  while (end < shortest - start && was.at(-1 - end) === is.at(-1 - end)) end++;
  const head = Math.max(0, start - CONTEXT_CHARACTERS);
  const tail = Math.max(0, end - CONTEXT_CHARACTERS);
  if (head + tail < HIDDEN_OF_LINE) return plain();
  const part = (text: readonly string[]): string => {
    const shown = quoteText(text.slice(head, text.length - tail).join(''));
    return `${head > 0 ? '…' : ''}${shown}${tail > 0 ? '…' : ''}`;
  };
  const hidden = colorize(
    `[dark_gray]# (${head + tail} unchanged characters hidden)[reset]`,
    color,
  );
  return `${part(was)} ${arrow} ${part(is)} ${hidden}`;
}

/**
 * Two YAML documents, where their structure shows best what changes: both are long, and neither
 * their form nor their comments are all, or part, of it.
 */
export function yamlChange(
  before: string,
  after: string,
): readonly [JsonNode, JsonNode] | undefined {
  if (Math.max(before.length, after.length) > LARGEST_DOCUMENT) return undefined;
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
  const known = new Set(others);
  return lines.some((line) => /(?:^|\s)#/.test(line) && !known.has(line));
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

/** The lines of two texts, those that go and come marked; of long texts, those around changes. */
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
      const gone = beforeLines[b];
      const come = afterLines[a];
      if (gone !== undefined && gone === come) {
        lines.push(['no-op', gone]);
        return;
      }
      if (gone !== undefined) lines.push(['delete', gone]);
      if (come !== undefined) lines.push(['create', come]);
    },
  );
  const start = indentation(indent + 1);
  const drawn = lines.map(([action, line]) => start + symbol(action, options) + line);
  return (isLong ? folded(lines, drawn, indent, options) : drawn).join('\n');
}

/** Lines without those that are far from any change, which one line counts. */
function folded(
  lines: readonly (readonly [PartAction, string])[],
  drawn: readonly string[],
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
      result.push(drawn[i] ?? '');
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
