import type { FailedRequest } from './retryable.ts';

/** Tests whether a failed request of a service is retried, for all its operations. */
export type ServiceRetry = (failed: FailedRequest) => boolean;

/**
 * Errors of whole services that pass, though nothing general about them says so. What passes in one operation only
 * belongs to the resource: `isRetryable` of `RemoteObject.operation`.
 */
export const SERVICE_RETRIES: Readonly<Record<string, ServiceRetry>> = {
  // MSK limits how often clusters are changed, by an error that is no throttling to the SDK.
  kafka: ({ code, message }) =>
    code === 'TooManyRequestsException' || message.includes('Too Many Requests'),
  // What another request is just changing.
  iam: ({ code }) =>
    code === 'ConcurrentModification' || code === 'ConcurrentModificationException',
};
