import type { Awaitable, ProviderDiagnostic } from '../contract.ts';
import type { HandlerContext } from './handler-types.ts';
import type { Attributes } from './schema-types.ts';
import type { ConfigOf, StateOf, WrittenOf } from './views.ts';

/** Context of the handler that lists objects. */
export interface ListContext<C, L> extends Omit<
  HandlerContext<C, StateOf<L>>,
  'warn' | 'error' | 'report'
> {
  readonly config: WrittenOf<L>;
  /** the maximum number of objects */
  readonly limit: number | undefined;
  /** true if `resource` is requested with each object */
  readonly includeResource: boolean;
}

/** An object that was found. */
export interface ListedObject<S, I> {
  readonly identity: I;
  /** display name for users */
  readonly displayName: string;
  /** the object as it would be stored */
  readonly resource?: S;
  readonly diagnostics?: readonly ProviderDiagnostic[];
}

/** Options of a list resource. `L`: arguments of the query. */
export interface ListOptions<C, L extends Attributes, S, I> {
  readonly description?: string;
  readonly attributes?: L;
  readonly validate?: (context: {
    readonly config: ConfigOf<L>;
  }) => Awaitable<void | undefined | readonly ProviderDiagnostic[]>;
  /** yields the objects as they are found: usually an `async *list(…)` */
  readonly list: (context: ListContext<C, L>) => AsyncIterable<ListedObject<S, I>>;
}
