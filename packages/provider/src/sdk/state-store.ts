import type { Awaitable } from '../contract.ts';
import type { ErasedStateStore } from './erased.ts';
import type { HandlerContext, Nothing } from './handler-types.ts';
import type { Names, ObjectOptions } from './resource.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { StateOf, WrittenOf } from './views.ts';

declare const configuredBy: unique symbol;

/** Context of configuring a state store. `C`: the client that the provider's `configure` returned. */
export interface ConfigureStoreContext<C, A, B> extends HandlerContext<C, StateOf<A, B>> {
  readonly config: WrittenOf<A, B>;
}

/** Context of all other handlers of a state store. `S`: the result of its `configure`. */
export interface StoreContext<C, S> extends HandlerContext<C, never> {
  readonly store: S;
}

/** Context of handlers for one state. */
export interface OneStateContext<C, S> extends StoreContext<C, S> {
  /** which state: the name of a workspace */
  readonly stateId: string;
}

/** Lock operations of a state store. */
export interface StoreLocks<C, S> {
  /**
   * Locks a state for an operation ("plan", "apply", …) and returns the lock id. If the lock is held, throw a
   * `ProviderError` that names the holder and the time of the lock.
   */
  readonly lock: (
    context: OneStateContext<C, S> & { readonly operation: string },
  ) => Awaitable<string>;
  /** releases a lock; a lock that is not held or has another id is an error */
  readonly unlock: (context: OneStateContext<C, S> & { readonly lockId: string }) => Nothing;
}

/** A state store (Terraform 1.15, experimental). */
export interface StateStoreOptions<
  C,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
  S,
> extends ObjectOptions<A, B> {
  /** creates the store for the other handlers, such as the client of a bucket */
  readonly configure: (context: ConfigureStoreContext<C, A, B>) => Awaitable<S>;
  /** undefined: the state does not exist */
  readonly read: (context: OneStateContext<C, NoInfer<S>>) => Awaitable<Uint8Array | undefined>;
  /** stores a state atomically; `read` returns `bytes` from then on */
  readonly write: (
    context: OneStateContext<C, NoInfer<S>> & { readonly bytes: Uint8Array },
  ) => Nothing;
  /** the ids of all states */
  readonly list: (context: StoreContext<C, NoInfer<S>>) => Awaitable<readonly string[]>;
  readonly delete: (context: OneStateContext<C, NoInfer<S>>) => Nothing;
  /** default: states are not locked */
  readonly locks?: StoreLocks<C, NoInfer<S>>;
}

/** A state store of a provider whose handlers need a client of type `C`. */
export interface StateStoreDefinition<C = unknown> {
  readonly kind: 'state store';
  readonly options: ErasedStateStore;
  readonly [configuredBy]?: (client: C) => void;
}

/** Defines state stores whose handlers receive a client of type `C`. */
export type DefineStateStore<C> = <
  S,
  A extends Attributes<Names<A> | Names<B>> = {},
  B extends Blocks = {},
>(
  options: StateStoreOptions<C, A, B, S>,
) => StateStoreDefinition<C>;

/** Defines a state store. See `withClient` for handlers that need a client. */
export const stateStore: DefineStateStore<unknown> = (options) => stateStoreOf(options);

/** Returns a state store from its options, whose types have been checked. */
export function stateStoreOf<C>(options: object): StateStoreDefinition<C> {
  return { kind: 'state store', options: options as ErasedStateStore };
}
