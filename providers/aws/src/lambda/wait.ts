import {
  findError,
  minutes,
  type OperationRetry,
  type RemoteObject,
  seconds,
  UnexpectedStateError,
} from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { MAPPING_CHANGING, MAPPING_SETTLED, PROPAGATION } from './consts.ts';

/** The delay before the first read of a function, because Lambda briefly reports the state before a change. */
const DELAY = seconds(5);

/** Waits until a new function can be called. */
export async function waitForActiveFunction(
  aws: RegionalAws,
  remote: RemoteObject,
  FunctionName: string,
  timeout: number,
): Promise<void> {
  await remote.waitFor('creation', {
    pending: ['Pending'],
    target: ['Active', 'ActiveNonInvocable'],
    timeout,
    delay: DELAY,
    refresh: async () => {
      const { Configuration } = await aws.lambda.getFunction({ FunctionName });
      return { result: Configuration, state: Configuration?.State ?? 'Active' };
    },
    reason: (configuration) =>
      configuration?.StateReason &&
      `${configuration.StateReasonCode ?? ''}: ${configuration.StateReason}`,
  });
}

/** Waits until the last update of a function, or of a version of it, has completed. */
export async function waitForUpdatedFunction(
  aws: RegionalAws,
  remote: RemoteObject,
  FunctionName: string,
  timeout: number,
  Qualifier?: string,
): Promise<void> {
  await remote.waitFor('update', {
    pending: ['InProgress'],
    target: ['Successful'],
    timeout,
    delay: DELAY,
    refresh: async () => {
      const configuration = await aws.lambda.getFunctionConfiguration({
        FunctionName,
        ...(Qualifier !== undefined && { Qualifier }),
      });
      return { result: configuration, state: configuration.LastUpdateStatus ?? 'Successful' };
    },
    reason: (configuration) =>
      configuration.LastUpdateStatusReason &&
      `${configuration.LastUpdateStatusReasonCode ?? ''}: ${configuration.LastUpdateStatusReason}`,
  });
}

/** Waits until a function is deleted. */
export async function waitForDeletedFunction(
  aws: RegionalAws,
  remote: RemoteObject,
  FunctionName: string,
  timeout: number,
): Promise<void> {
  await remote.waitForDeletion({
    pending: ['exists'],
    timeout,
    refresh: async () => ({
      result: await aws.lambda.getFunction({ FunctionName }),
      state: 'exists',
    }),
  });
}

/** Reason codes of functions and updates that fail while IAM permissions are propagating. */
const LACKS_PERMISSION: ReadonlySet<unknown> = new Set([
  'ImageAccessDenied',
  'InsufficientRolePermissions',
  'KMSKeyAccessDenied',
]);

/** Tests whether a wait ended in a failure that passes once permissions are known everywhere. */
export function isPermissionPropagating(error: unknown): boolean {
  const failed = findError(error, (each) => each instanceof UnexpectedStateError);
  if (!(failed instanceof UnexpectedStateError) || failed.state !== 'Failed') return false;
  const failedResult = Object(failed.result);
  return (
    LACKS_PERMISSION.has(Reflect.get(failedResult, 'StateReasonCode')) ||
    LACKS_PERMISSION.has(Reflect.get(failedResult, 'LastUpdateStatusReasonCode'))
  );
}

/** The message of the error for functions in networks while EC2 throttles requests of Lambda. */
const THROTTLED = 'throttled by EC2';

/** Messages for a role of IAM, or a key of KMS, that has not propagated, and for throttling by EC2. */
const PROPAGATING = [
  'The role defined for the function cannot be assumed by Lambda',
  'The provided execution role does not have permissions',
  'Lambda was unable to configure access to your environment variables because the KMS key is invalid for CreateGrant',
  THROTTLED,
] as const;

/** Tests whether an error of creating or updating a function is temporary. */
export function isRolePropagating(error: unknown): boolean {
  return (
    PROPAGATING.some((part) => hasMessage(error, 'InvalidParameterValueException', part)) ||
    hasCode(error, 'ResourceConflictException')
  );
}

/** Creates or configures a function: retries errors of propagation, and throttling by EC2 for much longer. */
export async function whenRoleIsKnown<T>(
  remote: RemoteObject,
  doing: string,
  call: () => Promise<T>,
  options: Omit<OperationRetry, 'propagation'> = { isRetryable: isRolePropagating },
): Promise<T> {
  try {
    return await remote.operation(doing, call, { ...options, propagation: PROPAGATION });
  } catch (error) {
    if (!isThrottledByEc2(error)) throw error;
    const later = { ...options, isRetryable: isThrottledByEc2, propagation: minutes(9) };
    return await remote.operation(doing, call, later);
  }
}

function isThrottledByEc2(error: unknown): boolean {
  return hasMessage(error, 'InvalidParameterValueException', THROTTLED);
}

/** Waits until a mapping is enabled or disabled, without a pending change. */
export async function waitForSettledMapping(
  aws: RegionalAws,
  remote: RemoteObject,
  UUID: string,
): Promise<void> {
  await remote.waitFor('change', {
    pending: MAPPING_CHANGING,
    target: MAPPING_SETTLED,
    timeout: minutes(10),
    refresh: async () => {
      const result = await aws.lambda.getEventSourceMapping({ UUID });
      return { result, state: result.State ?? 'Enabled' };
    },
    reason: ({ StateTransitionReason: reason }) => reason,
  });
}
