import {
  bool,
  int64,
  NotFoundError,
  ProviderError,
  type RemoteObject,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasKnownPrincipals, UNKNOWN_PRINCIPALS } from '../json-policy/known-principals.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { jsonText, policyText } from '../json-policy/policy-text.ts';
import { errorCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { tagList } from '../tags/tags.ts';
import { attributesOf, changedAttributes, givenAttributes, numberIn } from './attributes.ts';
import { NO_TOPIC, TOPIC_ATTRIBUTES } from './consts.ts';
import { between, oneOf } from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';
import { listing } from '../resource/listing.ts';

const role = string({ optional: true, validators: [isArn] });
const rate = int64({ optional: true, validators: [between(0, 100)] });

/** `aws_sns_topic` */
export const topic: Resource<Aws> = awsResource({
  type: 'SNS Topic',
  identity: 'arn',
  list: listing(
    (aws, NextToken) => aws.sns.listTopics({ NextToken }),
    ({ Topics }) => Topics,
    ({ TopicArn: id }) => (id === undefined ? undefined : { id, name: id.split(':').pop() }),
  ),
  notFound: NO_TOPIC,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    application_failure_feedback_role_arn: role,
    application_success_feedback_role_arn: role,
    application_success_feedback_sample_rate: rate,
    archive_policy: jsonText({ optional: true }),
    beginning_archive_time: string({ computed: true }),
    content_based_deduplication: bool({ default: false, computed: false }),
    delivery_policy: jsonText({ optional: true }),
    display_name: string({ optional: true }),
    fifo_throughput_scope: string({
      optional: true,
      computed: true,
      validators: [oneOf('MessageGroup', 'Topic')],
    }),
    fifo_topic: bool({ default: false, computed: false, requiresReplace: true }),
    firehose_failure_feedback_role_arn: role,
    firehose_success_feedback_role_arn: role,
    firehose_success_feedback_sample_rate: rate,
    http_failure_feedback_role_arn: role,
    http_success_feedback_role_arn: role,
    http_success_feedback_sample_rate: rate,
    kms_master_key_id: string({ optional: true }),
    lambda_failure_feedback_role_arn: role,
    lambda_success_feedback_role_arn: role,
    lambda_success_feedback_sample_rate: rate,
    name: string({ optional: true, computed: true, requiresReplace: true }),
    name_prefix: string({ optional: true, computed: true, requiresReplace: true }),
    owner: string({ computed: true }),
    policy: policyText({ optional: true, computed: true }),
    signature_version: int64({ optional: true, computed: true, validators: [between(1, 2)] }),
    sqs_failure_feedback_role_arn: role,
    sqs_success_feedback_role_arn: role,
    sqs_success_feedback_sample_rate: rate,
    tracing_config: string({
      optional: true,
      computed: true,
      validators: [oneOf('Active', 'PassThrough')],
    }),
  },

  plan({ plan, config }) {
    if (plan.fifo_topic !== false) return;
    if (typeof config.archive_policy === 'string' && config.archive_policy !== '') {
      throw new ProviderError('message archive policy can only be set for FIFO topics');
    }
    if (typeof config.fifo_throughput_scope === 'string') {
      throw new ProviderError('FIFO throughput scope can only be set for FIFO topics');
    }
    if (plan.content_based_deduplication === true) {
      throw new ProviderError('content-based deduplication can only be set for FIFO topics');
    }
  },

  async create({ aws, plan, tags }) {
    const { fifo_throughput_scope: scope } = plan;
    const { TopicArn } = await aws.sns.createTopic({
      Name: nameOf(aws, plan, plan.fifo_topic ? '.fifo' : ''),
      Tags: tagList(tags),
      ...(plan.fifo_topic && {
        Attributes: {
          FifoTopic: 'true',
          ...(typeof scope === 'string' && { FifoThroughputScope: scope }),
        },
      }),
    });
    return TopicArn ?? '';
  },

  async created({ aws, object, plan, id }) {
    const attributes = new Map(givenAttributes(attributesOf(plan, TOPIC_ATTRIBUTES)));
    for (const name of ['FifoTopic', 'FifoThroughputScope']) attributes.delete(name);
    await setAttributes(aws, object, id, attributes);
  },

  async find({ aws, id, isNew }) {
    const { Attributes } = await aws.sns.getTopicAttributes({ TopicArn: id });
    const isReady = !isNew || hasKnownPrincipals(Attributes?.['Policy'] ?? '');
    if (!isReady) throw new NotFoundError({ message: UNKNOWN_PRINCIPALS });
    return Attributes;
  },

  async read(attributes, { aws, id }) {
    const { Tags } = await aws.sns.listTagsForResource({ ResourceArn: id });
    const name = id.split(':').pop() ?? '';
    const fifo = attributes['FifoTopic'] === 'true';
    const texts = Object.entries(TOPIC_ATTRIBUTES).map(([argument, attribute]) => {
      const text = attributes[attribute] ?? '';
      return [argument, argument.endsWith('_rate') ? numberIn(text) : text] as const;
    });
    return {
      ...Object.fromEntries(texts),
      arn: attributes['TopicArn'],
      archive_policy: normalJson(attributes['ArchivePolicy']),
      beginning_archive_time: attributes['BeginningArchiveTime'] ?? '',
      content_based_deduplication: attributes['ContentBasedDeduplication'] === 'true',
      delivery_policy: normalJson(attributes['DeliveryPolicy']),
      fifo_topic: fifo,
      name,
      name_prefix: prefixOf(name, fifo ? '.fifo' : '') ?? '',
      owner: attributes['Owner'],
      policy: normalJson(attributes['Policy']),
      signature_version: numberIn(attributes['SignatureVersion']) ?? 0,
      tags: Tags ?? [],
    };
  },

  async update({ aws, object, plan, state, id }) {
    const [before, after] = [state, plan].map((each) => attributesOf(each, TOPIC_ATTRIBUTES));
    if (before === undefined || after === undefined) return;
    const changes = changedAttributes(before, after);
    await setAttributes(aws, object, id, changes);
    if (changes.has('Policy')) await waitForPolicy(aws, object, id);
  },

  async retag({ aws, id: ResourceArn }, { set, removed }) {
    if (removed.length > 0) await aws.sns.untagResource({ ResourceArn, TagKeys: [...removed] });
    const Tags = tagList(set);
    if (Tags !== undefined) await aws.sns.tagResource({ ResourceArn, Tags });
  },

  async delete({ aws, object, id: TopicArn }) {
    await aws.sns.deleteTopic({ TopicArn });
    await object.waitForDeletion({
      pending: ['exists'],
      refresh: async () => {
        const { Attributes } = await aws.sns.getTopicAttributes({ TopicArn });
        if (Attributes === undefined) throw new NotFoundError();
        return { result: Attributes, state: 'exists' };
      },
    });
  },
});

