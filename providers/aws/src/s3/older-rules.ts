import type { LifecycleRule, ReplicationRule } from '@aws-sdk/client-s3';
import type { RegionalAws } from '../clients/aws.ts';
import { nameOf } from '../resource/names.ts';
import {
  type Block,
  compact,
  list,
  many,
  number,
  firstBlock,
  positive,
  record,
  text,
} from '../resource/block-values.ts';
import { foundRules, requestedRules } from './lifecycle-rules.ts';
import {
  foundReplication,
  foundTags,
  requestedReplication,
  requestedTags,
} from './replication-rules.ts';

// The older blocks are a simplified form of the newer ones: each is converted to the newer form, and back.

/** Converts lifecycle rules of the older block to requests. A rule without a name gets one. */
export function requestedOlderRules(
  aws: RegionalAws,
  rules: readonly object[],
): readonly LifecycleRule[] {
  const newer = rules.map(record).map((rule): Block => {
    const days = positive(rule['abort_incomplete_multipart_upload_days']);
    const prefix = text(rule['prefix']);
    const tagged = requestedTags(rule['tags']) !== undefined;
    const newerRule = {
      id: nameOf(aws, { name: rule['id'], name_prefix: 'tf-s3-lifecycle-' }),
      status: rule['enabled'] === true ? 'Enabled' : 'Disabled',
      filter: [tagged ? { and: [{ prefix, tags: rule['tags'] }] } : { prefix }],
      expiration: many(rule['expiration']).map(withTime),
      transition: many(rule['transition']).map(withTime),
      noncurrent_version_expiration: many(rule['noncurrent_version_expiration']).map(noncurrent),
      noncurrent_version_transition: many(rule['noncurrent_version_transition']).map(noncurrent),
      abort_incomplete_multipart_upload:
        days === undefined ? [] : [{ days_after_initiation: days }],
    };
    // A rule must have an effect.
    const idle = Object.values(newerRule).every(
      (part) => !Array.isArray(part) || part === newerRule.filter || part.length === 0,
    );
    return idle
      ? { ...newerRule, expiration: [{ expired_object_delete_marker: false }] }
      : newerRule;
  });
  return requestedRules(newer);
}

/** Lifecycle rules as the older block has them. */
export function foundOlderRules(rules: readonly LifecycleRule[] | undefined): readonly object[] {
  return foundRules(rules)
    .map(record)
    .map((rule, index) => {
      const filter = firstBlock(rule['filter']) ?? {};
      const [and, tag] = [firstBlock(filter['and']) ?? {}, rules?.[index]?.Filter?.Tag];
      const [abort] = many(rule['abort_incomplete_multipart_upload']);
      return {
        abort_incomplete_multipart_upload_days: number(abort?.['days_after_initiation']),
        enabled: rule['status'] === 'Enabled',
        id: rule['id'],
        prefix: text(rule['prefix']) ?? text(filter['prefix']) ?? text(and['prefix']) ?? '',
        tags: tag === undefined ? record(and['tags']) : foundTags([tag]),
        expiration: many(rule['expiration']).map(withDay),
        transition: many(rule['transition']).map(withDay),
        noncurrent_version_expiration: many(rule['noncurrent_version_expiration']).map(plainDays),
        noncurrent_version_transition: many(rule['noncurrent_version_transition']).map((each) => ({
          ...plainDays(each),
          storage_class: each['storage_class'],
        })),
      };
    });
}

const withTime = (block: Block): Block => {
  const day = text(block['date']);
  return day === undefined ? block : { ...block, date: `${day}T00:00:00Z` };
};
const withDay = (block: Block): Block => ({
  ...block,
  date: text(block['date'])?.slice(0, 10) ?? '',
});
const noncurrent = ({ days, ...rest }: Block): Block => ({ ...rest, noncurrent_days: days });
const plainDays = (block: Block): Block => ({ days: block['noncurrent_days'] });

/** Converts replication rules of the older block for requests. */
export function requestedOlderReplication(rules: readonly object[]): ReplicationRule[] {
  const newer = rules.map(record).map((rule): Block => {
    const to = firstBlock(rule['destination']) ?? {};
    const [filter] = many(rule['filter']);
    const kms = firstBlock(
      firstBlock(rule['source_selection_criteria'])?.['sse_kms_encrypted_objects'],
    );
    const key = text(to['replica_kms_key_id']);
    const tagged = requestedTags(filter?.['tags']) !== undefined;
    const marker = text(rule['delete_marker_replication_status']) ?? 'Disabled';
    return {
      ...rule,
      destination: [
        {
          ...to,
          account: to['account_id'],
          encryption_configuration: key === undefined ? [] : [{ replica_kms_key_id: key }],
          metrics: many(to['metrics']).map(({ minutes, status }) => ({
            status,
            event_threshold: [{ minutes }],
          })),
          replication_time: many(to['replication_time']).map(({ minutes, status }) => ({
            status,
            time: [{ minutes }],
          })),
        },
      ],
      ...(filter !== undefined && {
        filter: [tagged ? { and: [filter] } : filter],
        delete_marker_replication: [{ status: marker }],
      }),
      source_selection_criteria: kms && [
        {
          sse_kms_encrypted_objects: [{ status: kms['enabled'] === true ? 'Enabled' : 'Disabled' }],
        },
      ],
    };
  });
  return requestedReplication(newer);
}

/** Converts replication rules to the older block. */
export function foundOlderReplication(
  rules: readonly ReplicationRule[] | undefined,
): readonly object[] {
  return foundReplication(rules)
    .map(record)
    .map((rule, index) => {
      const to = firstBlock(rule['destination']) ?? {};
      const from = rules?.[index];
      const { Prefix, Tag, And } = from?.Filter ?? {};
      const marker = from?.DeleteMarkerReplication?.Status;
      return {
        delete_marker_replication_status: marker === 'Enabled' ? marker : '',
        id: rule['id'],
        prefix: rule['prefix'],
        priority: rule['priority'],
        status: rule['status'],
        destination: [
          {
            ...compact({
              bucket: to['bucket'],
              access_control_translation: to['access_control_translation'],
            }),
            account_id: to['account'],
            replica_kms_key_id: from?.Destination?.EncryptionConfiguration?.ReplicaKmsKeyID ?? '',
            storage_class: to['storage_class'],
            metrics: list(from?.Destination?.Metrics, ({ Status, EventThreshold }) => ({
              minutes: EventThreshold?.Minutes,
              status: Status,
            })),
            replication_time: list(from?.Destination?.ReplicationTime, ({ Status, Time }) => ({
              minutes: Time?.Minutes,
              status: Status,
            })),
          },
        ],
        filter: list(from?.Filter, () => ({
          prefix: And?.Prefix ?? Prefix ?? '',
          tags: foundTags(And?.Tags ?? (Tag && [Tag])),
        })),
        source_selection_criteria: list(from?.SourceSelectionCriteria, (criteria) => ({
          sse_kms_encrypted_objects: list(criteria.SseKmsEncryptedObjects, ({ Status }) => ({
            enabled: Status === 'Enabled',
          })),
        })),
      };
    });
}
