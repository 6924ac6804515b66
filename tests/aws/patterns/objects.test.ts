// Handling of objects whose latest version is not visible yet. Each test shows that its pattern makes the difference.
import { describe, expect, it } from 'vitest';
import { MOTO } from '../../backends/moto.ts';
import type { AwsFailure } from '../aws-answer.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { expectPattern, play } from '../scenario.ts';
import { failing, named, requireMoto, withProxy } from './pattern-world.ts';

requireMoto();

describe.runIf(MOTO)('an object', () => {
  let proxy: FaultProxy;
  withProxy((started) => (proxy = started));

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
      written: named,
      before: named,
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
        written: named,
        before: named,
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

  it('that is missing from a response is an error that names it', async () => {
    const { error, name } = await play(proxy, {
      type: 'aws_sqs_queue',
      written: named,
      before: named,
      trouble: (at) => at.add({ service: 'sqs', operation: /^GetQueue/ }, { kind: 'empty' }),
      act: (life) => life.refresh(),
    });
    expect(error).toMatch(new RegExp(`reading SQS Queue \\(http.*/${name}\\)\n.*empty`));
  });

  it('that is updated is polled until the written value is read', async () => {
    const { step, fault } = await expectPattern(
      proxy,
      {
        type: 'aws_sqs_queue',
        before: named,
        written: (name) => ({ name, delay_seconds: 7 }),
        trouble: (at) =>
          at.add({ service: 'sqs', operation: 'GetQueueAttributes', times: 4 }, { kind: 'stale' }),
      },
      /waiting for SQS Queue \(.*\) update of attributes\n.*timeout/,
    );
    expect(step).toMatchObject({ action: 'update', state: { delay_seconds: 7 } });
    expect(fault.hits).toBe(4);
  });

  it('is neither set nor waited for where it does not change', async () => {
    const { error, elapsedMs } = await play(proxy, {
      type: 'aws_sqs_queue',
      before: named,
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
        before: named,
        written: named,
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
