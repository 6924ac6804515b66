import { hasMessage } from '../request/aws-error.ts';
import { MALFORMED_POLICY, NO_ENTITY } from './consts.ts';

/** A policy as IAM answers with it: encoded for addresses. */
export function decodedPolicy(document: string | undefined): string {
  return decodeURIComponent((document ?? '').replaceAll('+', '%20'));
}

/** Tests whether an error says that a user or role in a policy is not known everywhere yet. */
export function isPrincipalPropagating(error: unknown): boolean {
  return MALFORMED_POLICY.some((code) => hasMessage(error, code, 'Invalid principal in policy'));
}

/**
 * Tests whether an error says that a role does not exist, as it does for a new role that is not known everywhere yet.
 * Errors for a missing policy do not count: the policy may be a managed one that never existed.
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
