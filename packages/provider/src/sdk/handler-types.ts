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
   * adds an error and continues, so that a handler can report several. If the handler still returns a state, the object
   * counts as created (and tainted) or updated. See `ProviderError` for errors that end a handler.
   */
  readonly error: (summary: string, detail?: string, at?: PathIn<S>) => void;
  /** adds existing diagnostics */
  readonly report: (diagnostics: readonly ProviderDiagnostic[]) => void;
  /** returns a path in the object, for `ProviderError` and diagnostics */
  readonly pathTo: (at: PathIn<S>) => Path;
}

/** Context of every handler of a configured provider. `C`: the client that `configure` returned. */
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
 * Declares the type of a resource's private data, stored as JSON with each object: `private: privateData<{ etag: string
 * }>()`.
 */
export function privateData<P extends Readonly<Record<string, Json>>>(): PrivateData<P> {
  return { kind: 'private' };
}

/** The return type of a handler without a result, or a promise of it. */
export type Nothing = Awaitable<void | undefined>;
