import type {
  NotificationConfiguration,
  NotificationConfigurationFilter,
} from '@aws-sdk/client-s3';
import { bool, listBlock, type Resource, set, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { nameOf } from '../resource/names.ts';
import { compact, orNone, record, text, texts } from '../resource/block-values.ts';
import { putPart, whileBusy } from './bucket-part.ts';
import { NO_BUCKET } from './consts.ts';

const targetAttributes = {
  events: set(string, { required: true }),
  filter_prefix: string({ optional: true }),
  filter_suffix: string({ optional: true }),
  id: string({ optional: true, computed: true }),
};

interface Written {
  readonly bucket: string;
  readonly eventbridge: boolean | null;
  readonly lambda_function: readonly object[];
  readonly queue: readonly object[];
  readonly topic: readonly object[];
}

/** `aws_s3_bucket_notification` */
export const bucketNotification: Resource<Aws> = awsResource({
  type: 'S3 Bucket Notification',
  notFound: NO_BUCKET,
  attributes: {
    ...regional,
    bucket: string({ required: true, requiresReplace: true }),
    eventbridge: bool({ default: false, computed: false }),
  },
  blocks: {
    lambda_function: listBlock({
      ...targetAttributes,
      lambda_function_arn: string({ optional: true }),
    }),
    queue: listBlock({ ...targetAttributes, queue_arn: string({ required: true }) }),
    topic: listBlock({ ...targetAttributes, topic_arn: string({ required: true }) }),
  },
  label: ({ bucket }) => bucket,

  ...putPart<Written>((aws, to, plan) => {
    const part = (name: 'lambda_function' | 'queue' | 'topic'): Requested[] | undefined =>
      orNone(plan[name].map((block) => notificationRequest(aws, name, record(block))));
    // An unconfigured list is omitted; the service validates the others.
    const NotificationConfiguration: NotificationConfiguration = compact({
      EventBridgeConfiguration: plan.eventbridge === true ? {} : undefined,
      LambdaFunctionConfigurations: part('lambda_function'),
      QueueConfigurations: part('queue'),
      TopicConfigurations: part('topic'),
    });
    return aws.s3.putBucketNotificationConfiguration({ ...to, NotificationConfiguration });
  }),

  async find({ aws, id }) {
    return await aws.s3.getBucketNotificationConfiguration({ Bucket: id });
  },

  read: (configuration, { id }) => ({
    bucket: id,
    eventbridge: configuration.EventBridgeConfiguration !== undefined,
    lambda_function: (configuration.LambdaFunctionConfigurations ?? []).map((each) => ({
      ...common(each),
      lambda_function_arn: each.LambdaFunctionArn,
    })),
    queue: (configuration.QueueConfigurations ?? []).map((each) => ({
      ...common(each),
      queue_arn: each.QueueArn,
    })),
    topic: (configuration.TopicConfigurations ?? []).map((each) => ({
      ...common(each),
      topic_arn: each.TopicArn,
    })),
  }),

  async delete({ aws, object, id }) {
    const none = { Bucket: id, NotificationConfiguration: {} };
    const call = () => aws.s3.putBucketNotificationConfiguration(none);
    await object.operation('deleting', call, whileBusy());
  },
});

interface Requested {
  readonly Id: string;
  readonly Events: 's3:ObjectCreated:*'[];
  readonly Filter?: NotificationConfigurationFilter;
  readonly LambdaFunctionArn: string | undefined;
  readonly QueueArn: string | undefined;
  readonly TopicArn: string | undefined;
}

function notificationRequest(
  aws: RegionalAws,
  name: string,
  block: Readonly<Record<string, unknown>>,
): Requested {
  const prefix = `tf-s3-${name.replace('_function', '')}-`;
  const rules = (['prefix', 'suffix'] as const).flatMap((Name) => {
    const Value = text(block[`filter_${Name}`]);
    return Value === undefined ? [] : [{ Name, Value }];
  });
  return {
    Id: nameOf(aws, { name: block['id'], name_prefix: prefix }),
    Events: texts(block['events']).map((event) => enumOf<'s3:ObjectCreated:*'>(event)),
    ...(rules.length > 0 && { Filter: { Key: { FilterRules: rules } } }),
    LambdaFunctionArn: text(block['lambda_function_arn']),
    QueueArn: text(block['queue_arn']),
    TopicArn: text(block['topic_arn']),
  };
}

function common(each: {
  readonly Id?: string | undefined;
  readonly Events: readonly string[] | undefined;
  readonly Filter?: NotificationConfigurationFilter | undefined;
}) {
  const rules = each.Filter?.Key?.FilterRules ?? [];
  const valueOf = (name: string): string =>
    rules.find(({ Name }) => Name?.toLowerCase() === name)?.Value ?? '';
  return {
    id: each.Id,
    events: each.Events,
    filter_prefix: valueOf('prefix'),
    filter_suffix: valueOf('suffix'),
  };
}
