import { Bug, formatNumber, quoteText, type Value } from '@terrane/cty';
import { isValidIdentifier } from '@terrane/hcl';

/** Text for values that must not be shown. */
const SENSITIVE = '(sensitive value)';
const EPHEMERAL = '(ephemeral value)';
const UNKNOWN = '(known after apply)';

/**
 * Shows a value on one line of at most `limit` characters. Sensitive and ephemeral parts are replaced at every depth;
 * the keys of a collection with a mark are not shown either.
 */
export function valueOnOneLine(value: Value, limit: number): string {
  const text = displayText(value, limit);
  return text.length <= limit ? text : `${text.slice(0, Math.max(0, limit - 1))}…`;
}

/** Returns true if the value or a part of it is sensitive or ephemeral. */
export function hasSecrets(value: Value): boolean {
  return value.hasMarkDeep('sensitive') || value.hasMarkDeep('ephemeral');
}

function displayText(value: Value, budget: number): string {
  if (value.hasMark('sensitive')) return SENSITIVE;
  if (value.hasMark('ephemeral')) return EPHEMERAL;
  const plain = value.isMarked ? value.unmark() : value;
  if (!plain.isKnown) return UNKNOWN;
  if (plain.isNull) return 'null';
  switch (plain.type.kind) {
    case 'string':
      return quoteText(plain.asString().slice(0, budget + 1));
    case 'number':
      return formatNumber(plain.asNum());
    case 'bool':
      return plain.asBool() ? 'true' : 'false';
    case 'list':
    case 'set':
    case 'tuple':
      return displayList(plain, budget);
    case 'map':
    case 'object':
      return displayObject(plain, budget);
    case 'capsule':
      return `(${plain.type.name})`;
    case 'dynamic':
      return UNKNOWN;
    default:
      throw new Bug('unexpected type of value');
  }
}

function displayList(value: Value, budget: number): string {
  const parts: string[] = [];
  let remaining = budget - 2;
  for (const element of value.elements()) {
    if (remaining <= 0) {
      parts.push('…');
      break;
    }
    const text = displayText(element, remaining);
    parts.push(text);
    remaining -= text.length + 2;
  }
  return `[${parts.join(', ')}]`;
}

function displayObject(value: Value, budget: number): string {
  const parts: string[] = [];
  let remaining = budget - 4;
  for (const [key, element] of value.entries()) {
    if (remaining <= 0) {
      parts.push('…');
      break;
    }
    const name = key.asString();
    const shownName = isValidIdentifier(name) ? name : quoteText(name);
    const text = `${shownName} = ${displayText(element, remaining - shownName.length)}`;
    parts.push(text);
    remaining -= text.length + 2;
  }
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
