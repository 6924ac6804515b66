import { object, str } from '@terrane/cty';
import { ManualClock } from '@terrane/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { enforceContract } from '../enforce/enforce-contract.ts';
import { defineProvider, RemoteObject, resource, string } from './index.ts';

// Node reports a leak on standard error if a signal has more than ten listeners and was not created for them.
let warnings: string[] = [];
const note = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`);
beforeEach(() => {
  warnings = [];
  process.on('warning', note);
});
afterEach(() => {
  process.off('warning', note);
});

const capabilities = { deferralAllowed: true, writeOnlyAttributesAllowed: true };
const type = 'it_server';

/** Waits for a signal a number of times concurrently. */
async function listen(signal: AbortSignal, times: number): Promise<void> {
  await Promise.all(
    Array.from(
      { length: times },
      () => new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
    ),
  );
}

/** A provider whose objects are read until its signal ends that. */
function providerThatListens(times: number) {
  const defined = defineProvider({
    resources: {
      [type]: resource({
        attributes: { name: string({ required: true }) },
        create: ({ plan }) => plan,
        read: async ({ state, signal }) => {
          await listen(signal, times);
          return state;
        },
      }),
    },
  });
  return enforceContract(defined, 'example.com/it/it');
}

test.each([
  ['20 handlers listen to the signal of the provider', 20, 1, undefined],
  ['a handler listens 20 times to the signal of the provider', 1, 20, undefined],
  ['a handler listens 20 times to that of its request', 1, 20, new AbortController().signal],
])('no leak is reported if %s', async (_, requests, times, signal) => {
  const provider = providerThatListens(times);
  const prior = object({ name: str('n') });
  const answers = Array.from(
    { length: requests },
    async () =>
      await provider.readResource({ type, prior, capabilities, ...(signal && { signal }) }),
  );
  // Warnings are emitted one tick later.
  await new Promise((resolve) => setImmediate(resolve));
  await provider.stop();
  expect(await Promise.all(answers)).toHaveLength(requests);
  expect(warnings).toEqual([]);
});

test('no leak is reported if an attempt of an operation listens 20 times', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const queue = new RemoteObject({ clock: new ManualClock(), type: 'Queue', id: 'jobs', signal });
  const made = queue.operation('creating', (attempt) => listen(attempt, 20), {});
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error('enough'));
  await expect(made).rejects.toThrow('enough');
  expect(warnings).toEqual([]);
});
