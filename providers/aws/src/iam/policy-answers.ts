import { hasMessage } from '../request/aws-error.ts';
import { MALFORMED_POLICY } from './consts.ts';

/** A policy as IAM answers with it: encoded for addresses. */
export function decodedPolicy(document: string | undefined): string {
  return decodeURIComponent((document ?? '').replaceAll('+', '%20'));
}

/** Whether an error says that a user or role that a policy names is not known everywhere yet. */
export function isPrincipalOnItsWay(error: unknown): boolean {
  return MALFORMED_POLICY.some((code) => hasMessage(error, code, 'Invalid principal in policy'));
}
