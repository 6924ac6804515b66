import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('sqs', () => {
  let server: AwsServer;
  let sqs: SQS;

  beforeAll(async () => {
    server = await startAws();
    sqs = new SQS(server.options());
  }, 120_000);
  afterAll(() => server.stop());

  it('leads a queue through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_sqs_queue.it',
      provider: 'default_tags {\n tags = { Team = "core" }\n}',
      config: `
resource "aws_sqs_queue" "it" {
  name           = "jobs"
  delay_seconds  = 5
  redrive_policy = jsonencode({ deadLetterTargetArn = "arn:aws:sqs:eu-west-1:${ACCOUNT}:dead", maxReceiveCount = 4 })
  tags           = { Env = "test", Old = null }
}
resource "aws_sqs_queue" "dead" {
  name = "dead"
}
`.replace(
        'name           = "jobs"',
        'name           = "jobs"\n  depends_on = [aws_sqs_queue.dead]',
      ),
      state: {
        id: `${server.endpoint}/${ACCOUNT}/jobs`,
        arn: `arn:aws:sqs:eu-west-1:${ACCOUNT}:jobs`,
        region: 'eu-west-1',
        delay_seconds: 5,
        visibility_timeout_seconds: 30,
        tags: { Env: 'test' },
        tags_all: { Env: 'test', Team: 'core' },
      },
      updates: [
        {
          config: `
resource "aws_sqs_queue" "it" {
  name                       = "jobs"
  visibility_timeout_seconds = 60
  policy = jsonencode({ Version = "2012-10-17", Statement = { Effect = "Allow", Principal = "*", Action = ["sqs:SendMessage"], Resource = "*" } })
}
resource "aws_sqs_queue" "dead" {
  name = "dead"
}
`,
          state: {
            delay_seconds: 0,
            visibility_timeout_seconds: 60,
            tags: {},
            tags_all: { Team: 'core' },
          },
        },
      ],
      replace: {
        config: `
resource "aws_sqs_queue" "it" {
  name_prefix = "jobs-"
  fifo_queue  = true
  content_based_deduplication = true
}
resource "aws_sqs_queue" "dead" {
  name = "dead"
}
`,
        by: ['fifo_queue', 'name_prefix'],
        state: { name: /^jobs-\d{18}[0-9a-f]{8}\.fifo$/, fifo_queue: true },
      },
      drift: {
        change: (object) =>
          sqs.setQueueAttributes({
            QueueUrl: String(object['url']),
            Attributes: { MaximumMessageSize: '2048' },
          }),
        seen: { max_message_size: 2048 },
      },
      disappear: (object) => sqs.deleteQueue({ QueueUrl: String(object['url']) }),
      left: async () => (await sqs.listQueues({})).QueueUrls ?? [],
    });
  });

  const QUEUES =
    'resource "aws_sqs_queue" "queue" {\n  name = "jobs"\n}\nresource "aws_sqs_queue" "dead" {\n  name = "dead"\n}\n';
  const left = async (): Promise<readonly unknown[]> => (await sqs.listQueues({})).QueueUrls ?? [];
  const unset = (url: unknown, attribute: string) =>
    sqs.setQueueAttributes({ QueueUrl: String(url), Attributes: { [attribute]: '' } });

  it('leads the policy of a queue through its life', { timeout: 60_000 }, async () => {
    const policy = (action: string): string => `${QUEUES}
resource "aws_sqs_queue_policy" "it" {
  queue_url = aws_sqs_queue.queue.url
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Principal = "*", Action = "${action}", Resource = aws_sqs_queue.queue.arn }]
  })
}
`;
    await resourceLife(server, {
      address: 'aws_sqs_queue_policy.it',
      config: policy('sqs:SendMessage'),
      state: { policy: /SendMessage/ },
      updates: [{ config: policy('sqs:ReceiveMessage'), state: { policy: /ReceiveMessage/ } }],
      disappear: ({ queue_url }) => unset(queue_url, 'Policy'),
      alsoSeen: { 'aws_sqs_queue.queue': { policy: '' } },
      left,
    });
  });

  it(
    'leads where failed messages of a queue go through its life',
    { timeout: 60_000 },
    async () => {
      const policy = (most: number): string => `${QUEUES}
resource "aws_sqs_queue_redrive_policy" "it" {
  queue_url = aws_sqs_queue.queue.url
  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.dead.arn
    maxReceiveCount     = ${most}
  })
}
`;
      await resourceLife(server, {
        address: 'aws_sqs_queue_redrive_policy.it',
        config: policy(3),
        state: { redrive_policy: /"maxReceiveCount":3/ },
        updates: [{ config: policy(5), state: { redrive_policy: /"maxReceiveCount":5/ } }],
        disappear: ({ queue_url }) => unset(queue_url, 'RedrivePolicy'),
        alsoSeen: { 'aws_sqs_queue.queue': { redrive_policy: '' } },
        left,
      });
    },
  );
});
