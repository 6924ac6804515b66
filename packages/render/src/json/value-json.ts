import { formatNumber, type Type, type Value } from '@terrane/cty';
import { attributes, mapEntries } from '../diff/plain.ts';
import { jsonString } from './json-text.ts';

/**
 * A value as JSON text. Marks are dropped; unknown attributes and map elements are left out,
 * unknown elements of sequences are null; `undefined` when the value as a whole is unknown. Object
 * and map keys in the order of code points, numbers exact.
 */
export function valueJson(marked: Value): string | undefined {
  if (!marked.isKnown) return undefined;
  if (marked.isNull) return 'null';
  const value = marked.isMarked ? marked.unmark() : marked;
  switch (value.type.kind) {
    case 'bool':
      return value.asBool() ? 'true' : 'false';
    case 'number':
      return formatNumber(value.asNum());
    case 'string':
      return jsonString(value.asString());
    case 'list':
    case 'set':
    case 'tuple': {
      let text = '';
      for (const element of value.elements()) {
        text += `${text === '' ? '[' : ','}${valueJson(element) ?? 'null'}`;
      }
      return text === '' ? '[]' : `${text}]`;
    }
    case 'map':
    case 'object':
      return membersJson(value.type.kind === 'map' ? mapEntries(value) : attributes(value), valueJson);
    case 'dynamic':
    case 'capsule':
      return 'null';
  }
}

function membersJson(
  entries: Iterable<readonly [string, Value]>,
  write: (value: Value) => string | undefined,
): string {
  let text = '';
  for (const [key, element] of entries) {
    const json = write(element);
    if (json !== undefined) text += `${text === '' ? '{' : ','}${jsonString(key)}:${json}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/**
 * Where a value is unknown: true for unknown values, false for known simple ones; attributes and
 * elements by key are left out where they are known.
 */
export function unknownJson(value: Value): string {
  return flagsJson(value, isUnknown);
}

/** Where a value is sensitive, in the same form. */
export function sensitiveJson(value: Value): string {
  return flagsJson(value, isSensitive);
}

/** What a flag looks like when nothing in a value of this type has it. */
function isUnknown(value: Value): boolean {
  return !value.isKnown;
}

function isSensitive(value: Value): boolean {
  return value.hasMark('sensitive');
}

function flagsJson(marked: Value, flag: (value: Value) => boolean): string {
  if (flag(marked)) return 'true';
  if (marked.isKnown && marked.isNull) return 'false';
  if (!marked.isKnown) return emptyFlags(marked.type);
  const value = marked.isMarked ? marked.unmark() : marked;
  switch (value.type.kind) {
    case 'list':
    case 'set':
    case 'tuple': {
      let text = '';
      for (const element of value.elements()) {
        text += `${text === '' ? '[' : ','}${flagsJson(element, flag)}`;
      }
      return text === '' ? '[]' : `${text}]`;
    }
    case 'map':
    case 'object': {
      const entries = value.type.kind === 'map' ? mapEntries(value) : attributes(value);
      return membersJson(entries, (element) => {
        const json = flagsJson(element, flag);
        return json === 'false' ? undefined : json;
      });
    }
    default:
      return 'false';
  }
}

// Nothing can be said of what is inside an unknown collection.
function emptyFlags(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'tuple':
      return '[]';
    case 'map':
    case 'object':
      return '{}';
    default:
      return 'false';
  }
}
