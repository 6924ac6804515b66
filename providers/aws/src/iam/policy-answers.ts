import { hasMessage } from '../request/aws-error.ts';
import { MALFORMED_POLICY, NO_ENTITY } from './consts.ts';

/** Decodes a policy in a response of IAM, which is URL-encoded. */
export function decodedPolicy(document: string | undefined): string {
  return decodeURIComponent((document ?? '').replaceAll('+', '%20'));
}

/** Returns true if the error is about a user or role in a policy that has not propagated yet. */
export function isPrincipalPropagating(error: unknown): boolean {
  return MALFORMED_POLICY.some((code) => hasMessage(error, code, 'Invalid principal in policy'));
}

/**
 * Returns true if the error is about a missing role, as for a new role that has not propagated yet. Errors for a
 * missing policy do not count: the policy may be a managed one that never existed.
 */
export function isRolePropagating(error: unknown): boolean {
  return NO_ENTITY.some((code) => hasMessage(error, code, 'The role with name'));
}

/**
 * Tests whether attaching a policy failed because the role or the policy is not known everywhere yet. Managed policies
 * of AWS are never new, so a missing one is an error at once.
 */
export function isAttachmentPropagating(error: unknown, policyArn: string): boolean {
  if (isRolePropagating(error)) return true;
  const isManaged = /^arn:[^:]*:iam::aws:/.test(policyArn);
  return (
    !isManaged &&
    NO_ENTITY.some((code) => hasMessage(error, code, 'does not exist or is not attachable'))
  );
}
