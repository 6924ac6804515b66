import {
  compareText,
  formatNumber,
  friendlyName,
  quoteText,
  type Value,
  trimSpace,
} from '@terrane/cty';
import type { OutputState } from '@terrane/engine';
import { attributes, mapEntries } from '../diff/plain.ts';
import { colorize, type TextStyle } from '../text/style.ts';

/**
 * Formats a value in a form close to the language, with conversion functions where they determine the type, as the
 * console and `output NAME` print it. Sensitive, ephemeral and unknown values are replaced by placeholders. Never
 * colored; `style` exists for a uniform signature.
 */
export function valueText(value: Value, _style?: TextStyle): string {
  return format(value, 0);
}

/**
 * The outputs of a state, one after the other by name, as `output` and the end of `apply` print
 * them. Without the heading.
 */
export function outputLines(
  outputs: ReadonlyMap<string, OutputState>,
  { showSensitive = false }: Pick<TextStyle, 'showSensitive'> = {},
): string {
  const lines: string[] = [];
  for (const name of [...outputs.keys()].sort(compareText)) {
    const output = outputs.get(name);
    if (output === undefined) continue;
    const isHidden = output.sensitive && !showSensitive;
    lines.push(`${name} = ${isHidden ? '<sensitive>' : format(output.value, 0)}`);
  }
  return trimSpace(lines.join('\n'));
}

/** Formats the "Outputs:" block at the end of an apply; "" without outputs. */
export function outputsText(outputs: ReadonlyMap<string, OutputState>, style: TextStyle): string {
  if (outputs.size === 0) return '';
  const heading = colorize('[reset][bold][green]\nOutputs:\n\n', style.color);
  return `${heading}${outputLines(outputs, style)}\n`;
}

function format(marked: Value, indent: number): string {
  if (!marked.isKnown) return '(known after apply)';
  if (marked.hasMark('sensitive')) return '(sensitive value)';
  if (marked.hasMark('ephemeral')) return '(ephemeral value)';
  if (marked.isNull) return nullText(marked);
  const value = marked.isMarked ? marked.unmark() : marked;
  switch (value.type.kind) {
    case 'string':
      return stringText(value.asString(), indent);
    case 'number':
      return formatNumber(value.asNum());
    case 'bool':
      return String(value.asBool());
    case 'object':
      return mapping(attributes(value), indent);
    case 'map':
      return `tomap(${mapping(mapEntries(value), indent)})`;
    case 'tuple':
      return sequence(value, indent);
    case 'list':
      return `tolist(${sequence(value, indent)})`;
    case 'set':
      return `toset(${sequence(value, indent)})`;
    case 'dynamic':
    case 'capsule':
      return friendlyName(value.type);
  }
}

function nullText(value: Value): string {
  const type = value.type;
  switch (type.kind) {
    case 'dynamic':
      return 'null';
    case 'string':
    case 'number':
    case 'bool':
      return `to${type.kind}(null)`;
    case 'list':
    case 'set':
    case 'map':
      return `to${type.kind}(null) /* of ${friendlyName(type.element)} */`;
    default:
      return `null /* ${friendlyName(type)} */`;
  }
}

function stringText(text: string, indent: number): string {
  if (!text.includes('\n')) return quoteText(text);
  const lines = text.split('\n');
  let delimiter = 'EOT';
  while (lines.some((line) => trimSpace(line) === delimiter)) delimiter += '_';
  const start = `\n${' '.repeat(indent)}`;
  return `${indent > 0 ? '<<-' : '<<'}${delimiter}${start}${lines.join(start)}${start}${delimiter}`;
}

function mapping(entries: Iterable<readonly [string, Value]>, indent: number): string {
  let text = '';
  for (const [key, element] of entries) {
    text += `\n${' '.repeat(indent + 2)}${stringText(key, indent + 2)} = ${format(element, indent + 2)}`;
  }
  return text === '' ? '{}' : `{${text}\n${' '.repeat(indent)}}`;
}

function sequence(value: Value, indent: number): string {
  let text = '';
  for (const element of value.elements()) {
    text += `\n${' '.repeat(indent + 2)}${format(element, indent + 2)},`;
  }
  return text === '' ? '[]' : `[${text}\n${' '.repeat(indent)}]`;
}
