import type { ErasedDataSource } from './erased.ts';
import type { HandlerContext } from './handler-types.ts';
import type { Deferral } from './outcomes.ts';
import type { Names, ObjectOptions } from './resource.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import type { Answer, ResultOf, StateOf, WrittenOf } from './views.ts';

declare const configuredBy: unique symbol;

/** Context of the handler that reads a data source. */
export interface DataContext<C, M, A, B> extends HandlerContext<C, StateOf<A, B>> {
  readonly config: WrittenOf<A, B>;
  readonly timeout: number;
  readonly providerMeta: M;
  /** address of the data source in the configuration, `data.x.a[0]`; not available in plugins */
  readonly address: string | undefined;
}

/** A data source: its arguments, and `read`, which returns them with the computed attributes. */
export interface DataSourceOptions<
  C,
  M,
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks,
  Read,
> extends ObjectOptions<A, B> {
  readonly read: (
    context: DataContext<C, M, A, B>,
  ) => Read & Answer<Read, ResultOf<A, B>, Deferral>;
}

/** A data source of a provider whose handlers need a client of type `C`. */
export interface DataSource<C = unknown> {
  readonly kind: 'data source';
  readonly options: ErasedDataSource;
  readonly [configuredBy]?: (client: C) => void;
}

/** Defines data sources whose handlers receive a client of type `C` and provider meta of type `M`. */
export type DefineDataSource<C, M> = <
  A extends Attributes<Names<A> | Names<B>>,
  B extends Blocks = {},
  const Read = ResultOf<A, B>,
>(
  options: DataSourceOptions<C, M, A, B, Read>,
) => DataSource<C>;

/** Defines a data source. See `withClient` for handlers that need a client. */
export const dataSource: DefineDataSource<unknown, null> = (options) => dataSourceOf(options);

/** Returns a data source from its options, whose types have been checked. */
export function dataSourceOf<C>(options: object): DataSource<C> {
  return { kind: 'data source', options: options as ErasedDataSource };
}
