import type { Path } from '@terrane/cty';
import type { Awaitable, ProviderDiagnostic } from '../contract.ts';
import type { Json } from './json-value.ts';
import type { Log } from './log.ts';
import type { PathIn } from './views.ts';

/** Collects diagnostics of a request while it is handled. `S`: the object as stored, for paths. */
export interface Findings<S> {
  /** adds a warning; `at`: the argument that it is about */
  readonly warn: (summary: string, detail?: string, at?: PathIn<S>) => void;
  /**
   * adds an error and goes on, to say several at once. With a state returned all the same the object
   * counts as created (and damaged) or updated. See `ProviderError` for errors that end a handler.
   */
  readonly error: (summary: string, detail?: string, at?: PathIn<S>) => void;
  /** adds diagnostics that were made elsewhere */
  readonly report: (diagnostics: readonly ProviderDiagnostic[]) => void;
  /** a place in the object, for `ProviderError` and diagnostics */
  readonly pathTo: (at: PathIn<S>) => Path;
}

/** Context of every handler of a configured provider. `C`: what `configure` made. */
export interface HandlerContext<C, S> extends Findings<S> {
  readonly client: C;
  readonly log: Log;
  /** aborted when the run is to end */
  readonly signal: AbortSignal;
}

/** Access to the private data that a provider stores with an object; users do not see it. */
export interface PrivateAccess<P> {
  readonly private: Readonly<Partial<P>>;
  /** changes some of it; undefined drops an entry */
  readonly setPrivate: (changes: { readonly [K in keyof P]?: P[K] | undefined }) => void;
}

declare const kept: unique symbol;

/** Declares the type of private data; see `privateData`. */
export interface PrivateData<P> {
  readonly kind: 'private';
  readonly [kept]?: P;
}

/**
 * The type of what a resource keeps for itself with each object, as JSON:
 * `private: privateData<{ etag: string }>()`.
 */
export function privateData<P extends Readonly<Record<string, Json>>>(): PrivateData<P> {
  return { kind: 'private' };
}

/** The return type of a handler without a result, or a promise of it. */
export type Nothing = Awaitable<void | undefined>;
