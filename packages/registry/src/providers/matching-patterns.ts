import type { ProviderSource } from '@terrane/addresses';
import type { InstallationFilter, ProviderPattern } from './installation.ts';

/** Returns true for a provider that an installation method handles. */
export type ProviderFilter = (source: ProviderSource) => boolean;

/** Returns true if a method applies to a provider: exclusion has precedence over inclusion. */
export function filterOf({ include = [], exclude = [] }: InstallationFilter): ProviderFilter {
  return (source) =>
    !exclude.some((pattern) => matches(pattern, source)) &&
    (include.length === 0 || include.some((pattern) => matches(pattern, source)));
}

function matches(pattern: ProviderPattern, source: ProviderSource): boolean {
  return (['hostname', 'namespace', 'type'] as const).every(
    (part) => pattern[part] === '*' || pattern[part] === source[part],
  );
}
