import type { WaiterConfiguration } from '@smithy/types';
import type { RemoteObject } from '@terrane/provider/sdk';
import { AwsError } from './aws-error.ts';

/** A waiter of the SDK that returns its result, such as `waitForInstanceProfileExists`. */
export type SdkWaiter<Client, Input> = (
  settings: WaiterConfiguration<Client>,
  input: Input,
) => Promise<{ readonly state: string; readonly reason?: unknown }>;

/** A wait with a waiter of the SDK. */
export interface SdkWait<Client, Input, Output> {
  readonly waiter: SdkWaiter<Client, Input>;
  readonly input: Input;
  /** the operation by which the waiter looks: `(input) => aws.iam.getInstanceProfile(input)` */
  readonly ask: (input: Input) => Promise<Output>;
  /** milliseconds */
  readonly timeout: number;
}

const AGAIN = 'not yet';
const DONE = 'done';

/**
 * Waits with a waiter of the SDK. The waiter only evaluates answers; intervals, limits, logs and error messages are
 * those of all other waits. A missing object is pending; other errors that the waiter does not handle end the wait.
 */
export async function sdkWait<Client, Input, Output>(
  object: RemoteObject,
  subject: string,
  { waiter, input, ask, timeout }: SdkWait<Client, Input, Output>,
): Promise<void> {
  await object.waitFor(subject, {
    pending: [AGAIN],
    target: [DONE],
    timeout,
    refresh: async () => {
      const answer = ask(input);
      const state = await stateOfResponse(waiter, input, answer);
      // The waiter does not handle this error.
      if (state !== DONE) await answer;
      return { result: state, state };
    },
  });
}

/** Evaluates a response by the rules of a waiter. */
async function stateOfResponse<Client, Input>(
  waiter: SdkWaiter<Client, Input>,
  input: Input,
  answer: Promise<unknown>,
): Promise<string> {
  const outcome = answer.catch((problem: unknown) => {
    // The waiter expects errors as the SDK throws them.
    throw problem instanceof AwsError ? problem.cause : problem;
  });
  outcome.catch(() => undefined);
  // A waiter uses only this method of a client. It receives the same response until it times out.
  const client = { send: () => outcome } as unknown as Client;
  const { state } = await waiter({ ...AT_ONCE, client }, input);
  return state === 'SUCCESS' ? DONE : state === 'FAILURE' ? 'failed' : AGAIN;
}

/** Delays in seconds, which a waiter requires: it polls a few times within two milliseconds. */
const AT_ONCE = { minDelay: 0.001, maxDelay: 0.001, maxWaitTime: 0.002 };
