import { SNS } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('sns', () => {
  let server: AwsServer;
  let sns: SNS;

  beforeAll(async () => {
    server = await startAws();
    sns = new SNS(server.options());
  });
  afterAll(() => server.stop());

  it('leads a topic through its life', { timeout: 600_000 }, async () => {
    const topic = (lines: string): string => `
resource "aws_sns_topic" "it" {
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_sns_topic.it',
      config: topic('name = "jobs"\n  display_name = "Jobs"\n  tags = { Env = "test" }'),
      state: {
        id: `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
        arn: `arn:aws:sns:eu-west-1:${ACCOUNT}:jobs`,
        owner: ACCOUNT,
        display_name: 'Jobs',
        fifo_topic: false,
        tags_all: { Env: 'test' },
      },
      updates: [
        {
          config: topic('name = "jobs"\n  kms_master_key_id = "alias/aws/sns"'),
          state: { display_name: '', kms_master_key_id: 'alias/aws/sns', tags_all: {} },
        },
      ],
      replace: {
        config: topic(
          'name_prefix = "jobs-"\n  fifo_topic = true\n  content_based_deduplication = true',
        ),
        by: ['fifo_topic', 'name_prefix'],
        state: { name: /^jobs-\d{18}[0-9a-f]{8}\.fifo$/ },
      },
      drift: {
        change: ({ id }) =>
          sns.setTopicAttributes({
            TopicArn: String(id),
            AttributeName: 'DisplayName',
            AttributeValue: 'Odd',
          }),
        seen: { display_name: 'Odd' },
      },
      disappear: ({ id }) => sns.deleteTopic({ TopicArn: String(id) }),
      remaining: async () => (await sns.listTopics({})).Topics ?? [],
    });
  });

  it('leads a subscription through its life', { timeout: 600_000 }, async () => {
    const subscription = (lines: string, queue = 'queue'): string => `
resource "aws_sns_topic" "topic" {
  name = "jobs"
}
resource "aws_sqs_queue" "queue" {
  name = "jobs"
}
resource "aws_sqs_queue" "other" {
  name = "others"
}
resource "aws_sns_topic_subscription" "it" {
  topic_arn = aws_sns_topic.topic.arn
  protocol  = "sqs"
  endpoint  = aws_sqs_queue.${queue}.arn
  ${lines}
}
`;
    await resourceLife(server, {
      address: 'aws_sns_topic_subscription.it',
      config: subscription('filter_policy = jsonencode({ kind = ["a"] })'),
      state: { protocol: 'sqs', raw_message_delivery: false, filter_policy: '{"kind":["a"]}' },
      updates: [
        {
          config: subscription('raw_message_delivery = true'),
          state: { raw_message_delivery: true },
        },
      ],
      replace: {
        config: subscription('raw_message_delivery = true', 'other'),
        by: ['endpoint'],
      },
      drift: {
        change: ({ id }) =>
          sns.setSubscriptionAttributes({
            SubscriptionArn: String(id),
            AttributeName: 'RawMessageDelivery',
            AttributeValue: 'false',
          }),
        seen: { raw_message_delivery: false },
      },
      disappear: ({ id }) => sns.unsubscribe({ SubscriptionArn: String(id) }),
      remaining: async () => (await sns.listTopics({})).Topics ?? [],
    });
  });
});
