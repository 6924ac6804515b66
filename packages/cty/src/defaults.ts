import { convert, unify } from './convert/conversion.ts';
import { CtyError } from './cty-error.ts';
import { definitelyNotNull } from './range.ts';
import { refineNotNull } from './refine.ts';
import { DYNAMIC, type Type } from './type.ts';
import type { Value } from './value.ts';
import { list, map, object, set, tuple } from './values.ts';

/**
 * Default values for the optional attributes of a type constraint, at every depth. `children` contains the defaults of
 * nested types: by attribute name, by index for tuples ("0"), by "" for the elements of collections.
 */
export interface Defaults {
  readonly type: Type;
  readonly values?: ReadonlyMap<string, Value>;
  readonly children?: ReadonlyMap<string, Defaults>;
}

/**
 * Applies defaults to missing or null optional attributes, before the value is converted to the type. Values that do
 * not conform to the defaults are not changed, and the conversion rejects them. Null and unknown values and marks are
 * preserved.
 */
export function applyDefaults(d: Defaults, v: Value): Value {
  if (!v.isKnown || v.isNull || isEmpty(d)) return v;
  return apply(d, v.unmark()).withMarks(v.marks);
}

function isEmpty(d: Defaults): boolean {
  return (d.values?.size ?? 0) === 0 && (d.children?.size ?? 0) === 0;
}

function apply(d: Defaults, v: Value): Value {
  switch (v.type.kind) {
    case 'list':
    case 'set':
    case 'tuple':
      return applyToSequence(d, v);
    case 'object':
    case 'map':
      return applyToMembers(d, v);
    default:
      return v;
  }
}

function childOf(d: Defaults, key: string | number): Defaults | undefined {
  const isStructural = typeof key === 'number' ? d.type.kind === 'tuple' : d.type.kind === 'object';
  return d.children?.get(isStructural ? String(key) : '');
}

function applyToSequence(d: Defaults, v: Value): Value {
  const values = v.elements().map((element, i) => {
    const child = childOf(d, i);
    return child === undefined ? element : applyDefaults(child, element);
  });
  if (v.type.kind === 'tuple') return tuple(values);
  if (values.length === 0) return v;
  const unified = unifyAll(values);
  if (unified === undefined) return tuple(values);
  return v.type.kind === 'set'
    ? set(unified.type, unified.values)
    : list(unified.type, unified.values);
}

function applyToMembers(d: Defaults, v: Value): Value {
  const members = new Map<string, Value>();
  for (const [key, element] of v.entries()) {
    const name = key.asString();
    const child = childOf(d, name);
    members.set(name, child === undefined ? element : applyDefaults(child, element));
  }
  for (const [name, fallback] of d.values ?? []) {
    const member = members.get(name);
    if (member !== undefined && !member.isNull) {
      if (definitelyNotNull(fallback.unmark())) members.set(name, refineNotNull(member));
      continue;
    }
    const child = d.children?.get(name);
    members.set(name, child === undefined ? fallback : applyDefaults(child, fallback));
  }
  if (v.type.kind === 'object') return object(members);
  if (members.size === 0) return v;
  const names = [...members.keys()];
  const unified = unifyAll([...members.values()]);
  if (unified === undefined) return object(members);
  return map(
    unified.type,
    unified.values.map((value, i) => [names[i] as string, value] as const),
  );
}

/** Converts values to a common type; undefined if there is none or a conversion fails. */
function unifyAll(
  values: readonly Value[],
): { readonly type: Type; readonly values: readonly Value[] } | undefined {
  const type = unify(
    values.map((v) => v.type),
    true,
  );
  if (type === undefined || type === DYNAMIC) return undefined;
  try {
    return { type, values: values.map((v) => convert(v, type)) };
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}
