import type {
  Destination,
  ReplicationRule,
  ReplicationRuleFilter,
  ReplicationTimeValue,
  Tag,
} from '@aws-sdk/client-s3';
import { enumOf } from '../resource/enum-of.ts';
import {
  type Block,
  compact,
  list,
  many,
  number,
  firstBlock,
  record,
  text,
} from '../resource/block-values.ts';

/** Returns the replication rules of a request. */
export function requestedReplication(rules: readonly object[]): ReplicationRule[] {
  return rules.map(record).map((rule) => {
    const [filter] = many(rule['filter']);
    const criteria = firstBlock(rule['source_selection_criteria']);
    return {
      Destination: requestedDestination(firstBlock(rule['destination']) ?? {}),
      Status: enumOf<'Enabled'>(text(rule['status']) ?? ''),
      ...compact({
        ID: text(rule['id']),
        DeleteMarkerReplication: statusOf<'Enabled'>(rule['delete_marker_replication']),
        ExistingObjectReplication: statusOf<'Enabled'>(rule['existing_object_replication']),
        SourceSelectionCriteria:
          criteria &&
          compact({
            ReplicaModifications: statusOf<'Enabled'>(criteria['replica_modifications']),
            SseKmsEncryptedObjects: statusOf<'Enabled'>(criteria['sse_kms_encrypted_objects']),
          }),
      }),
      // A rule without a filter is one of the older kind, which has a prefix and no priority.
      ...(filter === undefined
        ? { Prefix: text(rule['prefix']) ?? '' }
        : { Filter: requestedFilter(filter), Priority: number(rule['priority']) ?? 0 }),
    };
  });
}

function requestedDestination(destination: Block): Destination {
  const [owner, key] = [
    firstBlock(destination['access_control_translation']),
    firstBlock(destination['encryption_configuration']),
  ];
  const [metrics, time] = [
    firstBlock(destination['metrics']),
    firstBlock(destination['replication_time']),
  ];
  return {
    Bucket: text(destination['bucket']),
    ...compact({
      Account: text(destination['account']),
      StorageClass: enumOf<'STANDARD'>(destination['storage_class']),
      AccessControlTranslation: owner && { Owner: enumOf<'Destination'>(owner['owner']) },
      EncryptionConfiguration: key && { ReplicaKmsKeyID: text(key['replica_kms_key_id']) },
      Metrics: metrics && {
        Status: enumOf<'Enabled'>(metrics['status']),
        ...compact({ EventThreshold: requestedTime(metrics['event_threshold']) }),
      },
      ReplicationTime: time && {
        Status: enumOf<'Enabled'>(time['status']),
        Time: requestedTime(time['time']),
      },
    }),
  };
}

/** A filter has a single condition; several are in `and`. */
function requestedFilter(filter: Block): ReplicationRuleFilter {
  const [and, tag] = [firstBlock(filter['and']), firstBlock(filter['tag'])];
  if (and !== undefined) {
    return { And: compact({ Prefix: text(and['prefix']), Tags: requestedTags(and['tags']) }) };
  }
  if (tag !== undefined) return { Tag: { Key: text(tag['key']), Value: String(tag['value']) } };
  return { Prefix: text(filter['prefix']) ?? '' };
}

/** Converts a map of tags to the tags of a filter; undefined if it is empty. */
export function requestedTags(tags: unknown): Tag[] | undefined {
  const all = Object.entries(record(tags)).map(([Key, Value]) => ({ Key, Value: String(Value) }));
  return all.length === 0 ? undefined : all;
}

function requestedTime(blocks: unknown): ReplicationTimeValue | undefined {
  const written = firstBlock(blocks);
  return written && { Minutes: number(written['minutes']) };
}

function statusOf<T extends string>(blocks: unknown): { Status: T | undefined } | undefined {
  const written = firstBlock(blocks);
  return written && { Status: enumOf<T>(written['status']) };
}

/** Converts the rules of a response to the form of the state. */
export function foundReplication(rules: readonly ReplicationRule[] | undefined): readonly object[] {
  return (rules ?? []).map((rule) => ({
    id: rule.ID,
    prefix: rule.Prefix ?? '',
    priority: rule.Priority ?? 0,
    status: rule.Status,
    delete_marker_replication: foundStatus(rule.DeleteMarkerReplication),
    destination: list(rule.Destination, foundDestination),
    existing_object_replication: foundStatus(rule.ExistingObjectReplication),
    filter: list(rule.Filter, (filter) => ({
      prefix: filter.Prefix ?? '',
      and: list(filter.And, (and) => ({ prefix: and.Prefix ?? '', tags: foundTags(and.Tags) })),
      tag: list(filter.Tag, ({ Key, Value }) => ({ key: Key, value: Value })),
    })),
    source_selection_criteria: list(rule.SourceSelectionCriteria, (criteria) => ({
      replica_modifications: foundStatus(criteria.ReplicaModifications),
      sse_kms_encrypted_objects: foundStatus(criteria.SseKmsEncryptedObjects),
    })),
  }));
}

/** The tags of a filter, as a map. */
export function foundTags(tags: readonly Tag[] | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries((tags ?? []).map(({ Key, Value }) => [Key, Value]));
}

function foundDestination(destination: Destination): object {
  return {
    account: destination.Account ?? '',
    bucket: destination.Bucket,
    storage_class: destination.StorageClass ?? '',
    access_control_translation: list(destination.AccessControlTranslation, ({ Owner }) => ({
      owner: Owner,
    })),
    encryption_configuration: list(
      destination.EncryptionConfiguration,
      ({ ReplicaKmsKeyID: key }) => ({
        replica_kms_key_id: key,
      }),
    ),
    metrics: list(destination.Metrics, ({ Status, EventThreshold }) => ({
      status: Status,
      event_threshold: list(EventThreshold, ({ Minutes }) => ({ minutes: Minutes })),
    })),
    replication_time: list(destination.ReplicationTime, ({ Status, Time }) => ({
      status: Status,
      time: list(Time, ({ Minutes }) => ({ minutes: Minutes })),
    })),
  };
}

function foundStatus(
  part: { readonly Status?: string | undefined } | undefined,
): readonly object[] {
  return list(part, ({ Status }) => ({ status: Status }));
}
