import { findError, type RemoteObject, UnexpectedStateError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';

/** Waits until a new function can be called. */
export async function functionActive(
  aws: RegionalAws,
  remote: RemoteObject,
  FunctionName: string,
  timeout: number,
): Promise<void> {
  await remote.waitFor('creation', {
    pending: ['Pending'],
    target: ['Active', 'ActiveNonInvocable'],
    timeout,
    refresh: async () => {
      const { Configuration } = await aws.lambda.getFunction({ FunctionName });
      return { result: Configuration, state: Configuration?.State ?? 'Active' };
    },
    reason: (found) => found?.StateReason && `${found.StateReasonCode ?? ''}: ${found.StateReason}`,
  });
}

/** Waits until the last change of a function, or of a version of it, is done. */
export async function functionUpdated(
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
    refresh: async () => {
      const found = await aws.lambda.getFunctionConfiguration({
        FunctionName,
        ...(Qualifier !== undefined && { Qualifier }),
      });
      return { result: found, state: found.LastUpdateStatus ?? 'Successful' };
    },
    reason: (found) =>
      found.LastUpdateStatusReason &&
      `${found.LastUpdateStatusReasonCode ?? ''}: ${found.LastUpdateStatusReason}`,
  });
}

/** Waits until there is no such function any more. */
export async function functionGone(
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

/** Why a function, or a change of it, fails in the end where IAM has not made permissions known everywhere yet. */
const LACKS_PERMISSION: ReadonlySet<unknown> = new Set([
  'ImageAccessDenied',
  'InsufficientRolePermissions',
  'KMSKeyAccessDenied',
]);

/** Whether a wait ended in a failure that passes when permissions have arrived. */
export function isPermissionOnItsWay(error: unknown): boolean {
  const failed = findError(error, (each) => each instanceof UnexpectedStateError);
  if (!(failed instanceof UnexpectedStateError) || failed.state !== 'Failed') return false;
  const found = Object(failed.result);
  return (
    LACKS_PERMISSION.has(Reflect.get(found, 'StateReasonCode')) ||
    LACKS_PERMISSION.has(Reflect.get(found, 'LastUpdateStatusReasonCode'))
  );
}

/** What Lambda says of a role that IAM has not made known everywhere yet, and of EC2 that has too much to do. */
const ON_ITS_WAY = [
  'The role defined for the function cannot be assumed by Lambda',
  'The provided execution role does not have permissions',
  'Lambda was unable to configure access to your environment variables because the KMS key is invalid for CreateGrant',
  'throttled by EC2',
] as const;

/** Whether an error of creating or updating a function passes. */
export function isRoleOnItsWay(error: unknown): boolean {
  return (
    ON_ITS_WAY.some((part) => hasMessage(error, 'InvalidParameterValueException', part)) ||
    hasMessage(error, 'ResourceConflictException', 'in progress')
  );
}

/** Waits until a mapping is enabled or disabled, and nothing is done with it. */
export async function mappingSettled(
  aws: RegionalAws,
  remote: RemoteObject,
  UUID: string,
  timeout: number,
): Promise<void> {
  await remote.waitFor('change', {
    pending: ['Creating', 'Disabling', 'Enabling', 'Updating'],
    target: ['Disabled', 'Enabled'],
    timeout,
    refresh: async () => {
      const result = await aws.lambda.getEventSourceMapping({ UUID });
      return { result, state: result.State ?? 'Enabled' };
    },
    reason: ({ StateTransitionReason: why }) => why,
  });
}
