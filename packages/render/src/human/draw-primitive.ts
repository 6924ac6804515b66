import { type JsonNode, parseJson, quoteText, trimSpace } from '@terrane/cty';
import { wholeChange } from '../diff/change.ts';
import type { Diff, PartAction, PrimitiveView } from '../diff/diff.ts';
import { documentDiff } from '../diff/document-diff.ts';
import { isArray, isMap } from '../diff/plain.ts';
import { changedLines, longChange, yamlChange } from './changed-text.ts';
import {
  type DrawOptions,
  indentation,
  innerOptions,
  nullSuffix,
  replacementSuffix,
  symbol,
} from './options.ts';

type Draw = (diff: Diff, indent: number, options: DrawOptions) => string;

/** Draws a simple value, or the content of a string: several lines, or JSON, which `draw` draws. */
export function drawPrimitive(
  view: PrimitiveView,
  action: PartAction,
  replace: boolean,
  indent: number,
  options: DrawOptions,
  draw: Draw,
): string {
  if (view.text) return drawString(view, action, replace, indent, options, draw);
  const suffix = replacementSuffix(replace, options);
  switch (action) {
    case 'create':
      return simple(view.after, options) + suffix;
    case 'delete':
      return simple(view.before, options) + nullSuffix(action, options) + suffix;
    case 'no-op':
      return simple(view.before, options) + suffix;
    case 'update':
      return `${simple(view.before, options)} ${options.palette.arrow} ${simple(view.after, options)}${suffix}`;
  }
}

function simple(node: JsonNode, options: DrawOptions): string {
  if (node === null) return options.palette.null;
  if (typeof node === 'boolean') return String(node);
  if (typeof node === 'string' || isArray(node) || isMap(node)) return '';
  return node.number;
}

/** A string, and the JSON in it, if any. */
interface Text {
  readonly text: string;
  readonly json: JsonNode | undefined;
  readonly multiline: boolean;
  readonly absent: boolean;
}

function read(node: JsonNode, options: DrawOptions): Text {
  if (typeof node !== 'string') {
    return { text: options.palette.null, json: undefined, multiline: false, absent: true };
  }
  if (node.startsWith('{') || node.startsWith('[')) {
    const json = jsonIn(node);
    if (json !== undefined) return { text: node, json, multiline: false, absent: false };
  }
  return node.includes('\n')
    ? { text: trimSpace(node), json: undefined, multiline: true, absent: false }
    : { text: node, json: undefined, multiline: false, absent: false };
}

function jsonIn(text: string): JsonNode | undefined {
  try {
    return parseJson(text);
  } catch {
    // Most strings that begin with a bracket are not JSON; they are shown unchanged.
    return undefined;
  }
}

function quoted(text: Text): string {
  return text.absent ? text.text : quoteText(text.text);
}

/** Formats the values before and after a change on one line. */
function changedLine(before: Text, after: Text, options: DrawOptions): string {
  if (!before.absent && !after.absent) return longChange(before.text, after.text, options);
  return `${quoted(before)} ${options.palette.arrow} ${quoted(after)}`;
}

const NOTHING: Text = { text: '', json: undefined, multiline: false, absent: false };

function drawString(
  view: PrimitiveView,
  action: PartAction,
  replace: boolean,
  indent: number,
  options: DrawOptions,
  draw: Draw,
): string {
  const suffix = replacementSuffix(replace, options);
  let lines: string;
  if (action === 'update') {
    const before = read(view.before, options);
    const after = read(view.after, options);
    if (before.json !== undefined && after.json !== undefined) {
      return drawJson('jsonencode', action, replace, indent, options, before, after, draw);
    }
    if (before.json !== undefined || after.json !== undefined) {
      return drawKindChange(view, indent, options, draw);
    }
    if (!before.multiline && !after.multiline) {
      return `${changedLine(before, after, options)}${suffix}`;
    }
    const yaml = yamlChange(before.text, after.text);
    if (yaml !== undefined) {
      const [was, is] = yaml;
      const sides = [
        { ...before, json: was },
        { ...after, json: is },
      ] as const;
      return drawJson('yamlencode', action, replace, indent, options, ...sides, draw);
    }
    lines = changedLines(before.text, after.text, indent, options);
  } else {
    const text = read(action === 'delete' ? view.before : view.after, options);
    if (action === 'delete' && text.absent) return quoted(text) + suffix;
    if (text.json !== undefined) {
      const before = action === 'create' ? NOTHING : text;
      const after = action === 'delete' ? NOTHING : text;
      return drawJson('jsonencode', action, replace, indent, options, before, after, draw);
    }
    if (!text.multiline) return quoted(text) + nullSuffix(action, options) + suffix;
    const start = indentation(indent + 1) + symbol('no-op', options);
    lines = start + text.text.replaceAll('\n', `\n${start}`);
  }
  const end = indentation(indent) + symbol('no-op', options);
  return `<<-EOT${suffix}\n${lines}\n${end}EOT${nullSuffix(action, options)}`;
}

// Formats a change in which only one side is JSON: both are shown in full.
function drawKindChange(
  view: PrimitiveView,
  indent: number,
  options: DrawOptions,
  draw: Draw,
): string {
  const side = (action: 'create' | 'delete', before: JsonNode, after: JsonNode): Diff => ({
    action,
    replace: false,
    view: { kind: 'primitive', before, after, text: true },
  });
  const diff: Diff = {
    action: 'update',
    replace: false,
    view: {
      kind: 'type-change',
      before: side('delete', view.before, null),
      after: side('create', null, view.after),
    },
  };
  return draw(diff, indent, options);
}

function drawJson(
  name: 'jsonencode' | 'yamlencode',
  action: PartAction,
  replace: boolean,
  indent: number,
  options: DrawOptions,
  before: Text,
  after: Text,
  draw: Draw,
): string {
  const diff = documentDiff({
    ...wholeChange(before.json ?? null, after.json ?? null),
    beforeExplicit: action !== 'create',
    afterExplicit: action !== 'delete',
  });
  // The strings differ but their JSON does not: without a note the diff would be empty.
  const onlySpace = diff.action === 'no-op' && action === 'update';
  const inner = innerOptions(options, {
    withoutNull: true,
    showUnchanged: onlySpace || options.showUnchanged,
  });
  const space = !onlySpace
    ? ''
    : replace
      ? ' # whitespace changes force replacement'
      : ' # whitespace changes';
  const suffix = onlySpace ? '' : replacementSuffix(replace, options);
  const text = draw(diff, indent + 1, inner);
  if (!text.includes('\n')) return `${name}(${text})${space}${suffix}`;
  const displayAction = action === 'update' && !onlySpace ? 'update' : 'no-op';
  return `${name}(${space}\n${indentation(indent + 1)}${symbol(displayAction, options)}${text}${suffix}\n${indentation(indent)}${symbol('no-op', options)})${nullSuffix(action, options)}`;
}
