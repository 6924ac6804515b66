import type { Awaitable } from '../contract.ts';
import type { Codec } from './codec.ts';
import type { Findings } from './handler-types.ts';
import type { Json } from './json-value.ts';
import type { Attributes, Blocks } from './schema-types.ts';
import { structCodec } from './struct-codec.ts';
import type { StateOf } from './views.ts';

/** Context of a state upgrade, in addition to the stored object. The client is not available. */
export type UpgradeContext = Pick<Findings<never>, 'warn' | 'error' | 'report'>;

/** Context of an upgrade of a state in flatmap form, in addition to that state. */
export interface FlatUpgradeContext extends UpgradeContext {
  /** schema version that it was stored in */
  readonly version: number;
}

/**
 * Converts a stored object of an older schema version to the current version: a function of its JSON, or of an object
 * of a described type (see `upgradeFrom`). It must not need other data.
 */
export type StateUpgrader<R> =
  | ((raw: Readonly<Record<string, Json>>, context: UpgradeContext) => Awaitable<R>)
  | TypedUpgrader<R>;

/** An upgrade from a described type. */
export interface TypedUpgrader<R> {
  readonly kind: 'upgrader';
  readonly codec: Codec;
  readonly upgrade: (state: never, context: UpgradeContext) => Awaitable<R>;
}

/** The arguments and blocks that an older version had. Which are required plays no part. */
export interface OlderSchema<A extends Attributes, B extends Blocks> {
  readonly attributes: A;
  readonly blocks?: B;
}

/** An upgrade of objects that were stored with an older schema. */
export function upgradeFrom<A extends Attributes, R, B extends Blocks = {}>(
  older: OlderSchema<A, B>,
  upgrade: (state: StateOf<A, B>, context: UpgradeContext) => Awaitable<R>,
): TypedUpgrader<R> {
  return { kind: 'upgrader', codec: structCodec(older.attributes, older.blocks ?? {}), upgrade };
}

/** Context of a move from another type, in addition to the source object. */
export interface MoveContext extends UpgradeContext {
  /** private data of the other provider */
  readonly private: Uint8Array | undefined;
  /** sets private data of the object */
  readonly setPrivate: (changes: Readonly<Record<string, Json>>) => void;
  /** address of the other provider, or of this one, and schema version that the object was stored in */
  readonly provider: string;
  readonly version: number;
}

/** Objects of another type that become objects of this one. */
export interface MoveSource<R> {
  readonly kind: 'move';
  readonly type: string;
  /** the end of the other provider's address ("hashicorp/null"); absent: any provider */
  readonly provider?: string;
  /** schema version that the object has to be stored in; absent: any */
  readonly version?: number;
  readonly codec: Codec;
  readonly move: (state: never, context: MoveContext) => Awaitable<R>;
}

/** Accepts objects of another type, of this provider or another one, in `moved` blocks. */
export function moveFrom<A extends Attributes, R, B extends Blocks = {}>(
  source: OlderSchema<A, B> & Pick<MoveSource<R>, 'type' | 'provider' | 'version'>,
  move: (state: StateOf<A, B>, context: MoveContext) => Awaitable<R>,
): MoveSource<R> {
  const { attributes, blocks, ...from } = source;
  return { kind: 'move', ...from, codec: structCodec(attributes, blocks ?? {}), move };
}
