import { NotFoundError, RemoteObject, seconds } from '@terrane/provider/sdk';
import { ManualClock } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { waitForFunctionActiveV2 } from '@aws-sdk/client-lambda';
import { AwsError } from './aws-error.ts';
import { sdkWait } from './sdk-waiter.ts';

const state = (State: string): object => ({ Configuration: { State }, $metadata: {} });
const refusal = Object.assign(new Error('not you'), {
  name: 'AccessDeniedException',
  $metadata: { httpStatusCode: 403 },
});
const denied = new AwsError('Lambda', 'GetFunction', refusal);

/** Waits for a function by answers of which the last stays; gives what came of it and how often was asked. */
async function wait(
  answers: readonly (object | Error)[],
): Promise<{ error: string; asked: number }> {
  const clock = new ManualClock();
  const object = new RemoteObject({ clock, type: 'Lambda Function', id: 'jobs' });
  let asked = 0;
  let ended = false;
  const ask = async (): Promise<object> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return await Promise.resolve(answer ?? {});
  };
  const waited = sdkWait(object, 'creation', {
    waiter: waitForFunctionActiveV2,
    input: { FunctionName: 'jobs' },
    ask,
    timeout: seconds(60),
  })
    .then(
      () => '',
      (problem: unknown) => String(problem),
    )
    .finally(() => (ended = true));
  while (!ended) {
    await clock.advance(seconds(1));
    // The waiter itself looks at the machine's clock for a moment.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { error: await waited, asked };
}

describe('a waiter of the SDK', () => {
  it('is polled with our own delays until it has completed', async () => {
    const answers = [state('Pending'), state('Pending'), state('Active')];
    expect(await wait(answers)).toEqual({ error: '', asked: 3 });
  });

  it('polls until the object exists', async () => {
    expect(await wait([new NotFoundError(), state('Active')])).toEqual({ error: '', asked: 2 });
  });

  it('reports failures with the name of the object', async () => {
    const { error, asked } = await wait([state('Pending'), state('Failed')]);
    expect(error).toMatch(
      /waiting for Lambda Function \(jobs\) creation.*unexpected state 'failed'/,
    );
    expect(asked).toBe(2);
  });

  it('ends with errors that it does not handle, as the service returned them', async () => {
    const { error, asked } = await wait([denied]);
    expect(error).toContain(
      'waiting for Lambda Function (jobs) creation: operation error Lambda: GetFunction',
    );
    expect(error).toContain('AccessDeniedException: not you');
    expect(asked).toBe(1);
  });

  it('fails after the time-out', async () => {
    const { error } = await wait([state('Pending')]);
    expect(error).toContain(
      "timeout while waiting for state to become 'done' (last state: 'not yet'",
    );
  });
});
