import type { Value } from '@terrane/cty';
import type { Expression } from '../model.ts';

/** The value of an expression that is a constant or a string without sequences, else undefined. */
export function literalIndexKey(key: Expression): Value | undefined {
  if (key.kind === 'literal') {
    return key.value;
  }
  if (key.kind === 'template' && key.parts.length === 1) {
    const part = key.parts[0];
    return part?.kind === 'literal' ? part.value : undefined;
  }
  return undefined;
}
