import { CtyError } from './cty-error.ts';
import { formatNumber, formatNumberGeneral } from './number-text.ts';
import type { Num } from './number.ts';
import { hashText } from './set-order.ts';
import { normalizeText, quoteText } from './text.ts';
import { isCollection, NUMBER, STRING } from './type.ts';
import { indexValue, plainUnknown, textValue, type Value } from './value.ts';
import type { Path, PathStep } from './path-step.ts';

/** The step to an attribute of an object. */
export function attrStep(name: string): PathStep {
  return { kind: 'attr', name };
}

/** The step to an element of a list, tuple, map or set. */
export function indexStep(key: Value | string | number): PathStep {
  if (typeof key === 'string') return { kind: 'index', key: textValue(normalizeText(key)) };
  if (typeof key === 'number') return { kind: 'index', key: indexValue(key) };
  return { kind: 'index', key };
}

/** Returns true if two steps are the same. */
function stepEquals(a: PathStep, b: PathStep): boolean {
  if (a === b) return true;
  if (a.kind === 'attr') return b.kind === 'attr' && a.name === b.name;
  return b.kind === 'index' && a.key.rawEquals(b.key);
}

/** Returns true if two paths are the same. */
export function pathEquals(a: Path, b: Path): boolean {
  return a.length === b.length && pathStartsWith(a, b);
}

/** Returns true if the path begins with all steps of `prefix`. */
export function pathStartsWith(p: Path, prefix: Path): boolean {
  if (prefix.length > p.length) return false;
  for (let i = 0; i < prefix.length; i++) {
    if (!stepEquals(p[i] as PathStep, prefix[i] as PathStep)) return false;
  }
  return true;
}

/** Returns a unique string for a path, for use as a key of a Map. */
export function pathKey(p: Path): string {
  let key = '';
  for (const step of p) {
    key += step.kind === 'attr' ? `.${JSON.stringify(step.name)}` : `[${keyText(step.key)}]`;
  }
  return key;
}

function keyText(key: Value): string {
  if (typeof key.payload === 'string') return JSON.stringify(key.payload);
  if (key.type === NUMBER && key.isKnown && key.payload !== null) {
    return key.payload === 0 ? '0' : formatNumber(key.payload as Num);
  }
  return `${key.type.id}:${hashText(key)}`;
}

/**
 * Returns the value at a path, with the marks of all values along it. The result is unknown if one of them is unknown.
 * Throws CtyError if a step is not possible.
 */
export function applyPath(v: Value, p: Path): Value {
  let at = v;
  for (let i = 0; i < p.length; i++) {
    try {
      at = applyStep(at, p[i] as PathStep);
    } catch (error) {
      if (error instanceof CtyError) throw new CtyError(`at step ${i}: ${error.message}`);
      throw error;
    }
  }
  return at;
}

/** Returns the value at a path, as {@link applyPath} does; undefined if the path does not exist. */
export function valueAt(v: Value, p: Path): Value | undefined {
  try {
    return applyPath(v, p);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

function applyStep(v: Value, step: PathStep): Value {
  if (step.kind === 'attr') {
    if (v.isNull) throw new CtyError('cannot access attributes on a null value');
    if (v.type.kind !== 'object') throw new CtyError('not an object type');
    if (v.type.indexOf(normalizeText(step.name)) === undefined) {
      throw new CtyError(`object has no attribute ${quoteText(step.name)}`);
    }
    return v.attr(step.name);
  }
  if (v.isNull) throw new CtyError('cannot index a null value');
  return elementAt(v, step.key);
}

function elementAt(v: Value, key: Value): Value {
  const { type } = v;
  if (key.type === NUMBER) {
    if (type.kind !== 'list' && type.kind !== 'tuple') throw new CtyError('not a list type');
  } else if (key.type === STRING) {
    if (type.kind !== 'map') throw new CtyError('not a map type');
  } else {
    throw new CtyError('key value not number or string');
  }
  const plain = v.unmark();
  const element = plain.isKnown && key.isKnown ? knownElement(plain, key) : unknownElement(v, key);
  if (element === undefined) throw new CtyError('value does not have given index key');
  return element.withSameMarks(v, key);
}

function knownElement(v: Value, key: Value): Value | undefined {
  const k = key.payload;
  if (typeof k === 'string') return v.get(k);
  return typeof k === 'number' ? v.at(k) : undefined;
}

function unknownElement(v: Value, key: Value): Value | undefined {
  if (v.type.kind !== 'tuple') {
    return isCollection(v.type) ? plainUnknown(v.type.element) : undefined;
  }
  if (!key.isKnown) throw new CtyError('key value not known');
  const type = typeof key.payload === 'number' ? v.type.elements[key.payload] : undefined;
  return type === undefined ? undefined : plainUnknown(type);
}

/** Formats a path for messages: `.foo[0]["k"]`; elements of sets are `[...]`. */
export function formatPath(p: Path): string {
  let text = '';
  for (const step of p) {
    text += step.kind === 'attr' ? `.${step.name}` : `[${formatKey(step.key)}]`;
  }
  return text;
}

function formatKey(key: Value): string {
  if (key.isNull) return 'null';
  if (!key.isKnown) return '(not yet known)';
  if (key.type === NUMBER) return formatNumberGeneral(key.payload as Num);
  return typeof key.payload === 'string' ? quoteText(key.payload) : '...';
}
