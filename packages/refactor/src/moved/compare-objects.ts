import { equal, type Value, valueToJson } from '@terrane/cty';

/** The comparison of a planned object with an existing one. */
export interface Comparison {
  /** attributes with equal, known, non-null values */
  readonly equal: readonly string[];
  /** attributes whose known values differ */
  readonly different: readonly string[];
}

/** Compares the known attributes of a planned object with those of an existing one; unknown ones are left out. */
export function compareObjects(planned: Value, existing: Value): Comparison {
  const after = planned.unmarkDeep().value;
  const before = existing.unmarkDeep().value;
  const same: string[] = [];
  const different: string[] = [];
  if (after.isNull || !after.isKnown || before.isNull || !before.isKnown) {
    return { equal: same, different };
  }
  for (const [key, value] of after.entries()) {
    const name = key.asString();
    const other = before.get(name);
    if (!value.isKnown) continue;
    if (other === undefined || !agrees(value, other)) different.push(name);
    else if (!value.isNull) same.push(name);
  }
  return { equal: same, different };
}

/** Returns the wholly known attributes of a planned object, and a function that formats their values for comparison. */
export function knownSignature(planned: Value): {
  readonly names: readonly string[];
  readonly of: (object: Value) => string;
} {
  const after = planned.unmarkDeep().value;
  const names: string[] = [];
  if (after.isKnown && !after.isNull) {
    for (const [key, value] of after.entries()) {
      if (value.isWhollyKnown()) names.push(key.asString());
    }
  }
  return {
    names,
    of(object) {
      const value = object.unmarkDeep().value;
      return names.map((name) => textOf(value.get(name))).join('\u0000');
    },
  };
}

/** Returns true if the known parts of a planned value are those of an existing one. */
function agrees(planned: Value, existing: Value): boolean {
  if (!planned.isKnown) return true;
  if (planned.isNull || existing.isNull || !existing.isKnown)
    return planned.isNull && existing.isNull;
  if (planned.isWhollyKnown()) return isEqual(planned, existing);
  // The elements of sets cannot be matched while parts of them are unknown.
  if (planned.type.kind === 'set') return true;
  const [left, right] = [[...planned.entries()], [...existing.entries()]];
  return (
    left.length === right.length &&
    left.every(([key, value], at) => {
      const other = right[at];
      return other !== undefined && isEqual(key, other[0]) && agrees(value, other[1]);
    })
  );
}

function isEqual(a: Value, b: Value): boolean {
  const result = equal(a, b);
  return result.isKnown && !result.isNull && result.asBool();
}

function textOf(value: Value | undefined): string {
  if (value === undefined || !value.isWhollyKnown()) return '';
  return value.isNull ? 'null' : valueToJson(value, value.type);
}
