import type { Awaitable } from '../contract.ts';
import type { Action } from './action.ts';
import type { DataSource } from './data-source.ts';
import type { EphemeralResource } from './ephemeral-resource.ts';
import type { ErasedObject } from './erased.ts';
import type { ProviderFunction } from './function.ts';
import type { Findings } from './handler-types.ts';
import type { Log } from './log.ts';
import type { ContractResource } from './contract-resource.ts';
import type { Deferral } from './outcomes.ts';
import type { Names, ObjectOptions, Resource } from './resource.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { StateStoreDefinition } from './state-store.ts';
import type { ConfigOf, StateOf } from './views.ts';

/** Context of the handler that configures a provider. */
export interface ConfigureContext<A, B> extends Findings<StateOf<A, B>> {
  /** the configuration of the provider block; while planning, parts of it may be unknown */
  readonly config: ConfigOf<A, B>;
  /** version of Terraform that the caller implements */
  readonly terraformVersion: string;
  readonly log: Log;
}

/**
 * Resource types, data sources, functions and other parts of a provider. `C`: the client that every handler receives.
 */
export interface Offers<C> {
  /** arguments of `provider_meta` blocks, with which modules pass values to the provider */
  readonly providerMeta?: { readonly attributes: Attributes };
  readonly resources?: Readonly<Record<string, Resource<C> | ContractResource<C>>>;
  readonly dataSources?: Readonly<Record<string, DataSource<C>>>;
  readonly ephemeralResources?: Readonly<Record<string, EphemeralResource<C>>>;
  readonly actions?: Readonly<Record<string, Action<C>>>;
  /** state stores (Terraform 1.15, experimental) */
  readonly stateStores?: Readonly<Record<string, StateStoreDefinition<C>>>;
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
  /** false: only computes, so nothing is lost when it is interrupted; default true */
  readonly sideEffects?: boolean;
}

/** A provider whose handlers need no client. */
export interface PlainProviderOptions<
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
> extends Offers<unknown> {
  /** its own configuration; default: no arguments */
  readonly config?: ObjectOptions<A, B>;
  readonly configure?: undefined;
}

/** The client that `configure` returns. */
export type ClientOf<Made> = Exclude<Awaited<Made>, Deferral>;

/** A provider whose handlers need a client. `Made`: the result of `configure`. */
export interface ProviderOptions<
  Made,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
> extends Offers<NoInfer<ClientOf<Made>>> {
  /** its own configuration; default: no arguments */
  readonly config?: ObjectOptions<A, B>;
  /** creates the client for handlers, or defers all operations that need it: see `deferred` */
  readonly configure: (context: ConfigureContext<A, B>) => Made;
  /** releases the resources of `configure` */
  readonly close?: (client: NoInfer<ClientOf<Made>>) => Awaitable<void>;
}

/** A provider with any type arguments. */
export interface ErasedProvider {
  readonly config?: ErasedObject;
  readonly providerMeta?: { readonly attributes: Attributes };
  readonly configure?: (context: object) => unknown;
  readonly close?: (client: unknown) => Awaitable<void>;
  readonly resources?: Readonly<Record<string, Resource<never> | ContractResource<never>>>;
  readonly dataSources?: Readonly<Record<string, DataSource<never>>>;
  readonly ephemeralResources?: Readonly<Record<string, EphemeralResource<never>>>;
  readonly actions?: Readonly<Record<string, Action<never>>>;
  readonly stateStores?: Readonly<Record<string, StateStoreDefinition<never>>>;
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
  readonly sideEffects?: boolean;
}
