import { type AttributeValidator, minutes } from '@terrane/provider/sdk';
import { matches } from '../resource/validators.ts';

/** Codes of errors that say that there is no such function or statement. */
export const NOT_FOUND: readonly string[] = ['ResourceNotFoundException'];

/** How long Lambda takes at most until all of it, and IAM, EC2 and KMS, know of a change. */
export const PROPAGATION: number = minutes(5);

/** Codes of errors that say that something else is just being changed. */
export const BUSY: readonly string[] = ['ResourceConflictException', 'PreconditionFailedException'];

/** States of event source mappings, which the SDK does not list: a change is under way. */
export const MAPPING_CHANGING: readonly string[] = [
  'Creating',
  'Disabling',
  'Enabling',
  'Updating',
];
/** States of event source mappings without a change under way. */
export const MAPPING_SETTLED = ['Disabled', 'Enabled'] as const;
export const MAPPING_DELETING = 'Deleting';

/** What may be permitted. */
export const isAction: AttributeValidator = matches(
  /^(lambda:[*]|lambda:[a-zA-Z]+|[*])$/,
  'must be a valid action (usually starts with lambda:)',
);

/** How statements are called. */
export const isStatementId: AttributeValidator = matches(
  /^[\w-]*$/,
  'must contain alphanumeric, underscores or dashes only',
);
