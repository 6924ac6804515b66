import type { Awaitable } from '../contract.ts';
import type { ErasedAction } from './erased.ts';
import type { HandlerContext, Nothing } from './handler-types.ts';
import type { Deferral } from './outcomes.ts';
import type { Names, ObjectOptions } from './resource.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { ConfigOf, StateOf, WrittenOf } from './views.ts';

declare const configuredBy: unique symbol;

/** Context of the handler that plans an action. */
export interface PlanActionContext<C, A, B> extends HandlerContext<C, StateOf<A, B>> {
  /** parts of it may be unknown */
  readonly config: ConfigOf<A, B>;
}

/** Context of the handler that invokes an action. */
export interface InvokeContext<C, A, B> extends HandlerContext<C, StateOf<A, B>> {
  readonly config: WrittenOf<A, B>;
  /** reports progress to users */
  readonly progress: (message: string) => void;
}

/** An action: an operation that creates no object. */
export interface ActionOptions<
  C,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
> extends ObjectOptions<A, B> {
  /** validates the configuration before the invocation */
  readonly plan?: (context: PlanActionContext<C, A, B>) => Awaitable<void | undefined | Deferral>;
  readonly invoke: (context: InvokeContext<C, A, B>) => Nothing;
}

/** An action of a provider whose handlers need a client of type `C`. */
export interface Action<C = unknown> {
  readonly kind: 'action';
  readonly options: ErasedAction;
  readonly [configuredBy]?: (client: C) => void;
}

/** Defines actions whose handlers receive a client of type `C`. */
export type DefineAction<C> = <A extends Attributes<Names<A> | Names<B>>, B extends Blocks = {}>(
  options: ActionOptions<C, A, B>,
) => Action<C>;

/** Defines an action. See `withClient` for handlers that need a client. */
export const action: DefineAction<unknown> = (options) => actionOf(options);

/** Returns an action from its options, whose types have been checked. */
export function actionOf<C>(options: object): Action<C> {
  return { kind: 'action', options: options as ErasedAction };
}
