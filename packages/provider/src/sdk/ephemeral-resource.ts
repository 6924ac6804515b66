import type { ErasedEphemeral } from './erased.ts';
import type { HandlerContext, Nothing, PrivateAccess, PrivateData } from './handler-types.ts';
import type { Deferral } from './outcomes.ts';
import type { Names, ObjectOptions } from './resource.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { Answer, ResultOf, StateOf, WrittenOf } from './views.ts';

declare const configuredBy: unique symbol;

/** Context of the handler that opens an ephemeral object. */
export interface OpenContext<C, A, B, P>
  extends HandlerContext<C, StateOf<A, B>>, PrivateAccess<P> {
  readonly config: WrittenOf<A, B>;
  /** when it has to be renewed; never, unless this is called */
  readonly renewAt: (moment: Date) => void;
}

/** Context of the handler that renews an ephemeral object. */
export interface RenewContext<C, P> extends HandlerContext<C, never>, PrivateAccess<P> {
  /** when it has to be renewed again; never, unless this is called */
  readonly renewAt: (moment: Date) => void;
}

/** Context of the handler that closes an ephemeral object. */
export interface CloseContext<C, P> extends HandlerContext<C, never> {
  readonly private: Readonly<Partial<P>>;
}

/** An ephemeral resource: its values are used in a run and stored nowhere. */
export interface EphemeralOptions<
  C,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
  P,
  Open,
> extends ObjectOptions<A, B> {
  readonly private?: PrivateData<P>;
  readonly open: (
    context: OpenContext<C, A, B, P>,
  ) => Open & Answer<Open, ResultOf<A, B>, Deferral>;
  /** called at the time that opening or the last renewal named */
  readonly renew?: (context: RenewContext<C, P>) => Nothing;
  /** called once after the last use of the object */
  readonly close?: (context: CloseContext<C, P>) => Nothing;
}

/** An ephemeral resource of a provider whose handlers need a client of type `C`. */
export interface EphemeralResource<C = unknown> {
  readonly kind: 'ephemeral resource';
  readonly options: ErasedEphemeral;
  readonly [configuredBy]?: (client: C) => void;
}

/** Defines ephemeral resources whose handlers receive a client of type `C`. */
export type DefineEphemeralResource<C> = <
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks = {},
  P = {},
  const Open = ResultOf<A, B>,
>(
  options: EphemeralOptions<C, A, B, P, Open>,
) => EphemeralResource<C>;

/** Defines an ephemeral resource. See `withClient` for handlers that need a client. */
export const ephemeralResource: DefineEphemeralResource<unknown> = (options) =>
  ephemeralResourceOf(options);

/** Returns an ephemeral resource from its options, whose types have been checked. */
export function ephemeralResourceOf<C>(options: object): EphemeralResource<C> {
  return { kind: 'ephemeral resource', options: options as ErasedEphemeral };
}
