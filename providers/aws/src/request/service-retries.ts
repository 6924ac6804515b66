import type { FailedRequest } from './retryable.ts';

/** Tests whether a failed request of a service is retried, for all its operations. */
export type ServiceRetry = (failed: FailedRequest) => boolean;

/**
 * Temporary errors of whole services that general rules do not cover. Errors that are temporary in one operation only
 * belong to the resource: `isRetryable` of `RemoteObject.operation`.
 */
export const SERVICE_RETRIES: Readonly<Record<string, ServiceRetry>> = {
  // MSK limits how often clusters are changed, by an error that is no throttling to the SDK.
  kafka: ({ code, message }) =>
    code === 'TooManyRequestsException' || message.includes('Too Many Requests'),
  // The object is being changed by another request.
  iam: ({ code }) =>
    code === 'ConcurrentModification' || code === 'ConcurrentModificationException',
};
