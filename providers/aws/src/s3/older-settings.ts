import type { WebsiteConfiguration } from '@aws-sdk/client-s3';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { type Block, compact, list, many, firstBlock, text } from '../resource/block-values.ts';
import { foundCors, requestedCors } from './cors-rules.ts';
import { foundOlderGrants, requestedOlderGrants } from './grants.ts';
import { foundLockRule, requestedLockRule } from './object-lock.ts';
import type { OlderBlock } from './older-blocks.ts';
import {
  foundOlderReplication,
  foundOlderRules,
  requestedOlderReplication,
  requestedOlderRules,
} from './older-rules.ts';
import { foundRedirect, requestedRedirect, routingRulesOf, routingText } from './website.ts';

/** Writes and reads one of the older blocks of a bucket. */
interface OlderSetting {
  /** reads the blocks; unconfigured ones fail with one of the codes of `NOT_SET`, or are empty */
  readonly find: (aws: RegionalAws, Bucket: string) => Promise<readonly object[]>;
  readonly put: (
    aws: RegionalAws,
    Bucket: string,
    blocks: readonly Block[],
    isNew: boolean,
  ) => Promise<unknown>;
}

/** The older blocks in the order in which they are written: replication requires versioning. */
export const OLDER_SETTINGS: Readonly<Record<OlderBlock, OlderSetting>> = {
  cors_rule: {
    find: async ({ s3 }, Bucket) =>
      ((await s3.getBucketCors({ Bucket })).CORSRules ?? []).map(foundCors),
    put: ({ s3 }, Bucket, rules) =>
      s3.putBucketCors({ Bucket, CORSConfiguration: { CORSRules: requestedCors(rules) } }),
  },
  website: {
    find: async ({ s3 }, Bucket) => {
      const websiteAnswer = await s3.getBucketWebsite({ Bucket });
      const to = websiteAnswer.RedirectAllRequestsTo;
      const website = {
        index_document: websiteAnswer.IndexDocument?.Suffix ?? '',
        error_document: websiteAnswer.ErrorDocument?.Key ?? '',
        redirect_all_requests_to: to === undefined ? '' : foundRedirect(to),
        routing_rules: routingText(websiteAnswer.RoutingRules),
      };
      return Object.values(website).some((part) => part !== '') ? [website] : [];
    },
    put: ({ s3 }, Bucket, [website = {}]) => {
      const [index, error] = [text(website['index_document']), text(website['error_document'])];
      const redirect = text(website['redirect_all_requests_to']);
      const WebsiteConfiguration: WebsiteConfiguration = compact({
        IndexDocument: index === undefined ? undefined : { Suffix: index },
        ErrorDocument: error === undefined ? undefined : { Key: error },
        RedirectAllRequestsTo: redirect === undefined ? undefined : requestedRedirect(redirect),
        RoutingRules: routingRulesOf(text(website['routing_rules'])),
      });
      return s3.putBucketWebsite({ Bucket, WebsiteConfiguration });
    },
  },
  versioning: {
    find: async ({ s3 }, Bucket) => {
      const { Status, MFADelete } = await s3.getBucketVersioning({ Bucket });
      return [{ enabled: Status === 'Enabled', mfa_delete: MFADelete === 'Enabled' }];
    },
    put: async ({ s3 }, Bucket, [versioning = {}], isNew) => {
      const [enabled, mfa] = [versioning['enabled'] === true, versioning['mfa_delete'] === true];
      // A new bucket has no versions: only enabled settings are sent.
      if (isNew && !enabled && !mfa) return;
      const VersioningConfiguration = isNew
        ? compact({
            Status: enabled ? enumOf<'Enabled'>('Enabled') : undefined,
            MFADelete: mfa ? enumOf<'Enabled'>('Enabled') : undefined,
          })
        : {
            Status: enumOf<'Enabled'>(enabled ? 'Enabled' : 'Suspended'),
            MFADelete: enumOf<'Enabled'>(mfa ? 'Enabled' : 'Disabled'),
          };
      await s3.putBucketVersioning({ Bucket, VersioningConfiguration });
    },
  },
  grant: {
    find: async ({ s3 }, Bucket) => foundOlderGrants((await s3.getBucketAcl({ Bucket })).Grants),
    put: async ({ s3 }, Bucket, grants) => {
      const { Owner } = await s3.getBucketAcl({ Bucket });
      const AccessControlPolicy = { Owner, Grants: requestedOlderGrants(grants) };
      await s3.putBucketAcl({ Bucket, AccessControlPolicy });
    },
  },
  logging: {
    find: async ({ s3 }, Bucket) =>
      list((await s3.getBucketLogging({ Bucket })).LoggingEnabled, (to) => ({
        target_bucket: to.TargetBucket,
        target_prefix: to.TargetPrefix ?? '',
      })),
    put: ({ s3 }, Bucket, [logging = {}]) => {
      const LoggingEnabled = {
        TargetBucket: text(logging['target_bucket']),
        TargetPrefix: text(logging['target_prefix']) ?? '',
      };
      return s3.putBucketLogging({ Bucket, BucketLoggingStatus: { LoggingEnabled } });
    },
  },
  lifecycle_rule: {
    find: async ({ s3 }, Bucket) =>
      foundOlderRules((await s3.getBucketLifecycleConfiguration({ Bucket })).Rules),
    put: (aws, Bucket, rules) => {
      const Rules = [...requestedOlderRules(aws, rules)];
      return aws.s3.putBucketLifecycleConfiguration({ Bucket, LifecycleConfiguration: { Rules } });
    },
  },
  replication_configuration: {
    find: async ({ s3 }, Bucket) =>
      list((await s3.getBucketReplication({ Bucket })).ReplicationConfiguration, (replication) => ({
        role: replication.Role,
        rules: foundOlderReplication(replication.Rules),
      })),
    put: ({ s3 }, Bucket, [written = {}]) => {
      const Rules = requestedOlderReplication(many(written['rules']));
      const ReplicationConfiguration = { Role: text(written['role']), Rules };
      return s3.putBucketReplication({ Bucket, ReplicationConfiguration });
    },
  },
  server_side_encryption_configuration: {
    find: async ({ s3 }, Bucket) => {
      const encryption = (await s3.getBucketEncryption({ Bucket }))
        .ServerSideEncryptionConfiguration;
      const rules = (encryption?.Rules ?? []).map((rule) => ({
        bucket_key_enabled: rule.BucketKeyEnabled ?? false,
        apply_server_side_encryption_by_default: list(
          rule.ApplyServerSideEncryptionByDefault,
          ({ KMSMasterKeyID, SSEAlgorithm }) => ({
            kms_master_key_id: KMSMasterKeyID ?? '',
            sse_algorithm: SSEAlgorithm,
          }),
        ),
      }));
      return rules.length === 0 ? [] : [{ rule: rules }];
    },
    put: ({ s3 }, Bucket, [written = {}]) => {
      const Rules = many(written['rule']).map((rule) => {
        const defaultEncryption = firstBlock(rule['apply_server_side_encryption_by_default']);
        return compact({
          BucketKeyEnabled: rule['bucket_key_enabled'] === true,
          ApplyServerSideEncryptionByDefault: defaultEncryption && {
            SSEAlgorithm: enumOf<'AES256'>(text(defaultEncryption['sse_algorithm']) ?? ''),
            ...compact({ KMSMasterKeyID: text(defaultEncryption['kms_master_key_id']) }),
          },
        });
      });
      return s3.putBucketEncryption({ Bucket, ServerSideEncryptionConfiguration: { Rules } });
    },
  },
  object_lock_configuration: {
    find: async ({ s3 }, Bucket) =>
      list((await s3.getObjectLockConfiguration({ Bucket })).ObjectLockConfiguration, (lock) => ({
        object_lock_enabled: lock.ObjectLockEnabled,
        rule: foundLockRule(lock.Rule),
      })),
    put: ({ s3 }, Bucket, [written = {}]) => {
      const ObjectLockConfiguration = compact({
        ObjectLockEnabled: enumOf<'Enabled'>(written['object_lock_enabled']),
        Rule: requestedLockRule(written['rule']),
      });
      return s3.putObjectLockConfiguration({ Bucket, ObjectLockConfiguration });
    },
  },
};
