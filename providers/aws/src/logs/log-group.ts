import {
  bool,
  conflicting,
  int64,
  NotFoundError,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { given } from '../resource/only.ts';

/** For how many days logs may be kept; 0 is for ever. */
const RETENTIONS: readonly number[] = [
  0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922,
  3288, 3653,
];

/** `aws_cloudwatch_log_group` */
export const logGroup: Resource<Aws> = awsResource({
  type: 'CloudWatch Logs Log Group',
  notFound: ['ResourceNotFoundException'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    deletion_protection_enabled: bool({ optional: true, computed: true }),
    kms_key_id: string({ optional: true }),
    log_group_class: string({ optional: true, computed: true, requiresReplace: true }),
    name: string({ optional: true, computed: true, requiresReplace: true }),
    name_prefix: string({ optional: true, computed: true, requiresReplace: true }),
    retention_in_days: int64({
      default: 0,
      computed: false,
      validators: [
        (days) =>
          RETENTIONS.includes(days)
            ? undefined
            : `expected retention_in_days to be one of [${RETENTIONS.join(' ')}], got ${days}`,
      ],
    }),
    skip_destroy: bool({ default: false, computed: false }),
  },
  validators: [conflicting('name', 'name_prefix')],

  async create({ aws, plan, tags }) {
    const name = nameOf(aws, plan);
    const known = given(plan);
    const protect = known.deletion_protection_enabled;
    await aws.logs.createLogGroup({
      logGroupName: name,
      ...given({
        kmsKeyId: plan.kms_key_id,
        logGroupClass: logClass(known.log_group_class),
        deletionProtectionEnabled: typeof protect === 'boolean' ? protect : undefined,
      }),
      ...(Object.keys(tags).length > 0 && { tags: { ...tags } }),
    });
    return name;
  },

  async created({ aws, object, plan, id: logGroupName }) {
    const { retention_in_days: retentionInDays } = plan;
    if (retentionInDays === 0) return;
    await object.operation(
      'setting the retention of',
      () => aws.logs.putRetentionPolicy({ logGroupName, retentionInDays }),
      {
        isRetryable: (error) =>
          hasCode(error, 'ResourceNotFoundException') ||
          hasMessage(
            error,
            'OperationAbortedException',
            'A conflicting operation is currently in progress against this resource',
          ),
      },
    );
  },

  async find({ aws, id }) {
    let nextToken: string | undefined;
    do {
      const page = await aws.logs.describeLogGroups({ logGroupNamePrefix: id, nextToken });
      const found = page.logGroups?.find(({ logGroupName }) => logGroupName === id);
      if (found !== undefined) return found;
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    throw new NotFoundError({ message: 'empty result' });
  },

  async read(found, { aws, id }) {
    // The ARN of requests is that of the group; the one that it has been called by ends in ":*".
    const resourceArn = (found.logGroupArn ?? found.arn ?? '').replace(/:\*$/, '');
    const { tags } = await aws.logs.listTagsForResource({ resourceArn });
    return {
      arn: resourceArn,
      deletion_protection_enabled: found.deletionProtectionEnabled ?? false,
      kms_key_id: found.kmsKeyId,
      log_group_class: found.logGroupClass ?? 'STANDARD',
      name: id,
      name_prefix: prefixOf(id) ?? '',
      retention_in_days: found.retentionInDays ?? 0,
      tags: tags ?? {},
    };
  },

  async update({ aws, plan, changed, id: logGroupName }) {
    if (changed('retention_in_days')) {
      const { retention_in_days: retentionInDays } = plan;
      if (retentionInDays === 0) await aws.logs.deleteRetentionPolicy({ logGroupName });
      else await aws.logs.putRetentionPolicy({ logGroupName, retentionInDays });
    }
    if (changed('kms_key_id')) {
      const kmsKeyId = plan.kms_key_id ?? '';
      if (kmsKeyId === '') await aws.logs.disassociateKmsKey({ logGroupName });
      else await aws.logs.associateKmsKey({ logGroupName, kmsKeyId });
    }
    if (changed('deletion_protection_enabled')) {
      await aws.logs.putLogGroupDeletionProtection({
        logGroupIdentifier: logGroupName,
        deletionProtectionEnabled: plan.deletion_protection_enabled === true,
      });
    }
  },

  async retag({ aws, state }, { set, removed }) {
    const resourceArn = state.arn;
    if (removed.length > 0) await aws.logs.untagResource({ resourceArn, tagKeys: [...removed] });
    if (Object.keys(set).length > 0) {
      await aws.logs.tagResource({ resourceArn, tags: { ...set } });
    }
  },

  async delete({ aws, object, id, state }) {
    if (state.skip_destroy) return;
    await object.operation('deleting', () => aws.logs.deleteLogGroup({ logGroupName: id }), {
      isRetryable: (error) =>
        hasMessage(
          error,
          'OperationAbortedException',
          'A conflicting operation is currently in progress against this resource',
        ),
    });
  },

  import: (id) => ({ id, skip_destroy: false }),
});

function logClass(written: unknown): 'STANDARD' | 'INFREQUENT_ACCESS' | 'DELIVERY' | undefined {
  switch (written) {
    case 'STANDARD':
    case 'INFREQUENT_ACCESS':
    case 'DELIVERY':
      return written;
    default:
      return undefined;
  }
}
