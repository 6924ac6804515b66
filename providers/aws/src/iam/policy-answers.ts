import { hasMessage } from '../request/aws-error.ts';
import { MALFORMED_POLICY, NO_ENTITY } from './consts.ts';

/** A policy as IAM answers with it: encoded for addresses. */
export function decodedPolicy(document: string | undefined): string {
  return decodeURIComponent((document ?? '').replaceAll('+', '%20'));
}

/** Whether an error says that a user or role that a policy names is not known everywhere yet. */
export function isPrincipalOnItsWay(error: unknown): boolean {
  return MALFORMED_POLICY.some((code) => hasMessage(error, code, 'Invalid principal in policy'));
}

/**
 * Whether an error says that a role does not exist, as it does of a new one that IAM has not made known everywhere.
 * Errors for a missing policy are not meant: it may be a managed policy that never existed.
 */
export function isRoleOnItsWay(error: unknown): boolean {
  return NO_ENTITY.some((code) => hasMessage(error, code, 'The role with name'));
}

/**
 * Whether attaching a policy failed because IAM has not made the role or the policy known everywhere. Managed policies
 * of AWS are never new, so a missing one is an error at once.
 */
export function isAttachmentOnItsWay(error: unknown, policyArn: string): boolean {
  if (isRoleOnItsWay(error)) return true;
  const isManaged = /^arn:[^:]*:iam::aws:/.test(policyArn);
  return (
    !isManaged &&
    NO_ENTITY.some((code) => hasMessage(error, code, 'does not exist or is not attachable'))
  );
}
