import { withClient } from '@terrane/provider/sdk';
import type { Definers } from '@terrane/provider/sdk';
import type { Store } from './store.ts';

/** What the provider is configured to be. */
export interface Client {
  readonly store: Store;
  readonly region: string;
}

/** What modules say to the provider. */
export type Meta = { readonly module: string | null } | null;

/** What the resource types of the provider are defined with. */
export const ofClient: Definers<Client, Meta> = withClient<Client, Meta>();

/** How it appears at the end of notes. */
export function metaText(meta: Meta): string {
  return meta?.module == null ? '' : ` for ${meta.module}`;
}
