import type { ProviderSource } from '@terrane/addresses';
import { type Configuration, providersRequired, type State } from '@terrane/engine';
import type { Range } from '@terrane/hcl';

/** Requirements for a provider. */
export interface ProviderRequirement {
  /** the constraints as written */
  readonly constraints: readonly string[];
  /** the source range of each constraint */
  readonly ranges: readonly (Range | undefined)[];
  /** the host is written in the configuration */
  readonly explicitHost: boolean;
  /** the configuration needs it, and not only the state */
  readonly configured: boolean;
}

/** Returns the requirements of a configuration and a state, sorted by address. */
export function requirementsOf(
  configuration: Configuration | undefined,
  state: State | undefined,
): ReadonlyMap<ProviderSource, ProviderRequirement> {
  const required = new Map<ProviderSource, ProviderRequirement>();
  if (configuration !== undefined) {
    for (const [source, needed] of providersRequired(configuration)) {
      required.set(source, { ...needed, configured: true });
    }
  }
  for (const source of state === undefined ? [] : providersOfState(state)) {
    if (required.has(source)) continue;
    required.set(source, {
      constraints: [],
      ranges: [],
      explicitHost: false,
      configured: false,
    });
  }
  return new Map([...required].sort(([a], [b]) => (a.text < b.text ? -1 : 1)));
}

/** Returns the providers that are referred to in a configuration or a state: only these are started. */
export function providersInUse(
  configuration: Configuration,
  state?: State,
): ReadonlySet<ProviderSource> {
  const sources = new Set(state === undefined ? [] : providersOfState(state));
  for (const { resources, actions, imports } of configuration.modules.values()) {
    for (const { provider } of resources.values()) sources.add(provider);
    for (const { provider } of actions.values()) sources.add(provider);
    for (const { provider } of imports) sources.add(provider);
  }
  return sources;
}

/** Returns the providers of the objects in a state. */
export function providersOfState(state: State): ReadonlySet<ProviderSource> {
  const sources = new Set<ProviderSource>();
  for (const resource of state.resources()) {
    const provider = state.resourceProvider(resource);
    if (provider !== undefined) sources.add(provider.provider);
  }
  return sources;
}
