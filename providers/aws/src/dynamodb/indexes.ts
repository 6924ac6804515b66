import type {
  GlobalSecondaryIndex,
  GlobalSecondaryIndexDescription,
  GlobalSecondaryIndexUpdate,
  KeySchemaElement,
  LocalSecondaryIndex,
  LocalSecondaryIndexDescription,
  Projection,
  ProjectionType,
} from '@aws-sdk/client-dynamodb';
import type { LooseObject } from '../resource/loose.ts';
import {
  type OnDemandArguments,
  onDemandOf,
  provisionedOf,
  type WarmArguments,
  warmOf,
} from './throughput.ts';
import { enumOf } from '../resource/enum-of.ts';

/** A global index as users write it. Computed values may be unknown (`N`, `D`, `W`). */
export interface GlobalIndex<N = unknown, D = object, W = object> {
  readonly name: string;
  readonly hash_key: string;
  readonly range_key: string | null;
  readonly projection_type: string;
  readonly non_key_attributes: readonly string[] | null;
  readonly read_capacity: N;
  readonly write_capacity: N;
  readonly on_demand_throughput: readonly D[];
  readonly warm_throughput: readonly W[];
}

/** A local index as users write it. */
export interface LocalIndex {
  readonly name: string;
  readonly range_key: string;
  readonly projection_type: string;
  readonly non_key_attributes: readonly string[] | null;
}

/** The keys of a table or an index. */
export function keySchema(hash: string, range: string | null | undefined): KeySchemaElement[] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    ...((range ?? '') === ''
      ? []
      : [{ AttributeName: range ?? '', KeyType: 'RANGE' } satisfies KeySchemaElement]),
  ];
}

/** The name of a key of a table or an index. */
export function keyOf(keys: readonly KeySchemaElement[] = [], type: 'HASH' | 'RANGE'): string {
  return keys.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
}

/** A global index as the service has it. */
export function globalIndex(index: GlobalIndex, billing: string): GlobalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.hash_key, index.range_key),
    Projection: projectionOf(index),
    ...provisionedOf(index, billing),
    ...onDemandOf(index.on_demand_throughput),
    ...warmOf(index.warm_throughput),
  };
}

/** A local index as the service has it. */
export function localIndex(index: LocalIndex, hash: string): LocalSecondaryIndex {
  return {
    IndexName: index.name,
    KeySchema: keySchema(hash, index.range_key),
    Projection: projectionOf(index),
  };
}

/** The arguments of a global index, with throughputs where they are written. */
export function globalArguments(
  description: GlobalSecondaryIndexDescription,
  before: readonly GlobalIndex[],
): LooseObject<GlobalIndex<number, OnDemandArguments, WarmArguments>> {
  const configured = before.find(({ name }) => name === description.IndexName);
  const { OnDemandThroughput: onDemand, WarmThroughput: warm } = description;
  return {
    name: description.IndexName,
    hash_key: keyOf(description.KeySchema, 'HASH'),
    range_key: keyOf(description.KeySchema, 'RANGE'),
    projection_type: description.Projection?.ProjectionType,
    non_key_attributes: description.Projection?.NonKeyAttributes ?? [],
    read_capacity: description.ProvisionedThroughput?.ReadCapacityUnits ?? 0,
    write_capacity: description.ProvisionedThroughput?.WriteCapacityUnits ?? 0,
    on_demand_throughput:
      onDemand && (configured?.on_demand_throughput.length ?? 0) > 0
        ? [
            {
              max_read_request_units: onDemand.MaxReadRequestUnits ?? 0,
              max_write_request_units: onDemand.MaxWriteRequestUnits ?? 0,
            },
          ]
        : [],
    warm_throughput:
      warm && (configured?.warm_throughput.length ?? 0) > 0
        ? [
            {
              read_units_per_second: warm.ReadUnitsPerSecond ?? 0,
              write_units_per_second: warm.WriteUnitsPerSecond ?? 0,
            },
          ]
        : [],
  };
}

