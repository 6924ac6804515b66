import { map, mapType, STRING } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import { requiresReplace } from '@terrane/provider';
import type { AttributeDefinition } from '@terrane/provider';

/** The argument whose change makes a resource anew. */
export function triggers(description: string): AttributeDefinition {
  return {
    type: mapType(STRING),
    optional: true,
    description,
    modifiers: [requiresReplace],
  };
}

/** What imported resources have as triggers. */
export const NO_TRIGGERS: Value = map(STRING, []);
