import { minutes, seconds } from '@terrane/provider/sdk';
import { policyFor, prerequisite } from './prerequisite.ts';
import {
  type RetryRule,
  type ServiceRules,
  type Source,
  type Subject,
  type WaitRule,
} from './rules.ts';

const COMMIT = '00a35305dc1b297a6fcdecdfbba33f1e63c3da39';
const QUEUE: Source = { file: 'sqs/queue.go', commit: COMMIT };
const ATTRIBUTE: Source = {
  file: 'sqs/attribute_funcs.go',
  commit: '013f1736b90439e5a19567a87d3e5cd11858c420',
};

const BAD_POLICY = {
  status: 400,
  code: 'InvalidAttributeValue',
  message: 'Invalid value for the parameter Policy.',
};
const NO_QUEUE = {
  status: 400,
  code: 'QueueDoesNotExist',
  message: 'The specified queue does not exist.',
  queryCode: 'AWS.SimpleQueueService.NonExistentQueue',
};
const READ =
  'a refresh removes it from the state when it is missing for 20 s, as some servers know of a queue later than others';

/** Shows another value of an attribute. */
const attribute =
  (name: string): WaitRule['show'] =>
  (body) => {
    const answer: unknown = JSON.parse(body);
    const attributes = Object(Reflect.get(Object(answer), 'Attributes'));
    if (Object.hasOwn(attributes, name)) Object.assign(attributes, { [name]: '"another"' });
    return JSON.stringify(answer);
  };

/** The wait for attributes after they were set. */
const attributes = (step: WaitRule['step'], name: string, limit: number): WaitRule => ({
  kind: 'wait',
  step,
  service: 'sqs',
  operation: 'GetQueueAttributes',
  pending: ['another value'],
  target: ['the requested value'],
  show: attribute(name),
  missing: NO_QUEUE,
  matches: 6,
  interval: seconds(5),
  limit,
});

const setting = (step: RetryRule['step']): RetryRule => ({
  kind: 'retry',
  step,
  service: 'sqs',
  operation: 'SetQueueAttributes',
  errors: [BAD_POLICY],
  limit: minutes(2),
});

const inQueue: NonNullable<Subject['prepare']> = async (actors, name) => ({
  queue_url: String((await prerequisite(actors, 'aws_sqs_queue', { name }))['url']),
});

/** Returns a redrive policy (the dead-letter queue) or a redrive allow policy (the source queues). */
const policyOf = (argument: string, other: string): string => {
  const arn = `arn:aws:sqs:eu-central-1:123456789012:${other}`;
  const failed = { deadLetterTargetArn: arn, maxReceiveCount: 4 };
  const taken = { redrivePermission: 'byQueue', sourceQueueArns: [arn] };
  return JSON.stringify(argument === 'redrive_policy' ? failed : taken);
};

/** The test server does not keep from which queues others may come. */
const knowsSources: NonNullable<Subject['answers']> = (proxy, name) => {
  const RedriveAllowPolicy = policyOf('redrive_allow_policy', `${name}-other`);
  const change = (body: string): string => {
    const answer: unknown = JSON.parse(body);
    const attributes: unknown = Reflect.get(Object(answer), 'Attributes');
    return JSON.stringify({ Attributes: { ...Object(attributes), RedriveAllowPolicy } });
  };
  proxy.add(
    { service: 'sqs', operation: 'GetQueueAttributes' },
    { kind: 'changed', status: 200, change },
  );
};

/** Resource types of SQS. */
export const SQS: ServiceRules = {
  service: 'SQS',
  types: [
    {
      type: 'aws_sqs_queue',
      sources: [QUEUE],
      subject: {
        written: (name) => ({ name, delay_seconds: 7 }),
        updated: (name) => ({ name, delay_seconds: 9 }),
      },
      note: READ,
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'sqs',
          operation: 'CreateQueue',
          errors: [
            {
              status: 400,
              code: 'QueueDeletedRecently',
              message: 'You must wait 60 seconds after deleting a queue',
              queryCode: 'AWS.SimpleQueueService.QueueDeletedRecently',
              anyMessage: true,
            },
            BAD_POLICY,
          ],
          limit: seconds(90),
          difference: 'a rejected policy is not retried; it may name a new role',
        },
        attributes('create', 'DelaySeconds', minutes(3)),
        {
          ...setting('update'),
          difference: 'not retried; the policy may name a new role',
        },
        attributes('update', 'DelaySeconds', minutes(3)),
        {
          kind: 'wait',
          step: 'delete',
          service: 'sqs',
          operation: 'GetQueueAttributes',
          pending: ['exists'],
          target: [],
          show: (body) => body,
          matches: 15,
          interval: seconds(3),
          limit: minutes(3),
        },
      ],
    },
    {
      type: 'aws_sqs_queue_policy',
      sources: [QUEUE, ATTRIBUTE],
      subject: {
        prepare: inQueue,
        written: () => ({ policy: policyFor('*') }),
        updated: () => ({ policy: policyFor('*', '*', 'sqs:SendMessage') }),
      },
      note: READ,
      rules: [
        {
          ...setting('create'),
          difference: 'retried for 10 minutes; IAM needs 2',
        },
        attributes('create', 'Policy', minutes(20)),
        {
          ...setting('update'),
          difference: 'retried for 10 minutes; IAM needs 2',
        },
      ],
    },
    ...(['redrive_policy', 'redrive_allow_policy'] as const).map((argument) => ({
      type: `aws_sqs_queue_${argument}`,
      sources: [QUEUE, ATTRIBUTE],
      subject: {
        prepare: async (actors, name) => {
          await prerequisite(actors, 'aws_sqs_queue', { name: `${name}-other` });
          return {
            ...(await inQueue(actors, name)),
            [argument]: policyOf(argument, `${name}-other`),
          };
        },
        written: () => ({}),
        ...(argument === 'redrive_allow_policy' && { answers: knowsSources }),
      } satisfies Subject,
      note: READ,
      rules: [
        attributes(
          'create',
          argument === 'redrive_policy' ? 'RedrivePolicy' : 'RedriveAllowPolicy',
          minutes(20),
        ),
      ],
    })),
  ],
};
