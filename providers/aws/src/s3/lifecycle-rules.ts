import type { LifecycleRule, LifecycleRuleFilter } from '@aws-sdk/client-s3';
import {
  type Block,
  compact,
  list,
  many,
  number,
  firstBlock,
  orNone,
  positive,
  record,
  text,
  time,
  timeText,
} from '../resource/block-values.ts';

/** Rules as requests have them. */
export function requestedRules(rules: readonly Block[]): LifecycleRule[] {
  return rules.map((rule) => {
    const [filter, expiration] = [firstBlock(rule['filter']), firstBlock(rule['expiration'])];
    const [older, parts] = [
      firstBlock(rule['noncurrent_version_expiration']),
      firstBlock(rule['abort_incomplete_multipart_upload']),
    ];
    const transitions = many(rule['transition']);
    const olderTransitions = many(rule['noncurrent_version_transition']);
    const prefix = text(rule['prefix']);
    // The configuration is validated by the schema, and by S3.
    return compact({
      ID: rule['id'],
      Status: rule['status'],
      // A rule without a filter is one of the older kind, which needs a prefix.
      ...(filter === undefined ? { Prefix: prefix ?? '' } : { Filter: requestedFilter(filter) }),
      AbortIncompleteMultipartUpload:
        parts && compact({ DaysAfterInitiation: number(parts['days_after_initiation']) }),
      Expiration: expiration && requestedExpiration(expiration),
      NoncurrentVersionExpiration: older && compact(requestedOlder(older)),
      NoncurrentVersionTransitions: orNone(
        olderTransitions.map((each) =>
          compact({ ...requestedOlder(each), StorageClass: each['storage_class'] }),
        ),
      ),
      Transitions: orNone(
        transitions.map((each) => {
          const at = time(each['date']);
          const Days = at === undefined ? (number(each['days']) ?? 0) : undefined;
          return compact({ Date: at, Days, StorageClass: each['storage_class'] });
        }),
      ),
    }) as unknown as LifecycleRule;
  });
}

function requestedExpiration(block: Block): object {
  const at = time(block['date']);
  // The marker cannot be combined with a time.
  const days = positive(block['days']);
  const marker = at === undefined && days === undefined;
  return compact({
    Date: at,
    Days: days,
    ExpiredObjectDeleteMarker: marker ? block['expired_object_delete_marker'] === true : undefined,
  });
}

function requestedOlder(block: Block): object {
  return {
    NewerNoncurrentVersions: positive(block['newer_noncurrent_versions']),
    NoncurrentDays: number(block['noncurrent_days']),
  };
}

function requestedFilter(filter: Block): LifecycleRuleFilter {
  const [and, tag] = [firstBlock(filter['and']), firstBlock(filter['tag'])];
  if (and !== undefined) {
    const tags: Block = record(and['tags']);
    return {
      And: compact({
        ObjectSizeGreaterThan: positive(and['object_size_greater_than']),
        ObjectSizeLessThan: positive(and['object_size_less_than']),
        Prefix: text(and['prefix']) ?? '',
        Tags: orNone(Object.entries(tags).map(([Key, Value]) => ({ Key, Value: String(Value) }))),
      }),
    };
  }
  if (tag !== undefined) return { Tag: { Key: String(tag['key']), Value: String(tag['value']) } };
  const larger = number(filter['object_size_greater_than']);
  const smaller = positive(filter['object_size_less_than']);
  if (larger !== undefined) return { ObjectSizeGreaterThan: larger };
  if (smaller !== undefined) return { ObjectSizeLessThan: smaller };
  return { Prefix: text(filter['prefix']) ?? '' };
}

/** Rules as the state has them. */
export function foundRules(rules: readonly LifecycleRule[] | undefined): readonly object[] {
  return (rules ?? []).map((rule) => ({
    id: rule.ID,
    prefix: rule.Prefix ?? '',
    status: rule.Status,
    abort_incomplete_multipart_upload: list(rule.AbortIncompleteMultipartUpload, (each) => ({
      days_after_initiation: each.DaysAfterInitiation,
    })),
    expiration: list(rule.Expiration, (each) => ({
      date: timeText(each.Date),
      days: each.Days ?? 0,
      expired_object_delete_marker: each.ExpiredObjectDeleteMarker ?? false,
    })),
    filter: list(rule.Filter, foundFilter),
    noncurrent_version_expiration: list(rule.NoncurrentVersionExpiration, (each) => ({
      newer_noncurrent_versions: each.NewerNoncurrentVersions,
      noncurrent_days: each.NoncurrentDays,
    })),
    noncurrent_version_transition: (rule.NoncurrentVersionTransitions ?? []).map((each) => ({
      newer_noncurrent_versions: each.NewerNoncurrentVersions,
      noncurrent_days: each.NoncurrentDays,
      storage_class: each.StorageClass,
    })),
    transition: (rule.Transitions ?? []).map((each) => ({
      date: timeText(each.Date),
      days: each.Days ?? 0,
      storage_class: each.StorageClass,
    })),
  }));
}

function foundFilter(filter: LifecycleRuleFilter): object {
  return {
    object_size_greater_than: filter.ObjectSizeGreaterThan,
    object_size_less_than: filter.ObjectSizeLessThan,
    prefix: filter.Prefix ?? '',
    and: list(filter.And, (each) => ({
      object_size_greater_than: each.ObjectSizeGreaterThan ?? 0,
      object_size_less_than: each.ObjectSizeLessThan ?? 0,
      prefix: each.Prefix ?? '',
      tags: each.Tags && Object.fromEntries(each.Tags.map(({ Key, Value }) => [Key, Value])),
    })),
    tag: list(filter.Tag, ({ Key, Value }) => ({ key: Key, value: Value })),
  };
}
