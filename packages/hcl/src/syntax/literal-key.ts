import type { Value } from '@terrane/cty';
import type { Expression } from '../model.ts';

/** Returns the value of a constant or of a string without sequences, otherwise undefined. */
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
