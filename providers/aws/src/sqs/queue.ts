import { bool, int64, type Resource, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { jsonText, policyText } from '../json-policy/policy-text.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { ATTRIBUTE_NAMES, DELETED_RECENTLY, MISSING_FOR, NO_QUEUE } from './consts.ts';
import { isPrincipalPropagating, waitForDeletedQueue, waitForQueueAttributes } from './wait.ts';
import { between, conflicting, oneOf } from '../resource/validators.ts';

const open = { optional: true, computed: true } as const;
const bounded = (defaultValue: number, minimum: number, maximum: number) =>
  int64({ default: defaultValue, computed: false, validators: [between(minimum, maximum)] });

/** `aws_sqs_queue` */
export const queue: Resource<Aws> = awsResource({
  type: 'SQS Queue',
  notFound: NO_QUEUE,
  missingFor: MISSING_FOR,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    name: string({ optional: true, computed: true, requiresReplace: true }),
    name_prefix: string({ optional: true, computed: true, requiresReplace: true }),
    url: string({ computed: true }),
    content_based_deduplication: bool({ default: false, computed: false }),
    deduplication_scope: string({ ...open, validators: [oneOf('messageGroup', 'queue')] }),
    delay_seconds: bounded(0, 0, 900),
    fifo_queue: bool({ default: false, computed: false, requiresReplace: true }),
    fifo_throughput_limit: string({
      ...open,
      validators: [oneOf('perMessageGroupId', 'perQueue')],
    }),
    kms_data_key_reuse_period_seconds: int64({ ...open, validators: [between(60, 86_400)] }),
    kms_master_key_id: string({ optional: true }),
    max_message_size: bounded(262_144, 1024, 1_048_576),
    message_retention_seconds: bounded(345_600, 60, 1_209_600),
    policy: policyText({ optional: true, computed: true }),
    receive_wait_time_seconds: int64({ default: 0, computed: false }),
    redrive_allow_policy: jsonText({ optional: true, computed: true }),
    redrive_policy: jsonText({ optional: true, computed: true }),
    sqs_managed_sse_enabled: bool({ optional: true, computed: true }),
    visibility_timeout_seconds: bounded(30, 0, 43_200),
  },
  blocks: { timeouts: timeoutsBlock({ create: '3m', update: '3m', delete: '3m' }) },
  validators: [conflicting('kms_master_key_id', 'sqs_managed_sse_enabled')],

  async create({ aws, object, plan, tags, timeout }) {
    const QueueName = nameOf(aws, plan, plan.fifo_queue ? '.fifo' : '');
    const Attributes = attributesRequest(plan);
    // A name is available again a minute after its queue was deleted. The other half of the limit is for the waits.
    const answer = await object.operation(
      'creating',
      () => aws.sqs.createQueue({ QueueName, Attributes, tags: { ...tags } }),
      {
        isRetryable: (error) =>
          hasCode(error, ...DELETED_RECENTLY) || isPrincipalPropagating(error),
        propagation: timeout / 2,
      },
    );
    return answer.QueueUrl ?? '';
  },

  async created({ aws, object, plan, id, deadline }) {
    await waitForQueueAttributes(aws, object, id, attributesRequest(plan), deadline);
  },

  async find({ aws, id }) {
    const { Attributes } = await aws.sqs.getQueueAttributes({
      QueueUrl: id,
      AttributeNames: ['All'],
    });
    return Attributes;
  },

  async read(attributes, { aws, id }) {
    const name = new URL(id).pathname.split('/').pop() ?? '';
    const fifo = attributes.FifoQueue === 'true';
    const { Tags } = await aws.sqs.listQueueTags({ QueueUrl: id });
    return {
      url: id,
      arn: attributes.QueueArn,
      name,
      name_prefix: prefixOf(name, fifo ? '.fifo' : '') ?? '',
      tags: Tags ?? {},
      content_based_deduplication: attributes.ContentBasedDeduplication === 'true',
      deduplication_scope: attributes.DeduplicationScope ?? '',
      delay_seconds: Number(attributes.DelaySeconds ?? 0),
      fifo_queue: fifo,
      fifo_throughput_limit: attributes.FifoThroughputLimit ?? '',
      kms_data_key_reuse_period_seconds: Number(attributes.KmsDataKeyReusePeriodSeconds ?? 300),
      kms_master_key_id: attributes.KmsMasterKeyId,
      max_message_size: Number(attributes.MaximumMessageSize),
      message_retention_seconds: Number(attributes.MessageRetentionPeriod),
      policy: normalJson(attributes.Policy),
      receive_wait_time_seconds: Number(attributes.ReceiveMessageWaitTimeSeconds ?? 0),
      redrive_allow_policy: normalJson(attributes.RedriveAllowPolicy),
      redrive_policy: normalJson(attributes.RedrivePolicy),
      sqs_managed_sse_enabled: attributes.SqsManagedSseEnabled === 'true',
      visibility_timeout_seconds: Number(attributes.VisibilityTimeout),
    };
  },

  async update({ aws, object, plan, state, id, deadline }) {
    const [before, after] = [attributesRequest(state), attributesRequest(plan, true)];
    const changes = Object.entries(after).filter(([name, value]) => before[name] !== value);
    if (changes.length === 0) return;
    const Attributes = Object.fromEntries(changes);
    await object.operation(
      'setting attributes of',
      () => aws.sqs.setQueueAttributes({ QueueUrl: id, Attributes }),
      { isRetryable: isPrincipalPropagating },
    );
    await waitForQueueAttributes(aws, object, id, Attributes, deadline);
  },

  async retag({ aws, id }, { set, removed }) {
    if (removed.length > 0) await aws.sqs.untagQueue({ QueueUrl: id, TagKeys: [...removed] });
    if (Object.keys(set).length > 0) await aws.sqs.tagQueue({ QueueUrl: id, Tags: { ...set } });
  },

  async delete({ aws, object, id, timeout }) {
    await aws.sqs.deleteQueue({ QueueUrl: id });
    await waitForDeletedQueue(aws, object, id, timeout);
  },
});

/** Returns the attributes of a queue for requests; with `all`, also the ones that are set to empty. */
function attributesRequest(queue: object, all = false): Record<string, string> {
  const entries = Object.entries(queue).flatMap(([name, value]: [string, unknown]) => {
    const attribute = ATTRIBUTE_NAMES[name];
    if (attribute === undefined) return [];
    if (typeof value === 'string' && (value !== '' || all)) return [[attribute, value]];
    // The attribute exists only for FIFO queues, and cannot be false for others.
    const off = value === false && !name.startsWith('sqs');
    if (typeof value === 'number' || (typeof value === 'boolean' && !off)) {
      return [[attribute, String(value)]];
    }
    return value === null && all ? [[attribute, '']] : [];
  });
  return Object.fromEntries(entries);
}
