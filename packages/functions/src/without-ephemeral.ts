import { internMarks, nullOf, transform, unknownOf, type Value } from '@terrane/cty';

/** A value with null in place of what is ephemeral in it, and unknown values where that is unknown. */
export function withoutEphemeral(input: Value): Value {
  if (!input.hasMarkDeep('ephemeral')) return input;
  return transform(input, (_path, value) => {
    if (!value.hasMark('ephemeral')) return value;
    const marks = [...value.marks].filter((mark) => mark !== 'ephemeral');
    // What is unknown stays so: its final type may be more precise than that of a null now.
    const replacement = value.isKnown ? nullOf(value.type) : unknownOf(value.type);
    return replacement.withMarks(internMarks(new Set(marks)));
  });
}
