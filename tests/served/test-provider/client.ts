import { withClient } from '@terrane/provider/sdk';
import type { Definers } from '@terrane/provider/sdk';
import type { Store } from './store.ts';

/** The configuration of the provider. */
export interface Client {
  readonly store: Store;
  readonly region: string;
}

/** The `provider_meta` of modules. */
export type Meta = { readonly module: string | null } | null;

/** Definitions with the client type of this provider. */
export const ofClient: Definers<Client, Meta> = withClient<Client, Meta>();

/** Returns the suffix of notes. */
export function metaText(meta: Meta): string {
  return meta?.module == null ? '' : ` for ${meta.module}`;
}
