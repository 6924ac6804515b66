import { internMarks, nullOf, transform, unknownOf, type Value } from '@terrane/cty';

/** Replaces ephemeral parts of a value with null, or with unknown values if they are unknown. */
export function withoutEphemeral(input: Value): Value {
  if (!input.hasMarkDeep('ephemeral')) return input;
  return transform(input, (_path, value) => {
    if (!value.hasMark('ephemeral')) return value;
    const marks = [...value.marks].filter((mark) => mark !== 'ephemeral');
    // Unknown values remain unknown: their final type may be more precise than that of a null.
    const replacement = value.isKnown ? nullOf(value.type) : unknownOf(value.type);
    return replacement.withMarks(internMarks(new Set(marks)));
  });
}
