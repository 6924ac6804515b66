import { type AttributeValidator } from '@terrane/provider/sdk';
import { type named, namedBy } from '../resource/common-attributes.ts';
import { lengthBetween, matches } from '../resource/validators.ts';

/** Validates names of users, roles, policies and instance profiles. */
export function iamName(longest: number): readonly AttributeValidator[] {
  return [lengthBetween(1, longest), matches(/^[\w+=,.@-]*$/, 'must match [\\w+=,.@-]')];
}

/** Returns the arguments for a name, or for the prefix of the 26 characters that make it unique. */
export function iamNamed(longest: number): typeof named {
  return namedBy(iamName(longest), iamName(longest - 26));
}
