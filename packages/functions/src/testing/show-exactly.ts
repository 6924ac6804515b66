import { formatNumber, typeToJson, type Num, type Refinement, type Value } from '@terrane/cty';

/**
 * Returns a value in the format of the oracle program (recorded/oracle/main.go): JSON data that shows unknown values,
 * their refinements, marks and all digits of numbers. Maps and objects are wrapped in `{"{}": …}`.
 */
export function showExactly(value: Value): unknown {
  if (!value.isMarked) return showPlain(value);
  const marks = [...value.marks].map((mark) => (typeof mark === 'string' ? mark : mark.kind));
  return { marks: marks.sort(), of: showPlain(value.unmark()) };
}

/** The type as the oracle writes it. */
export function showType(value: Value): unknown {
  return value.type.kind === 'capsule' ? value.type.name : typeToJson(value.type);
}

function showPlain(value: Value): unknown {
  if (!value.isKnown) return { unknown: showRefinement(value.refinement ?? {}) };
  if (value.isNull) return null;
  switch (value.type.kind) {
    case 'string':
      return value.asString();
    case 'bool':
      return value.asBool();
    case 'number':
      return showNumber(value.asNum());
    case 'map':
    case 'object':
      return {
        '{}': Object.fromEntries(
          [...value.entries()].map(([key, element]) => [key.asString(), showExactly(element)]),
        ),
      };
    case 'list':
    case 'set':
    case 'tuple':
      return value.elements().map(showExactly);
    default:
      return value.type.kind;
  }
}

function showNumber(n: Num): unknown {
  if (typeof n === 'number' && Number.isSafeInteger(n)) return n;
  const text = formatNumber(n);
  if (text === 'Infinity') return { '#': '+Inf' };
  return { '#': text === '-Infinity' ? '-Inf' : text };
}

function showRefinement(refinement: Refinement): unknown {
  const { notNull, prefix, min, max, minLength, maxLength } = refinement;
  return {
    ...(max === undefined ? {} : { max: [showNumber(max.value), max.inclusive] }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { min: [showNumber(min.value), min.inclusive] }),
    ...(minLength === undefined || minLength === 0 ? {} : { minLength }),
    ...(notNull === true ? { notNull } : {}),
    ...(prefix === undefined || prefix === '' ? {} : { prefix }),
  };
}
