import { type AttributeValidator, minutes } from '@terrane/provider/sdk';
import { matches } from '../resource/validators.ts';

/** Codes of errors that say that there is no such function or statement. */
export const NOT_FOUND: readonly string[] = ['ResourceNotFoundException'];

/** The longest time until all of Lambda, IAM, EC2 and KMS know of a change. */
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
