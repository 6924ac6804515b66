import type { Span } from './symbol.ts';

/** The context of an offset in a JSON file, which may have syntax errors. */
export interface JsonCursor {
  /** the keys that lead to the innermost object, from the outermost */
  readonly path: readonly string[];
  /** keys of the innermost object that are before the offset */
  readonly usedKeys: readonly string[];
  /** the kind of token that is allowed at the offset: a key of an object, or a value; undefined if neither is */
  readonly position: 'key' | 'value' | undefined;
  /** the key of the value, which may be an array */
  readonly key: string | undefined;
  /** the string at the offset with its quotes; an unterminated one ends at the offset; empty outside of strings */
  readonly typed: Span;
  readonly isQuoted: boolean;
}

interface Container {
  readonly isObject: boolean;
  /** the key that leads here; undefined for the elements of an array */
  readonly key: string | undefined;
  current: string | undefined;
  readonly usedKeys: string[];
  expects: 'key' | 'colon' | 'value' | 'comma';
}

/** Determines the context of an offset from the text before it. */
export function jsonCursor(text: string, offset: number): JsonCursor {
  const stack: Container[] = [];
  for (let at = 0; at < offset;) {
    const inner = stack.at(-1);
    const character = text[at] ?? '';
    switch (character) {
      case '{':
      case '[':
        stack.push({
          isObject: character === '{',
          key: inner?.isObject === true ? inner.current : undefined,
          current: undefined,
          usedKeys: [],
          expects: character === '{' ? 'key' : 'value',
        });
        if (inner !== undefined) inner.expects = 'comma';
        at++;
        break;
      case '}':
      case ']':
        stack.pop();
        at++;
        break;
      case ':':
        if (inner !== undefined) inner.expects = 'value';
        at++;
        break;
      case ',':
        if (inner !== undefined) {
          inner.expects = inner.isObject ? 'key' : 'value';
          inner.current = undefined;
        }
        at++;
        break;
      case '"': {
        const end = stringEnd(text, at);
        if (offset <= end.last)
          return cursorOf(stack, { start: at, end: end.isClosed ? end.next : offset }, true);
        if (inner !== undefined) {
          if (inner.expects === 'key') {
            inner.current = textOf(text.slice(at, end.next));
            inner.usedKeys.push(inner.current);
            inner.expects = 'colon';
          } else inner.expects = 'comma';
        }
        at = end.next;
        break;
      }
      default:
        at++;
    }
  }
  return cursorOf(stack, { start: offset, end: offset }, false);
}

/** Returns the offset of the closing quote and the offset after it; an unterminated string ends with its line. */
function stringEnd(
  text: string,
  start: number,
): { readonly last: number; readonly next: number; readonly isClosed: boolean } {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') return { last: at, next: at + 1, isClosed: true };
    else if (character === '\n') return { last: at, next: at, isClosed: false };
  }
  return { last: text.length, next: text.length, isClosed: false };
}

function cursorOf(stack: readonly Container[], typed: Span, isQuoted: boolean): JsonCursor {
  const inner = stack.at(-1);
  const expects = inner?.expects;
  const object = stack.findLastIndex(({ isObject }) => isObject);
  return {
    path: stack.slice(0, object + 1).flatMap(({ key }) => (key === undefined ? [] : [key])),
    usedKeys: stack[object]?.usedKeys ?? [],
    position: expects === 'key' || expects === 'value' ? expects : undefined,
    key: stack[object]?.current,
    typed,
    isQuoted,
  };
}

function textOf(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal.replace(/^"|"$/g, '');
  }
}
