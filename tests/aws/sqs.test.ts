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
  });
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
      remaining: async () => (await sqs.listQueues({})).QueueUrls ?? [],
    });
  });

  const remaining = async (): Promise<readonly unknown[]> =>
    (await sqs.listQueues({})).QueueUrls ?? [];
  const set = (url: unknown, attribute: string, value = '') =>
    sqs.setQueueAttributes({ QueueUrl: String(url), Attributes: { [attribute]: value } });
  const queues = ['jobs', 'others', 'dead']
    .map((name) => `resource "aws_sqs_queue" "${name}" {\n  name = "${name}"\n}\n`)
    .join('');
  /** Another resource's argument of a queue, as JSON. */
  const attributeOf = (name: string, json: string, queue: string): string => `${queues}
resource "aws_sqs_queue_${name}" "it" {
  queue_url = aws_sqs_queue.${queue}.url
  ${name} = jsonencode(${json})
}
`;

  it('leads the policy of a queue through its life', { timeout: 600_000 }, async () => {
    const document = (action: string): string =>
      `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"${action}","Resource":"*"}]}`;
    const policy = (action: string, queue = 'jobs'): string =>
      attributeOf('policy', document(action), queue);
    await resourceLife(server, {
      address: 'aws_sqs_queue_policy.it',
      config: policy('sqs:SendMessage'),
      state: { policy: /SendMessage/ },
      updates: [{ config: policy('sqs:ReceiveMessage'), state: { policy: /ReceiveMessage/ } }],
      replace: { config: policy('sqs:ReceiveMessage', 'others'), by: ['queue_url'] },
      drift: {
        change: ({ queue_url }) => set(queue_url, 'Policy', document('sqs:DeleteMessage')),
        seen: { policy: /DeleteMessage/ },
        alsoSeen: { 'aws_sqs_queue.others': { policy: /DeleteMessage/ } },
      },
      disappear: ({ queue_url }) => set(queue_url, 'Policy'),
      alsoSeen: { 'aws_sqs_queue.others': { policy: '' } },
      remaining,
    });
  });

  it(
    'leads where failed messages of a queue go through its life',
    { timeout: 600_000 },
    async () => {
      const policy = (most: number, queue = 'jobs'): string =>
        attributeOf(
          'redrive_policy',
          `{ deadLetterTargetArn = aws_sqs_queue.dead.arn, maxReceiveCount = ${most} }`,
          queue,
        );
      await resourceLife(server, {
        address: 'aws_sqs_queue_redrive_policy.it',
        config: policy(3),
        state: { redrive_policy: /"maxReceiveCount":3/ },
        updates: [{ config: policy(5), state: { redrive_policy: /"maxReceiveCount":5/ } }],
        replace: { config: policy(5, 'others'), by: ['queue_url'] },
        drift: {
          change: ({ queue_url }) =>
            set(
              queue_url,
              'RedrivePolicy',
              `{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:${ACCOUNT}:dead","maxReceiveCount":9}`,
            ),
          seen: { redrive_policy: /"maxReceiveCount":9/ },
          alsoSeen: { 'aws_sqs_queue.others': { redrive_policy: /"maxReceiveCount":9/ } },
        },
        disappear: ({ queue_url }) => set(queue_url, 'RedrivePolicy'),
        alsoSeen: { 'aws_sqs_queue.others': { redrive_policy: '' } },
        remaining,
      });
    },
  );

  it(
    'leads which queues may send failed messages to a queue through its life',
    { timeout: 600_000 },
    async () => {
      // The server does not know the attribute RedriveAllowPolicy, so it is kept here.
      const kept = new Map<unknown, unknown>();
      const policy = (who: string, queue = 'dead'): string =>
        attributeOf('redrive_allow_policy', `{ redrivePermission = "${who}" }`, queue);
      await resourceLife(server, {
        async intercept(operation, { QueueUrl, Attributes, AttributeNames }, server) {
          const written: object = typeof Attributes === 'object' ? { ...Attributes } : {};
          if (operation === 'SetQueueAttributes' && 'RedriveAllowPolicy' in written) {
            kept.set(QueueUrl, written.RedriveAllowPolicy);
            return {};
          }
          if (operation !== 'GetQueueAttributes') return undefined;
          const names: unknown[] = Array.isArray(AttributeNames) ? AttributeNames : [];
          const answered = { RedriveAllowPolicy: kept.get(QueueUrl) ?? '' };
          if (names.includes('RedriveAllowPolicy')) return { Attributes: answered };
          const answer = answered.RedriveAllowPolicy === '' ? undefined : await server();
          return answer && { Attributes: { ...Object(answer['Attributes']), ...answered } };
        },
        address: 'aws_sqs_queue_redrive_allow_policy.it',
        config: policy('allowAll'),
        state: { redrive_allow_policy: '{"redrivePermission":"allowAll"}' },
        updates: [{ config: policy('denyAll'), state: { redrive_allow_policy: /denyAll/ } }],
        replace: { config: policy('denyAll', 'others'), by: ['queue_url'] },
        drift: {
          change: ({ queue_url }) =>
            Promise.resolve(kept.set(queue_url, '{"redrivePermission":"allowAll"}')),
          seen: { redrive_allow_policy: '{"redrivePermission":"allowAll"}' },
          alsoSeen: { 'aws_sqs_queue.others': { redrive_allow_policy: /allowAll/ } },
        },
        disappear: ({ queue_url }) => Promise.resolve(kept.set(queue_url, '')),
        alsoSeen: { 'aws_sqs_queue.others': { redrive_allow_policy: '' } },
        remaining: async () => [
          ...(await remaining()),
          ...[...kept.values()].filter((each) => each !== ''),
        ],
      });
    },
  );
});
