import type { LogGroup } from '@aws-sdk/client-cloudwatch-logs';
import {
  bool,
  int64,
  minutes,
  type RemoteObject,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, namedBy, regional, tagged } from '../resource/common-attributes.ts';
import { nameOf } from '../resource/names.ts';
import { only, pages } from '../resource/only.ts';
import { retag } from '../tags/retag.ts';
import { tagRecord } from '../tags/tags.ts';
import { oneOf } from '../resource/validators.ts';
import { isLogGroupName } from '../resource/text-forms.ts';
import { listing } from '../resource/listing.ts';

/** The retention periods of logs in days; 0 is unlimited. */
const RETENTIONS: readonly number[] = [
  0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922,
  3288, 3653,
];

const REPLACING = { optional: true, computed: true, requiresReplace: true } as const;
const isClass = oneOf('STANDARD', 'INFREQUENT_ACCESS', 'DELIVERY');

/** `aws_cloudwatch_log_group` */
export const logGroup: Resource<Aws> = awsResource({
  type: 'CloudWatch Logs Log Group',
  identity: 'name',
  list: listing(
    (aws, nextToken) => aws.logs.describeLogGroups({ nextToken }),
    ({ logGroups }) => logGroups,
    ({ logGroupName: id }) => (id === undefined ? undefined : { id }),
  ),
  notFound: ['ResourceNotFoundException'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    deletion_protection_enabled: bool({ optional: true, computed: true }),
    kms_key_id: string({ optional: true }),
    log_group_class: string({ ...REPLACING, validators: [isClass] }),
    ...namedBy([isLogGroupName], [isLogGroupName]),
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
  casing: 'camelCase',
  amazon: { name: 'logGroupName', retention_in_days: 'retentionInDays', skip_destroy: null },

  async create({ aws, plan, request, tags }) {
    const logGroupName = nameOf(aws, plan);
    const { retentionInDays: _, ...requestInput } = request<LogGroup>({ logGroupName });
    await aws.logs.createLogGroup({ ...requestInput, logGroupName, tags: tagRecord(tags) });
    return logGroupName;
  },

  async created({ aws, object, plan, id: logGroupName }) {
    const { retention_in_days: retentionInDays } = plan;
    if (retentionInDays === 0) return;
    await setRetention(aws, object, { logGroupName, retentionInDays });
  },

  async find({ aws, id }) {
    const groups = await pages(
      (nextToken) => aws.logs.describeLogGroups({ logGroupNamePrefix: id, nextToken }),
      ({ logGroups }) => logGroups,
    );
    return only(groups.filter(({ logGroupName }) => logGroupName === id));
  },

  async read(group, { aws }) {
    // Requests use the ARN of the group without the suffix ":*" of the attribute.
    const resourceArn = (group.logGroupArn ?? group.arn ?? '').replace(/:\*$/, '');
    const { tags = {} } = await aws.logs.listTagsForResource({ resourceArn });
    return { arn: resourceArn, log_group_class: group.logGroupClass ?? 'STANDARD', tags };
  },

  async update({ aws, object, plan, changed, id: logGroupName }) {
    if (changed('retention_in_days')) {
      const { retention_in_days: retentionInDays } = plan;
      if (retentionInDays === 0) await aws.logs.deleteRetentionPolicy({ logGroupName });
      else await setRetention(aws, object, { logGroupName, retentionInDays });
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

  retag: retag(
    ({ aws, state }, tagKeys) => aws.logs.untagResource({ resourceArn: state.arn, tagKeys }),
    ({ aws, state }, _, tags) => aws.logs.tagResource({ resourceArn: state.arn, tags }),
  ),

  async delete({ aws, object, id, state }) {
    if (state.skip_destroy) return;
    const call = () => aws.logs.deleteLogGroup({ logGroupName: id });
    await object.operation('deleting', call, { isRetryable: isBusy, propagation: minutes(1) });
  },

  import: (id) => ({ id, skip_destroy: false }),
});

/** Sets the retention of a group. Retries while a new group or new permissions are not yet effective. */
async function setRetention(
  aws: RegionalAws,
  group: RemoteObject,
  request: { readonly logGroupName: string; readonly retentionInDays: number },
): Promise<void> {
  const denied = 'no identity-based policy allows the logs:PutRetentionPolicy action';
  await group.operation('setting the retention of', () => aws.logs.putRetentionPolicy(request), {
    isRetryable: (error) =>
      isBusy(error) ||
      hasCode(error, 'ResourceNotFoundException') ||
      hasMessage(error, 'AccessDeniedException', denied),
  });
}

/** Tests whether another operation on the group is in progress. */
function isBusy(error: unknown): boolean {
  return hasMessage(error, 'OperationAbortedException', 'try again');
}
