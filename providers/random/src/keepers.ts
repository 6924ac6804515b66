import { mapType, STRING } from '@terrane/cty';
import { replaceIfMapValuesChange, requiresReplace } from '@terrane/provider';
import type { AttributeDefinition } from '@terrane/provider';

const plain: AttributeDefinition = {
  type: mapType(STRING),
  optional: true,
  description:
    'Arbitrary map of values that, when changed, will trigger recreation of resource. See [the main provider documentation](../index.html) for more information.',
};

/** The argument that nearly every resource has. */
export const KEEPERS: AttributeDefinition = { ...plain, modifiers: [replaceIfMapValuesChange] };

/** Keepers of a resource that is younger than the rule about nulls. */
export const STRICT_KEEPERS: AttributeDefinition = { ...plain, modifiers: [requiresReplace] };
