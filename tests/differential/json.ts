// JSON as the differential tests hold it: numbers that a JavaScript number would change are kept as text.

/** A JSON value; a number that does not survive a JavaScript number is `{ "$number": "its text" }`. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object, its keys in the order of the text. */
export interface JsonObject {
  [key: string]: Json;
}

/** Returns true for objects that are neither arrays nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of an object, or undefined where there is none or the value is no object. */
export function member(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let current = value;
  for (const step of path) {
    if (typeof step === 'number') {
      current = Array.isArray(current) ? current[step] : undefined;
    } else {
      current = isObject(current) ? current[step] : undefined;
    }
  }
  return current;
}

/** The elements of a list, or none where the value is no list. */
export function elements(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The string, or undefined where the value is something else. */
export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const stringPattern = /"(?:[^"\\]|\\.)*"/y;
const spacePattern = /[ \t\r\n]*/y;

/** Parses JSON and keeps the digits of every number. Throws SyntaxError. */
export function parseJson(source: string): Json {
  let at = 0;
  const fail = (what: string): never => {
    throw new SyntaxError(`${what} at offset ${at}: ${source.slice(at, at + 40)}`);
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const token = pattern.exec(source)?.[0];
    if (token !== undefined) at += token.length;
    return token;
  };
  const take = (character: string): boolean => {
    match(spacePattern);
    if (source[at] !== character) return false;
    at += 1;
    return true;
  };
  const string = (): string => {
    match(spacePattern);
    const token = match(stringPattern) ?? fail('expected a string');
    return JSON.parse(token) as string;
  };
  const value = (): Json => {
    match(spacePattern);
    if (take('{')) {
      const object: JsonObject = {};
      if (take('}')) return object;
      do {
        const key = string();
        if (!take(':')) fail('expected a colon');
        object[key] = value();
      } while (take(','));
      if (!take('}')) fail('expected a closing brace');
      return object;
    }
    if (take('[')) {
      const list: Json[] = [];
      if (take(']')) return list;
      do list.push(value());
      while (take(','));
      if (!take(']')) fail('expected a closing bracket');
      return list;
    }
    if (source[at] === '"') return string();
    for (const [word, constant] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (source.startsWith(word, at)) {
        at += word.length;
        return constant;
      }
    }
    const digits = match(numberPattern) ?? fail('expected a value');
    const number = Number(digits);
    return String(number) === digits ? number : { $number: digits };
  };
  const result = value();
  match(spacePattern);
  if (at !== source.length) fail('text after the value');
  return result;
}

function flat(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${flat(item)}`,
    );
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value);
}

/** JSON in which whatever fits a line is on one line. */
export function formatJson(value: Json, indent = '', width = 110): string {
  const line = flat(value);
  if (indent.length + line.length <= width) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => inner + formatJson(item, inner, width));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatJson(item, inner, width)}`,
    );
    return `{\n${members.join(',\n')}\n${indent}}`;
  }
  return line;
}

/** The text of a value with the digits of numbers restored: the inverse of `parseJson`. */
export function unparseJson(value: Json, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + unparseJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const digits = value['$number'];
    if (typeof digits === 'string') return digits;
    const members = Object.entries(value);
    if (members.length === 0) return '{}';
    return `{\n${members
      .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${unparseJson(item, inner)}`)
      .join(',\n')}\n${indent}}`;
  }
  return JSON.stringify(value);
}
