import { minutes } from '@terrane/provider/sdk';

/** Error codes for a missing entity. */
export const NO_ENTITY: readonly string[] = ['NoSuchEntity', 'NoSuchEntityException'];

/** The longest time until all of IAM and other services know of a change. */
export const PROPAGATION: number = minutes(2);

/** Error codes of invalid policies, or of policies with principals that have not propagated yet. */
export const MALFORMED_POLICY: readonly string[] = [
  'MalformedPolicyDocument',
  'MalformedPolicyDocumentException',
];

/** Codes of errors for objects that others still depend on. */
export const DELETE_CONFLICT: readonly string[] = ['DeleteConflict', 'DeleteConflictException'];

/** Codes of errors for objects that cannot be changed while they are created. */
export const UNMODIFIABLE: readonly string[] = [
  'EntityTemporarilyUnmodifiable',
  'EntityTemporarilyUnmodifiableException',
];
