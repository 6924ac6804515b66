import { type Deadline, type RemoteObject, sameJson, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { equivalentPolicies } from '../json-policy/equivalent-policies.ts';
import { hasMessage } from '../request/aws-error.ts';

type QueueAttributes = Readonly<Record<string, string>>;

/**
 * Waits until a queue has these attributes. Responses may come from different servers, so several reads must return
 * them.
 */
export async function waitForQueueAttributes(
  aws: RegionalAws,
  queue: RemoteObject,
  url: string,
  attributes: QueueAttributes,
  limit: number | Deadline,
): Promise<void> {
  if (Object.keys(attributes).length === 0) return;
  await queue.waitForValue('attributes', {
    expected: attributes,
    // Errors contain only the awaited attributes.
    value: (queueAttributes: QueueAttributes) =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => {
          const text = queueAttributes[name] ?? '';
          return [
            name,
            isUntold(queueAttributes, name, value) || sameValue(text, value) ? value : text,
          ];
        }),
      ),
    read: async () =>
      (await aws.sqs.getQueueAttributes({ QueueUrl: url, AttributeNames: ['All'] })).Attributes,
    continuousTargetOccurrences: 6,
    minTimeout: seconds(5),
    notFoundChecks: 10,
    timeout: typeof limit === 'number' ? limit : limit.remainingMs,
  });
}

/** Waits until a queue is deleted for all servers: a single response may be ahead of the others. */
export async function waitForDeletedQueue(
  aws: RegionalAws,
  queue: RemoteObject,
  url: string,
  timeout: number,
): Promise<void> {
  await queue.waitForDeletion({
    pending: ['exists'],
    timeout,
    continuousTargetOccurrences: 15,
    minTimeout: seconds(3),
    refresh: async () => {
      const requestInput = { QueueUrl: url, AttributeNames: ['All' as const] };
      const result = await aws.sqs.getQueueAttributes(requestInput);
      return { result, state: 'exists' };
    },
  });
}

/** Tests whether SQS rejected a policy, as it does until all its principals are known everywhere. */
export function isPrincipalPropagating(error: unknown): boolean {
  return ['InvalidAttributeValue', 'InvalidParameterValue'].some((code) =>
    hasMessage(error, code, 'Invalid value for the parameter Policy'),
  );
}

/** Returns true if SQS omits an attribute from responses: the reuse period of a data key, if there is no such key. */
function isUntold(attributes: QueueAttributes, name: string, wanted: string): boolean {
  if (name !== 'KmsDataKeyReusePeriodSeconds' || attributes[name] !== undefined) return false;
  const isEncrypted =
    attributes['SqsManagedSseEnabled'] === 'true' || (attributes['KmsMasterKeyId'] ?? '') !== '';
  return wanted === '300' || !isEncrypted;
}

/** Tests whether an attribute has the requested value; documents are compared by meaning. */
function sameValue(reportedValue: string, wanted: string): boolean {
  // Disabled and empty attributes are omitted from responses.
  const nothing = wanted === '' || wanted === 'false';
  if (reportedValue === wanted || (nothing && reportedValue === '')) return true;
  return equivalentPolicies(reportedValue, wanted) || sameJson(reportedValue, wanted);
}
