import { map, nullable, replaceIfMapValuesChange, string } from '@terrane/provider/sdk';
import type { AttributeOf, MapOf } from '@terrane/provider/sdk';

/** The argument that nearly every resource has. */
export type Keepers = AttributeOf<MapOf<string | null>, 'optional'>;

const description =
  'Arbitrary map of values that, when changed, will trigger recreation of resource. See [the main provider documentation](../index.html) for more information.';

/** The keepers of most resources. */
export const KEEPERS: Keepers = map(nullable(string), {
  optional: true,
  description,
  planModifiers: [replaceIfMapValuesChange],
});

/** Keepers of a resource that is younger than the rule about nulls. */
export const STRICT_KEEPERS: Keepers = map(nullable(string), {
  optional: true,
  description,
  requiresReplace: true,
});
