import type { InstanceKey } from '@terrane/addresses';
import { attrStep, indexStep, type Path, STRING, type Value } from '@terrane/cty';
import { type TraversalStep, valueFromPlain } from '@terrane/hcl';
import { asType } from './values.ts';

/** Returns whether a value is known and not null. */
export function isPlain(value: Value): boolean {
  return value.isKnown && !value.isNull;
}

/** Converts a primitive value to text; undefined for other types. */
export function asText(value: Value): string | undefined {
  const plain = value.unmark();
  switch (plain.type.kind) {
    case 'string':
      return plain.asString();
    case 'bool':
      return String(plain.asBool());
    case 'number': {
      const text = asType(plain, STRING);
      return text?.asString();
    }
    default:
      return undefined;
  }
}

/** Returns whether a map or object has a key, or a collection an element with that text. */
export function holds(value: Value, key: string): boolean {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return false;
  switch (plain.type.kind) {
    case 'object':
      return plain.type.indexOf(key) !== undefined;
    case 'map':
      return plain.get(key) !== undefined;
    case 'set':
    case 'list':
    case 'tuple':
      return plain.elements().some((element) => isPlain(element) && asText(element) === key);
    default:
      return false;
  }
}

/** Returns the entries of a map or object; undefined for other, unknown and null values. */
export function entriesOf(value: Value): ReadonlyMap<string, Value> | undefined {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return undefined;
  switch (plain.type.kind) {
    case 'object':
      return new Map(plain.type.names.map((name) => [name, plain.attr(name)]));
    case 'map':
      return new Map(plain.entries().map(([key, element]) => [key.asString(), element]));
    default:
      return undefined;
  }
}

/** Decodes a JSON text; undefined for other values and malformed text. */
export function decodeJson(value: Value): Value | undefined {
  if (!isPlain(value) || value.type.kind !== 'string') return undefined;
  try {
    const plain: unknown = JSON.parse(value.unmark().asString());
    return valueFromPlain(plain as Parameters<typeof valueFromPlain>[0]).withMarks(value.marks); // the type of a JSON.parse result
  } catch {
    return undefined;
  }
}

/** Returns the steps to the elements of a collection; none for sets and unknown values. */
export function elementSteps(value: Value): readonly Path[number][] {
  const plain = value.unmark();
  if (!plain.isKnown || plain.isNull) return [];
  switch (plain.type.kind) {
    case 'list':
    case 'tuple':
      return plain.elements().map((_element, index) => indexStep(index));
    case 'map':
    case 'object':
      return [...(entriesOf(plain)?.keys() ?? [])].map((key) => indexStep(key));
    default:
      return [];
  }
}

/** Returns the path of the steps of a reference, up to a splat. */
export function pathOf(steps: readonly TraversalStep[]): Path {
  const path: Path[number][] = [];
  for (const step of steps) {
    if (step.kind === 'attr') path.push(attrStep(step.name));
    else if (step.kind === 'index') path.push(indexStep(step.key));
    else if (step.kind === 'splat') break;
  }
  return path;
}

/** Returns the name or key of a step as text. */
export function nameOfStep(step: Path[number]): string {
  if (step.kind === 'attr') return step.name;
  return asText(step.key) ?? '*';
}

/** Converts the key of a reference to an instance key; undefined if unknown. */
export function keyOfStep(key: Value): InstanceKey {
  if (!isPlain(key)) return undefined;
  if (key.type.kind === 'string') return key.asString();
  return key.type.kind === 'number' ? key.asInt() : undefined;
}

/** Returns whether two values are equal, ignoring marks. */
export function isUnchanged(before: Value | undefined, after: Value | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.unmarkDeep().value.rawEquals(after.unmarkDeep().value);
}
