import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import { sameJson } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { equivalentPolicies } from '../json-policy/equivalent-policies.ts';

type QueueAttributes = Readonly<Record<string, string>>;

/** How long a change of a queue takes at most until all of the service shows it. */
const PROPAGATION = minutes(2);

/** Waits until a queue has these attributes, seen several times in a row, as each answer may be of another server. */
export async function queueHas(
  aws: RegionalAws,
  queue: RemoteObject,
  url: string,
  attributes: QueueAttributes,
): Promise<void> {
  if (Object.keys(attributes).length === 0) return;
  await queue.waitForValue('attributes', {
    expected: attributes,
    value: (found: QueueAttributes) => found,
    same: (found, wanted) =>
      Object.entries(wanted).every(([name, value]) => sameValue(found[name] ?? '', value)),
    read: async () =>
      (await aws.sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] })).Attributes,
    continuousTargetOccurrences: 3,
    timeout: PROPAGATION,
  });
}

/** Waits until a queue is gone. */
export async function queueGone(
  aws: RegionalAws,
  queue: RemoteObject,
  url: string,
  timeout: number,
): Promise<void> {
  await queue.waitForDeletion({
    pending: ['exists'],
    timeout,
    refresh: async () => {
      const result = await aws.sqs.getQueueAttributes({
        QueueUrl: url,
        AttributeNames: ['QueueArn'],
      });
      return { result, state: 'exists' };
    },
  });
}

/** Whether an attribute has the value that it was given; documents mean the same in other words. */
function sameValue(found: string, wanted: string): boolean {
  // What is off or empty is not told.
  const nothing = wanted === '' || wanted === 'false';
  if (found === wanted || (nothing && found === '')) return true;
  return equivalentPolicies(found, wanted) || sameJson(found, wanted);
}