/** The arguments of a local index. */
export function localArguments(
  description: LocalSecondaryIndexDescription,
): LooseObject<LocalIndex> {
  return {
    name: description.IndexName,
    range_key: keyOf(description.KeySchema, 'RANGE'),
    projection_type: description.Projection?.ProjectionType,
    non_key_attributes: description.Projection?.NonKeyAttributes ?? [],
  };
}

/**
 * Changes of the global indexes of a table, in the order in which they have to be requested. Only the throughput of an
 * index can be updated; other changes recreate it.
 */
export interface IndexChanges {
  readonly deleted: readonly string[];
  /** in the request that updates the table */
  readonly updated: readonly GlobalSecondaryIndexUpdate[];
  /** each in a separate request: warm throughput cannot be combined with other updates */
  readonly warmed: readonly GlobalSecondaryIndexUpdate[];
  readonly created: readonly GlobalSecondaryIndex[];
}

/** Computes the changes from the prior to the planned global indexes. */
export function indexChanges(
  before: readonly GlobalIndex[],
  after: readonly GlobalIndex[],
  billing: string,
): IndexChanges {
  const old = new Map(before.map((index) => [index.name, index]));
  const desired = new Map(after.map((index) => [index.name, index]));
  const isOther = (index: GlobalIndex): boolean => {
    const previous = old.get(index.name);
    return (
      previous === undefined || shapeOf(previous) !== shapeOf(index) || isCooled(previous, index)
    );
  };
  const remaining = after.filter((index) => !isOther(index));
  return {
    deleted: before
      .filter(({ name }) => {
        const next = desired.get(name);
        return next === undefined || isOther(next);
      })
      .map(({ name }) => name),
    updated: updates(remaining, old, (index) => ({
      ...provisionedOf(index, billing),
      ...onDemandOf(index.on_demand_throughput),
    })),
    warmed: updates(remaining, old, (index) => warmOf(index.warm_throughput)),
    created: after.filter(isOther).map((index) => globalIndex(index, billing)),
  };
}

/** Returns an update for each index whose values changed, unless all were removed. */
function updates(
  indexes: readonly GlobalIndex[],
  old: ReadonlyMap<string, GlobalIndex>,
  valuesOf: (index: GlobalIndex) => object,
): GlobalSecondaryIndexUpdate[] {
  return indexes.flatMap((index) => {
    const previous = old.get(index.name);
    const values = valuesOf(index);
    const isSame =
      previous !== undefined && JSON.stringify(valuesOf(previous)) === JSON.stringify(values);
    if (isSame || Object.keys(values).length === 0) return [];
    return [{ Update: { IndexName: index.name, ...values } }];
  });
}

/** Tests whether warm throughput decreases, which DynamoDB does not support for an existing index. */
function isCooled(was: GlobalIndex, index: GlobalIndex): boolean {
  const [before, after] = [was, index].map((each) => warmOf(each.warm_throughput).WarmThroughput);
  if (before === undefined || after === undefined) return false;
  return (['ReadUnitsPerSecond', 'WriteUnitsPerSecond'] as const).some(
    (unit) => (after[unit] ?? 0) < (before[unit] ?? 0),
  );
}

/** The properties of an index that cannot be updated, as text. */
function shapeOf(index: GlobalIndex): string {
  const others = (index.non_key_attributes ?? []).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return JSON.stringify([index.hash_key, index.range_key ?? '', index.projection_type, others]);
}

function projectionOf(index: {
  readonly projection_type: string;
  readonly non_key_attributes: readonly string[] | null;
}): Projection {
  const others = index.non_key_attributes ?? [];
  return {
    // It has been validated.
    ProjectionType: enumOf<ProjectionType>(index.projection_type),
    ...(others.length > 0 && { NonKeyAttributes: [...others] }),
  };
}
