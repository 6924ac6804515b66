import { actionOf } from './action.ts';
import type { DefineAction } from './action.ts';
import { dataSourceOf } from './data-source.ts';
import type { DefineDataSource } from './data-source.ts';
import { ephemeralResourceOf } from './ephemeral-resource.ts';
import type { DefineEphemeralResource } from './ephemeral-resource.ts';
import { resourceOf } from './resource.ts';
import type { DefineResource } from './resource.ts';
import { stateStoreOf } from './state-store.ts';
import type { DefineStateStore } from './state-store.ts';

/** The functions that define the parts of a provider whose handlers need a client. */
export interface Definers<C, M> {
  readonly resource: DefineResource<C, M>;
  readonly dataSource: DefineDataSource<C, M>;
  readonly ephemeralResource: DefineEphemeralResource<C>;
  readonly action: DefineAction<C>;
  readonly stateStore: DefineStateStore<C>;
}

/**
 * Returns the functions that define the parts of a provider, for handlers with a client of type `C`, which the
 * provider's `configure` creates. `M` is the type of the values in `provider_meta` blocks.
 *
 * ```ts
 * const { resource, dataSource } = withClient<Api>();
 * ```
 */
export function withClient<C, M = null>(): Definers<C, M> {
  return {
    resource: (options) => resourceOf(options),
    dataSource: (options) => dataSourceOf<C>(options),
    ephemeralResource: (options) => ephemeralResourceOf<C>(options),
    action: (options) => actionOf<C>(options),
    stateStore: (options) => stateStoreOf<C>(options),
  };
}
