// Shared code of the resource types: their objects are stored by name.
import { gone } from '@terrane/provider/sdk';
import type { Gone, Json } from '@terrane/provider/sdk';
import { metaText } from './client.ts';
import type { Client, Meta } from './client.ts';

type Kept = { readonly name: string; readonly [name: string]: Json };

interface Around {
  readonly client: Client;
  readonly providerMeta: Meta;
}

/** The identifier of an object. */
export function idOf(type: string, name: string): string {
  return `${type.slice(6)}/${name}`;
}

/** Keeps an object that was made or changed. */
export function keep<S extends Kept>(type: string, state: S, around: Around, isNew: boolean): S {
  const { client, providerMeta } = around;
  client.store.putObject(type, state.name, state);
  client.store.note(
    `${isNew ? 'create' : 'update'} ${type} ${state.name}${metaText(providerMeta)}`,
  );
  return state;
}

/** The object as it is kept. */
export function look<S extends Kept>(type: string, { name }: S, { client }: Around): S | Gone {
  // The stored value was an object of the type.
  return (client.store.getObject(type, name) as S | undefined) ?? gone;
}

/** Keeps an object no longer. */
export function drop(type: string, { name }: Kept, { client, providerMeta }: Around): void {
  client.store.remove(type, name);
  client.store.note(`delete ${type} ${name}${metaText(providerMeta)}`);
}
