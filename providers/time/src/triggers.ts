import { map, nullable, string } from '@terrane/provider/sdk';
import type { AttributeOf, MapOf } from '@terrane/provider/sdk';

/** The `triggers` argument, whose change replaces a resource. */
export function triggers(description: string): AttributeOf<MapOf<string | null>, 'optional'> {
  return map(nullable(string), { optional: true, description, requiresReplace: true });
}

/** The triggers of imported resources. */
export const NO_TRIGGERS: Readonly<Record<string, string>> = {};