/** Waits until the policy of a topic names all principals, which may not have propagated to SNS. */
async function waitForPolicy(aws: RegionalAws, object: RemoteObject, id: string): Promise<void> {
  await object.waitForValue('policy', {
    expected: true,
    value: (attributes) => hasKnownPrincipals(attributes['Policy'] ?? ''),
    read: async () => (await aws.sns.getTopicAttributes({ TopicArn: id })).Attributes,
  });
}

/** Sets attributes one by one; SNS may reject references to objects that have not propagated yet. */
async function setAttributes(
  aws: RegionalAws,
  object: RemoteObject,
  TopicArn: string,
  attributes: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [AttributeName, AttributeValue] of attributes) {
    // A topic always has a policy.
    if (AttributeName === 'Policy' && AttributeValue === '') continue;
    await object.operation(
      `setting attribute ${AttributeName} of`,
      () => aws.sns.setTopicAttributes({ TopicArn, AttributeName, AttributeValue }),
      { isRetryable: isPropagating },
    );
  }
}

function isPropagating(error: unknown): boolean {
  const code = errorCode(error);
  if (code === 'InvalidParameter' || code === 'InvalidParameterException') return true;
  const refused = code === 'AuthorizationError' || code === 'AuthorizationErrorException';
  return (
    refused &&
    ['no identity-based policy allows', 'is not authorized to perform'].some((part) =>
      hasMessage(error, code, part),
    )
  );
}
