// What the provider for AWS does about a service that is slow, busy, asynchronous and only consistent in the end. Every
// pattern is tried with the provider's own resources, and shown to be what makes the difference.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemoteObject } from '@terrane/provider/sdk';
import { MOTO } from '../backends/moto.ts';
import type { LogEntry } from '@terrane/provider';
import { type AwsFailure, REQUEST_ID } from './aws-answer.ts';
import type { FaultProxy } from './fault-proxy.ts';
import {
  EXPIRED,
  INTERNAL,
  ROLE_NOT_ASSUMABLE,
  THROTTLED,
  TOO_MANY,
  UNAVAILABLE,
} from './faults.ts';
import { actors, errorOf, startWorld, type World } from './moto-world.ts';
import { expectPattern, play, type Scenario } from './scenario.ts';

const MINUTE = 60_000;

/** Who may use a role, as far as these tests need it. */
const TRUST = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: ['ec2.amazonaws.com', 'lambda.amazonaws.com'] },
      Action: 'sts:AssumeRole',
    },
  ],
};

it.runIf(process.env['CI'] === 'true')('moto is there where everything is to be tested', () => {
  expect(MOTO).toBe(true);
});

describe.runIf(MOTO)('the provider for AWS', () => {
  let world: World;
  let proxy: FaultProxy;
  beforeAll(async () => {
    world = await startWorld();
    ({ proxy } = world);
  }, 120_000);
  afterAll(() => world.stop(), 120_000);

  const queue = (name: string) => ({ name });
  const network = () => ({ cidr_block: '10.0.0.0/16' });
  const failing = (
    failure: AwsFailure,
    operation: string | RegExp,
    service = 'sqs',
    times = 4,
  ): Scenario['trouble'] => {
    return (at) => at.add({ service, operation, times }, { kind: 'failure', failure });
  };

  describe('requests', () => {
    it.each([
      ['throttling by its code', THROTTLED],
      ['throttling by its status', TOO_MANY],
      ['faults of the service', INTERNAL],
      ['services that are not there', UNAVAILABLE],
    ])('are tried again after %s', async (_, failure) => {
      const trouble = failing(failure, 'CreateQueue');
      const without = { max_retries: 0 };
      const scenario: Scenario = { type: 'aws_sqs_queue', written: queue, trouble, without };
      const { fault } = await expectPattern(proxy, scenario, new RegExp(failure.code));
      expect(fault.hits).toBe(4);
    });

    it('are tried 25 times again, which takes about an hour, where nothing else is said', async () => {
      const trouble = failing(INTERNAL, 'CreateInternetGateway', 'ec2', Infinity);
      const scenario = { type: 'aws_internet_gateway', written: () => ({}), trouble };
      const { error, fault, elapsedMs } = await play(proxy, scenario);
      expect(error).toContain(INTERNAL.code);
      expect(fault.hits).toBe(26);
      expect(elapsedMs).toBeGreaterThan(40 * MINUTE);
      expect(elapsedMs).toBeLessThan(90 * MINUTE);
    });

    it('are tried ten times again, which takes half a minute, where nobody is there', async () => {
      const { clock, of } = await actors(proxy, {
        endpoint: 'http://127.0.0.1:1',
        skip_requesting_account_id: true,
      });
      const step = await (await of('aws_sqs_queue')).apply({ name: 'it' });
      expect(errorOf(step)).toContain('ECONNREFUSED');
      expect(clock.elapsedMs).toBeGreaterThan(20_000);
      expect(clock.elapsedMs).toBeLessThan(70_000);
    });

    it('are not tried again when the connection was reset, as the work may be done', async () => {
      const scope = { service: 'sqs', operation: 'CreateQueue', times: 1 };
      const { error, name } = await play(proxy, {
        type: 'aws_sqs_queue',
        written: queue,
        trouble: (at) => at.add(scope, { kind: 'reset', done: true }),
      });
      expect(error).toContain(`creating SQS Queue (${name})`);
      expect(error).toContain('ECONNRESET');
      expect(proxy.count('sqs', 'CreateQueue')).toBe(1);
    });

    it('are not tried again with credentials that have run out', async () => {
      const trouble = failing(EXPIRED, 'CreateQueue', 'sqs', Infinity);
      const { error } = await play(proxy, { type: 'aws_sqs_queue', written: queue, trouble });
      expect(error).toContain(EXPIRED.message);
      expect(proxy.count('sqs', 'CreateQueue')).toBe(1);
    });

    it('say in errors which request failed and how, as support asks for it', async () => {
      const trouble = failing(EXPIRED, 'CreateQueue', 'sqs', Infinity);
      const { error } = await play(proxy, { type: 'aws_sqs_queue', written: queue, trouble });
      const how = `StatusCode: 403, RequestID: ${REQUEST_ID}, api error ExpiredToken: `;
      expect(error).toContain(`operation error SQS: CreateQueue, https response error ${how}`);
    });

    it('are in the log with what they are about, and without secrets', async () => {
      const { checked, of } = await actors(proxy);
      const entries: LogEntry[] = [];
      checked.logTo?.((entry) => entries.push(entry));
      proxy.reset();
      proxy.add(
        { service: 'ssm', operation: 'PutParameter', times: 1 },
        { kind: 'failure', failure: THROTTLED },
      );
      const written = { name: 'it-secret', type: 'SecureString', value: 'open sesame' };
      expect(errorOf(await (await of('aws_ssm_parameter')).apply(written))).toBe('');
      const put = entries.filter(({ fields }) => fields['aws.operation'] === 'PutParameter');
      expect(put.map(({ level, message }) => [level, message])).toEqual([
        ['debug', 'HTTP Request Sent'],
        ['debug', 'HTTP Response Received'],
      ]);
      expect(put[0]?.fields).toMatchObject({
        subject: 'aws_ssm_parameter',
        object: 'SSM Parameter (it-secret)',
      });
      expect(put[0]?.fields['input']).toMatchObject({ Name: 'it-secret', Value: '***' });
      expect(put[1]?.fields).toMatchObject({ 'http.status_code': 200, attempts: 2 });
      expect(entries.map(({ message }) => message)).toContain('request is tried again');
      expect(JSON.stringify(entries)).not.toContain('open sesame');
    });

    it('that are tried again for more than a minute are in the progress, with the reason', async () => {
      const { of } = await actors(proxy);
      proxy.reset();
      const scope = { service: 'sqs', operation: 'DeleteQueue', times: 13 };
      const life = await of('aws_sqs_queue');
      expect(errorOf(await life.apply({ name: 'it-held-up' }))).toBe('');
      proxy.add(scope, { kind: 'failure', failure: INTERNAL });
      expect(errorOf(await life.destroy())).toBe('');
      const note = /^retrying SQS DeleteQueue, attempt \d+ of 26: InternalFailure: It is us$/;
      expect(life.notes[0]).toMatch(note);
      expect(life.notes.slice(0, -1).filter((each) => !note.test(each))).toEqual([]);
      expect(life.notes.at(-1)).toBe('');
    });

    it('may take longer than operations do', async () => {
      const { clock, of } = await actors(proxy);
      proxy.reset();
      const scope = { service: 'ec2', operation: 'CreateInternetGateway', times: 1 };
      proxy.add(scope, { kind: 'slow', until: () => clock.sleep(30 * MINUTE) });
      const step = await (await of('aws_internet_gateway')).apply({});
      expect(errorOf(step)).toBe('');
      expect(clock.elapsedMs).toBeGreaterThanOrEqual(30 * MINUTE);
    });
  });

  describe('errors that pass in one operation', () => {
    it('are tried again: a queue that was deleted a moment ago', async () => {
      const code = 'QueueDeletedRecently';
      const message = 'You must wait 60 seconds after deleting a queue';
      const queryCode = `AWS.SimpleQueueService.${code}`;
      const trouble = failing({ status: 400, code, message, queryCode }, 'CreateQueue');
      const { elapsedMs } = await expectPattern(
        proxy,
        { type: 'aws_sqs_queue', written: queue, trouble },
        /creating SQS Queue \(it-\d+\)\n.*You must wait 60 seconds/,
      );
      expect(elapsedMs).toBeLessThan(2 * MINUTE);
    });

    it('are tried again: a role that IAM does not know everywhere yet', async () => {
      const message = 'The role with name it cannot be found.';
      const { step, name, elapsedMs } = await expectPattern(
        proxy,
        {
          type: 'aws_iam_instance_profile',
          prepare: async ({ of }, role) => {
            const assume_role_policy = JSON.stringify(TRUST);
            const made = await (await of('aws_iam_role')).apply({ name: role, assume_role_policy });
            expect(errorOf(made)).toBe('');
            return { role };
          },
          before: (profile) => ({ name: profile, role: '' }),
          written: queue,
          trouble: failing(
            { status: 404, code: 'NoSuchEntity', message },
            'AddRoleToInstanceProfile',
            'iam',
          ),
        },
        /The role with name it cannot be found/,
      );
      expect(step.state).toMatchObject({ name, role: name });
      expect(elapsedMs).toBeLessThan(2 * MINUTE);
    });

    it('are tried again: a role of a service that has just been made', async () => {
      const code = 'InvalidParameterException';
      const message = 'Unable to assume the service linked role. Please verify that it exists.';
      const { step, elapsedMs } = await expectPattern(
        proxy,
        {
          type: 'aws_ecs_service',
          prepare: async ({ of }, name) => {
            expect(errorOf(await (await of('aws_ecs_cluster')).apply({ name }))).toBe('');
            return { cluster: name };
          },
          written: queue,
          trouble: failing({ status: 400, code, message }, 'CreateService', 'ecs'),
        },
        /creating ECS Service \(it-\d+\)\n.*Unable to assume the service linked role/,
      );
      expect(step.state).toMatchObject({ scheduling_strategy: 'REPLICA' });
      expect(elapsedMs).toBeLessThan(4 * MINUTE);
    });

    it('are waited for where the user wants it: tasks that start', async () => {
      const { elapsedMs } = await expectPattern(
        proxy,
        {
          type: 'aws_ecs_service',
          prepare: async ({ of }, name) => {
            expect(errorOf(await (await of('aws_ecs_cluster')).apply({ name }))).toBe('');
            return { cluster: name };
          },
          before: (name) => ({ name, desired_count: 1 }),
          written: (name) => ({ name, desired_count: 2, wait_for_steady_state: true }),
          trouble: (at) =>
            at.add(
              { service: 'ecs', operation: 'DescribeServices', times: 30 },
              {
                kind: 'changed',
                change: (body) => body.replaceAll(/"runningCount": ?2/g, '"runningCount": 1'),
              },
            ),
        },
        /waiting for ECS Service \(.*it-\d+\) steady state/,
      );
      expect(elapsedMs).toBeGreaterThan(2 * MINUTE);
    });

    it('are not waited for where the user does not want it: tasks that start', async () => {
      const { error, step, elapsedMs } = await play(proxy, {
        type: 'aws_ecs_service',
        prepare: async ({ of }, name) => {
          expect(errorOf(await (await of('aws_ecs_cluster')).apply({ name }))).toBe('');
          return { cluster: name };
        },
        before: (name) => ({ name, desired_count: 1 }),
        written: (name) => ({ name, desired_count: 2, wait_for_steady_state: false }),
        trouble: (at) => {
          const change = (body: string): string =>
            body.replaceAll(/"runningCount": ?2/g, '"runningCount": 1');
          return at.add(
            { service: 'ecs', operation: 'DescribeServices' },
            { kind: 'changed', change },
          );
        },
      });
      expect(error).toBe('');
      expect(step.state).toMatchObject({ desired_count: 2 });
      expect(elapsedMs).toBeLessThan(MINUTE);
    });

    it('are tried again: a role of a function that Lambda has not heard of', async () => {
      const { elapsedMs } = await expectPattern(
        proxy,
        {
          type: 'aws_lambda_function',
          prepare: async ({ of }, name) => {
            const assume_role_policy = JSON.stringify(TRUST);
            const made = await (await of('aws_iam_role')).apply({ name, assume_role_policy });
            expect(errorOf(made)).toBe('');
            return { role: String(made.state?.['arn']) };
          },
          written: (name) => ({
            function_name: name,
            package_type: 'Image',
            image_uri: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/it:latest',
          }),
          trouble: failing(ROLE_NOT_ASSUMABLE, /^POST \/2015-03-31\/functions\/?$/, 'lambda'),
        },
        /creating Lambda Function \(it-\d+\)\n.*cannot be assumed by Lambda/,
      );
      expect(elapsedMs).toBeLessThan(2 * MINUTE);
    });

    it('are tried again: a role that scaling cannot assume yet', async () => {
      const message = 'Unable to assume IAM role: arn:aws:iam::123456789012:role/scaling';
      const failure = { status: 400, code: 'ValidationException', message };
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_appautoscaling_target',
          written: (name) => ({
            min_capacity: 1,
            max_capacity: 4,
            resource_id: `table/${name}`,
            role_arn: 'arn:aws:iam::123456789012:role/scaling',
            scalable_dimension: 'dynamodb:table:ReadCapacityUnits',
            service_namespace: 'dynamodb',
          }),
          trouble: (at, name) => {
            // The server does not know the tags of targets.
            const tags = { service: 'application-autoscaling', operation: 'ListTagsForResource' };
            at.add(tags, { kind: 'changed', change: () => '{"Tags":{}}', status: 200 });
            return failing(failure, 'RegisterScalableTarget', 'application-autoscaling')(at, name);
          },
        },
        /creating Application AutoScaling Target \(table\/it-\d+\)\n.*Unable to assume IAM role/,
      );
      expect(step.state).toMatchObject({ max_capacity: 4 });
    });

    it('are tried again: a policy that names what IAM has not told of yet', async () => {
      const code = 'MalformedPolicyDocumentException';
      const message = 'Policy contains a statement with one or more invalid principals.';
      const trouble = failing({ status: 400, code, message }, 'CreateKey', 'kms');
      await expectPattern(
        proxy,
        { type: 'aws_kms_key', written: (description) => ({ description }), trouble },
        /creating KMS Key.*\n.*invalid principals/,
      );
    });

    // Answers of the server as the proxy lets them through, without the SDK's own tries.
    const createQueue = async (name: string): Promise<void> => {
      const answer = await fetch(proxy.endpoint, {
        method: 'POST',
        headers: {
          authorization: 'AWS4-HMAC-SHA256 Credential=test/20240101/eu-central-1/sqs/aws4_request',
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'AmazonSQS.CreateQueue',
        },
        body: JSON.stringify({ QueueName: name }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    };

    it('are followed by a last try where time was over before any try had ended', async () => {
      const scope = { service: 'sqs', operation: 'CreateQueue', times: 1 };
      const creating = async (lastTry: 'unanswered' | 'never'): Promise<void> => {
        const { clock } = await actors(proxy);
        proxy.reset();
        proxy.add(scope, { kind: 'slow', until: () => clock.sleep(60 * MINUTE) });
        const object = new RemoteObject({ clock, type: 'SQS Queue', id: 'late' });
        const again = { isRetryable: () => true, lastTry };
        await object.operation('creating', () => createQueue('late'), again);
      };
      await expect(creating('never')).rejects.toThrow(/creating SQS Queue \(late\): timeout/);
      await creating('unanswered');
      expect(proxy.count('sqs', 'CreateQueue')).toBe(2);
    });

    it('are followed by a last try after time-out, with the first one ended', async () => {
      const { clock, of } = await actors(proxy);
      proxy.reset();
      // The retries of a client that is throttled take longer than a queue's creation may.
      const scope = { service: 'sqs', operation: 'CreateQueue', times: 12 };
      proxy.add(scope, { kind: 'failure', failure: THROTTLED });
      const step = await (await of('aws_sqs_queue')).apply({ name: 'given-up' });
      expect(errorOf(step)).toBe('');
      expect(proxy.count('sqs', 'CreateQueue')).toBe(13);
      // Without an end the first try would ask again when its pause is over.
      await clock.sleep(60 * MINUTE);
      expect(proxy.count('sqs', 'CreateQueue')).toBe(13);
    });

    it('are followed by a last try after time-out, without the request that nobody answers', async () => {
      const { clock, of } = await actors(proxy);
      proxy.reset();
      const scope = { service: 'sqs', operation: 'CreateQueue', times: 1 };
      const slow = proxy.add(scope, { kind: 'slow', until: () => clock.sleep(60 * MINUTE) });
      const step = await (await of('aws_sqs_queue')).apply({ name: 'unanswered' });
      expect(errorOf(step)).toBe('');
      expect(proxy.count('sqs', 'CreateQueue')).toBe(2);
      // The connection of the first one was closed, of which the proxy hears a little later.
      await expect.poll(() => slow.abandoned).toBe(1);
    });

    it('are tried again when they show at the end of something long that began in time', async () => {
      const creating = async (name: string, timeout: number): Promise<number> => {
        const scope = { service: 'sqs', operation: 'CreateQueue', about: name, times: 2 };
        const { clock } = await actors(proxy);
        proxy.reset();
        proxy.add(scope, { kind: 'failure', failure: ROLE_NOT_ASSUMABLE });
        const object = new RemoteObject({ clock, type: 'Cluster', id: name });
        const isRetryable = (error: unknown) => String(error).includes('cannot be assumed');
        const work = async (): Promise<void> => {
          await clock.sleep(50_000);
          await createQueue(name);
        };
        await object.operation('creating', work, { isRetryable, timeout });
        return clock.elapsedMs;
      };
      // Without time of its own, three times 50 seconds are longer than the two minutes for propagation.
      await expect(creating('short', 0)).rejects.toThrow(/creating Cluster \(short\)/);
      expect(await creating('long', 10 * MINUTE)).toBeGreaterThan(2 * MINUTE);
    });
  });

  describe('errors that pass, at the end of an operation that goes on after its answer', () => {
    const LATER = 'The role may not do that yet.';
    const roleOf: Scenario['prepare'] = async ({ of }, name) => {
      const assume_role_policy = JSON.stringify(TRUST);
      const made = await (await of('aws_iam_role')).apply({ name, assume_role_policy });
      expect(errorOf(made)).toBe('');
      return { role: String(made.state?.['arn']) };
    };
    const written = (name: string) => ({
      function_name: name,
      package_type: 'Image',
      image_uri: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/it:latest',
    });
    /** Looks at a function show it on its way so many times, and then failed, in its first lives. */
    const failingLate =
      (pending: number, lives: number, made: string | RegExp): Scenario['trouble'] =>
      (at, name) => {
        let looks = 0;
        const change = (body: string): string => {
          const answer: unknown = JSON.parse(body);
          const found: unknown = Reflect.get(Object(answer), 'Configuration');
          const isOver = ++looks % (pending + 1) === 0;
          Object.assign(Object(found ?? answer), {
            State: isOver ? 'Failed' : 'Pending',
            StateReasonCode: 'InsufficientRolePermissions',
            StateReason: LATER,
            LastUpdateStatus: isOver ? 'Failed' : 'InProgress',
            LastUpdateStatusReasonCode: 'InsufficientRolePermissions',
            LastUpdateStatusReason: LATER,
          });
          return JSON.stringify(answer);
        };
        const times = (pending + 1) * lives;
        const operation = new RegExp(`^GET /2015-03-31/functions/${name}${String(made)}$`);
        return at.add({ service: 'lambda', operation, times }, { kind: 'changed', change });
      };
    const CREATE = /^POST \/2015-03-31\/functions\/?$/;

    it('let it begin anew: a function whose role may not do enough yet', async () => {
      const { step, name, fault } = await expectPattern(
        proxy,
        {
          type: 'aws_lambda_function',
          prepare: roleOf,
          written,
          trouble: failingLate(5, 2, ''),
        },
        /waiting for Lambda Function \(it-\d+\) creation\n.*InsufficientRolePermissions: The role may not/,
      );
      expect(step.state).toMatchObject({ function_name: name });
      expect([fault.hits, proxy.count('lambda', CREATE)]).toEqual([12, 3]);
    });

    it('let it begin anew: a change of a function whose role may not do enough yet', async () => {
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_lambda_function',
          prepare: roleOf,
          before: written,
          written: (name) => ({ ...written(name), memory_size: 256 }),
          trouble: failingLate(5, 2, '/configuration'),
        },
        /waiting for Lambda Function \(it-\d+\) update\n.*InsufficientRolePermissions: The role may not/,
      );
      expect(step.state).toMatchObject({ memory_size: 256 });
    });

    it('end it where it did not begin within the time of propagation, though its own is not over', async () => {
      // Each life takes about a minute, so that the third one begins after two minutes.
      const { step, error, elapsedMs } = await play(proxy, {
        type: 'aws_lambda_function',
        prepare: roleOf,
        written,
        trouble: failingLate(12, Infinity, ''),
      });
      expect(error).toContain(`InsufficientRolePermissions: ${LATER}`);
      expect(proxy.count('lambda', CREATE)).toBe(3);
      expect(elapsedMs).toBeGreaterThan(2 * MINUTE);
      expect(elapsedMs).toBeLessThan(10 * MINUTE);
      expect(step.state).toMatchObject({ id: expect.stringMatching(/^it-/) });
    });
  });

  describe('an object', () => {
    const NO_QUEUE: AwsFailure = {
      status: 400,
      code: 'QueueDoesNotExist',
      message: 'The specified queue does not exist.',
      queryCode: 'AWS.SimpleQueueService.NonExistentQueue',
    };

    it('that was just created may be missing for a while', async () => {
      // Nothing waits for a policy: it is read when it was created.
      const missing = { status: 404, code: 'NoSuchEntity', message: 'There is no such policy.' };
      const trouble = failing(missing, 'GetPolicy', 'iam');
      const policy = JSON.stringify({
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }],
      });
      const { step, name } = await expectPattern(
        proxy,
        { type: 'aws_iam_policy', written: (each) => ({ name: each, policy }), trouble },
        /reading IAM Policy \(arn:.*it-\d+\)\n.*There is no such policy/,
      );
      expect(step.state).toMatchObject({ name });
    });

    it('that is gone is removed from the state, with a warning, and looked for once', async () => {
      const outcome = await play(proxy, {
        type: 'aws_sns_topic',
        written: queue,
        before: queue,
        trouble: failing(
          { status: 404, code: 'NotFound', message: 'Topic does not exist' },
          'GetTopicAttributes',
          'sns',
          Infinity,
        ),
        act: (life) => life.refresh(),
      });
      const { step, fault, name } = outcome;
      expect(step.state).toBeNull();
      expect(fault.hits).toBe(1);
      const [warning] = step.diagnostics ?? [];
      expect(warning?.severity).toBe('warning');
      expect(warning?.summary).toMatch(new RegExp(`^SNS Topic \\(arn:.*:${name}\\) is gone$`));
    });

    it('that is missing in an answer counts as gone after a while, where servers do not agree', async () => {
      const refreshed = (times: number) =>
        play(proxy, {
          type: 'aws_sqs_queue',
          written: queue,
          before: queue,
          trouble: failing(NO_QUEUE, 'GetQueueAttributes', 'sqs', times),
          act: (life) => life.refresh(),
        });
      const stale = await refreshed(4);
      expect(stale.error).toBe('');
      expect(stale.step.state).toMatchObject({ name: stale.name });
      const { step, elapsedMs, fault } = await refreshed(Infinity);
      expect(step.state).toBeNull();
      expect(fault.hits).toBeGreaterThan(4);
      expect(elapsedMs).toBe(20_000);
    });

    it('of which an answer says nothing is an error that names it', async () => {
      const { error, name } = await play(proxy, {
        type: 'aws_sqs_queue',
        written: queue,
        before: queue,
        trouble: (at) => at.add({ service: 'sqs', operation: /^GetQueue/ }, { kind: 'empty' }),
        act: (life) => life.refresh(),
      });
      expect(error).toMatch(new RegExp(`reading SQS Queue \\(http.*/${name}\\)\n.*empty`));
    });

    it('that is changed is waited for until what was written is read', async () => {
      const { step, fault } = await expectPattern(
        proxy,
        {
          type: 'aws_sqs_queue',
          before: queue,
          written: (name) => ({ name, delay_seconds: 7 }),
          trouble: (at) =>
            at.add(
              { service: 'sqs', operation: 'GetQueueAttributes', times: 4 },
              { kind: 'stale' },
            ),
        },
        /waiting for SQS Queue \(.*\) update of attributes\n.*timeout/,
      );
      expect(step).toMatchObject({ action: 'update', state: { delay_seconds: 7 } });
      expect(fault.hits).toBe(4);
    });

    it('is neither set nor waited for where it does not change', async () => {
      const { error, elapsedMs } = await play(proxy, {
        type: 'aws_sqs_queue',
        before: queue,
        written: (name) => ({ name, tags: { Env: 'test' } }),
        trouble: (at) =>
          at.add({ service: 'sqs', operation: 'SetQueueAttributes' }, { kind: 'empty' }),
      });
      expect(error).toBe('');
      expect(proxy.count('sqs', 'SetQueueAttributes')).toBe(0);
      expect(elapsedMs).toBeLessThan(1_000);
    });

    it('that is deleted is waited for until it is gone', async () => {
      const scope = { service: 'sqs', operation: 'GetQueueAttributes', times: 4 };
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_sqs_queue',
          before: queue,
          written: queue,
          trouble: (at) => {
            const body = JSON.stringify({ Attributes: { QueueArn: 'arn' } });
            return at.add(scope, { kind: 'changed', change: () => body, status: 200 });
          },
          act: (life) => life.destroy(),
        },
        /waiting for SQS Queue \(.*\) deletion\n.*timeout/,
      );
      expect(step.state).toBeNull();
    });
  });

  describe('an operation that goes on after its answer', () => {
    const inState = (state: string, times: number): Scenario['trouble'] => {
      const change = (body: string): string =>
        body.replace('<state>available</state>', `<state>${state}</state>`);
      return (at) =>
        at.add({ service: 'ec2', operation: 'DescribeVpcs', times }, { kind: 'changed', change });
    };

    it('is waited for, through the states on its way', async () => {
      const trouble = inState('pending', 4);
      const { step } = await expectPattern(
        proxy,
        { type: 'aws_vpc', written: network, trouble },
        /waiting for EC2 VPC \(vpc-\w+\) creation\n.*timeout.*'pending'/s,
      );
      expect(step.state).toMatchObject(network());
    });

    it('is waited for with a waiter that the SDK has for it', async () => {
      const message = 'The user with name it cannot be found.';
      const trouble = failing({ status: 404, code: 'NoSuchEntity', message }, 'GetUser', 'iam');
      const { step, name } = await expectPattern(
        proxy,
        { type: 'aws_iam_user', written: queue, trouble },
        /waiting for IAM User \(it-\d+\) creation\n.*timeout/,
      );
      expect(step.state).toMatchObject({ name });
    });

    it('is not waited for in a state that is not on its way', async () => {
      const trouble = inState('failed', Infinity);
      const { error, elapsedMs } = await play(proxy, {
        type: 'aws_vpc',
        written: network,
        trouble,
      });
      expect(error).toMatch(
        /waiting for EC2 VPC \(vpc-\w+\) creation\n.*unexpected state 'failed', wanted target 'available'/,
      );
      expect(elapsedMs).toBeLessThan(1_000);
    });

    it('leaves an object behind that is known, where waiting for it fails', async () => {
      const trouble = inState('failed', Infinity);
      const { step } = await play(proxy, { type: 'aws_vpc', written: network, trouble });
      expect(step.state?.['id']).toMatch(/^vpc-/);
    });

    it('is waited for until an argument has the value that it was given', async () => {
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_vpc',
          before: network,
          written: () => ({ ...network(), enable_dns_hostnames: true }),
          trouble: (at) =>
            at.add(
              { service: 'ec2', operation: 'DescribeVpcAttribute', about: 'Hostnames', times: 4 },
              { kind: 'stale' },
            ),
        },
        /waiting for EC2 VPC \(vpc-\w+\) update of enableDnsHostnames/,
      );
      expect(step.state).toMatchObject({ enable_dns_hostnames: true });
    });

    it('is tried again while something that is being deleted still depends on it', async () => {
      const failure = { status: 400, code: 'DependencyViolation', message: 'It has dependencies.' };
      const trouble = failing(failure, 'DeleteVpc', 'ec2', 4);
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_vpc',
          before: network,
          written: network,
          trouble,
          act: (life) => life.destroy(),
        },
        /deleting EC2 VPC \(vpc-\w+\)\n.*DependencyViolation/,
      );
      expect(step.state).toBeNull();
    });

    it('is in the progress, with the reason, while it is tried again for long', async () => {
      const { of } = await actors(proxy);
      proxy.reset();
      const life = await of('aws_vpc');
      expect(errorOf(await life.apply(network()))).toBe('');
      const failure = { status: 400, code: 'DependencyViolation', message: 'It has dependencies.' };
      proxy.add(
        { service: 'ec2', operation: 'DeleteVpc', times: 12 },
        { kind: 'failure', failure },
      );
      expect(errorOf(await life.destroy())).toBe('');
      expect(life.notes[0]).toMatch(
        /^retrying deleting EC2 VPC \(vpc-\w+\): operation error EC2: DeleteVpc.*It has dependencies\.$/,
      );
      expect(life.notes.at(-1)).toBe('');
    });

    it('is waited for until the object is gone', async () => {
      const { step } = await expectPattern(
        proxy,
        {
          type: 'aws_vpc',
          before: network,
          written: network,
          trouble: (at) =>
            at.add({ service: 'ec2', operation: 'DescribeVpcs', times: 4 }, { kind: 'stale' }),
          act: (life) => life.destroy(),
        },
        /waiting for EC2 VPC \(vpc-\w+\) deletion/,
      );
      expect(step.state).toBeNull();
    });
  });
});
