import { formatNumber, type Type, type Value } from '@terrane/cty';
import { mapEntries } from '../diff/plain.ts';
import { jsonString } from './json-text.ts';

/**
 * Formats a value as JSON text. Marks are dropped; unknown attributes and map elements are omitted, unknown elements of
 * sequences are null; `undefined` if the value itself is unknown. Object and map keys are in code point order, numbers
 * are exact.
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
    case 'map': {
      let text = '';
      for (const [key, element] of mapEntries(value)) {
        text = withMember(text, key, valueJson(element));
      }
      return text === '' ? '{}' : `${text}}`;
    }
    case 'object': {
      const { names } = value.type;
      const elements = value.elements();
      let text = '';
      for (let i = 0; i < elements.length; i++) {
        const element = elements[i];
        if (element !== undefined) text = withMember(text, names[i] ?? '', valueJson(element));
      }
      return text === '' ? '{}' : `${text}}`;
    }
    case 'dynamic':
    case 'capsule':
      return 'null';
  }
}

/** An object that is not closed yet with one more member, if there is one to add. */
function withMember(text: string, key: string, json: string | undefined): string {
  if (json === undefined) return text;
  return `${text === '' ? '{' : `${text},`}${jsonString(key)}:${json}`;
}

/**
 * Returns the unknown positions: true for unknown values, false for known primitive ones; known attributes and elements
 * by key are omitted.
 */
export function unknownJson(value: Value): string {
  return flagsJson(value, isUnknown);
}

/** Returns the sensitive positions in the same form. */
export function sensitiveJson(value: Value): string {
  return flagsJson(value, isSensitive);
}

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
    case 'map': {
      let text = '';
      for (const [key, element] of mapEntries(value)) {
        text = withMember(text, key, withoutFalse(flagsJson(element, flag)));
      }
      return text === '' ? '{}' : `${text}}`;
    }
    case 'object': {
      const { names } = value.type;
      const elements = value.elements();
      let text = '';
      for (let i = 0; i < elements.length; i++) {
        const element = elements[i];
        if (element === undefined) continue;
        text = withMember(text, names[i] ?? '', withoutFalse(flagsJson(element, flag)));
      }
      return text === '' ? '{}' : `${text}}`;
    }
    default:
      return 'false';
  }
}

function withoutFalse(json: string): string | undefined {
  return json === 'false' ? undefined : json;
}

// The elements of an unknown collection are unknown.
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
