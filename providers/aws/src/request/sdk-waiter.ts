import type { WaiterConfiguration } from '@smithy/types';
import type { RemoteObject } from '@terrane/provider/sdk';
import { AwsError } from './aws-error.ts';

/** A waiter of the SDK that gives what it came to: `waitForInstanceProfileExists`. */
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
 * Waits with a waiter that the SDK has for an operation. The waiter says what an answer means, and nothing else: how long
 * is waited between looks, and how long in all, what is logged and how errors name the object, is as with all other
 * waits. What is not found is not there yet; all other errors that the waiter makes nothing of end it.
 */
export async function sdkWait<Client, Input, Output>(
  object: RemoteObject,
  what: string,
  { waiter, input, ask, timeout }: SdkWait<Client, Input, Output>,
): Promise<void> {
  await object.waitFor(what, {
    pending: [AGAIN],
    target: [DONE],
    timeout,
    refresh: async () => {
      const answer = ask(input);
      const state = await judged(waiter, input, answer);
      // An error that the waiter makes nothing of.
      if (state !== DONE) await answer;
      return { result: state, state };
    },
  });
}

/** Evaluates an answer by the rules of a waiter. */
async function judged<Client, Input>(
  waiter: SdkWaiter<Client, Input>,
  input: Input,
  answer: Promise<unknown>,
): Promise<string> {
  const outcome = answer.catch((problem: unknown) => {
    // The waiter looks at errors as the SDK throws them.
    throw problem instanceof AwsError ? problem.cause : problem;
  });
  outcome.catch(() => undefined);
  // Of a client a waiter uses this alone. Whatever it asks, it is told the same, until it has had enough of it.
  const client = { send: () => outcome } as unknown as Client;
  const { state } = await waiter({ ...AT_ONCE, client }, input);
  return state === 'SUCCESS' ? DONE : state === 'FAILURE' ? 'failed' : AGAIN;
}

/** Seconds, of which a waiter wants some: it looks a few times within two thousandths. */
const AT_ONCE = { minDelay: 0.001, maxDelay: 0.001, maxWaitTime: 0.002 };
