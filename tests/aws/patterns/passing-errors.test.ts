// Handling of transient errors of one operation. Each test shows that its pattern makes the difference.
import { describe, expect, it } from 'vitest';
import { RemoteObject } from '@terrane/provider/sdk';
import { MOTO } from '../../backends/moto.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { ROLE_NOT_ASSUMABLE, THROTTLED } from '../faults.ts';
import { actors, errorOf } from '../moto-world.ts';
import { expectPattern, play } from '../scenario.ts';
import { failing, MINUTE, named, TRUST, requireMoto, withProxy } from './pattern-world.ts';

requireMoto();

describe.runIf(MOTO)('transient errors of one operation', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

  it('are tried again: a queue that was deleted a moment ago', async () => {
    const code = 'QueueDeletedRecently';
    const message = 'You must wait 60 seconds after deleting a queue';
    const queryCode = `AWS.SimpleQueueService.${code}`;
    const trouble = failing({ status: 400, code, message, queryCode }, 'CreateQueue');
    const { elapsedMs } = await expectPattern(
      proxy,
      { type: 'aws_sqs_queue', written: named, trouble },
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
        written: named,
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
        written: named,
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

  it('are retried: a policy with a principal that has not propagated yet', async () => {
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

  it('are retried once after the time-out, without the unanswered request', async () => {
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
