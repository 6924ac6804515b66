import { type AttributeValidator, minutes } from '@terrane/provider/sdk';
import { matches } from '../resource/validators.ts';

/** Error codes for a missing function or statement. */
export const NOT_FOUND: readonly string[] = ['ResourceNotFoundException'];

/** The maximum propagation delay of changes in Lambda, IAM, EC2 and KMS. */
export const PROPAGATION: number = minutes(5);

/** Error codes for an object that is being changed by another request. */
export const BUSY: readonly string[] = ['ResourceConflictException', 'PreconditionFailedException'];

/** States of event source mappings that are being changed, which the SDK does not list. */
export const MAPPING_CHANGING: readonly string[] = [
  'Creating',
  'Disabling',
  'Enabling',
  'Updating',
];
/** Final states of event source mappings. */
export const MAPPING_SETTLED = ['Disabled', 'Enabled'] as const;
export const MAPPING_DELETING = 'Deleting';

/** Validates an action that can be permitted. */
export const isAction: AttributeValidator = matches(
  /^(lambda:[*]|lambda:[a-zA-Z]+|[*])$/,
  'must be a valid action (usually starts with lambda:)',
);

/** Validates the id of a statement. */
export const isStatementId: AttributeValidator = matches(
  /^[\w-]*$/,
  'must contain alphanumeric, underscores or dashes only',
);
