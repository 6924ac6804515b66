import { type AttributeValidator, lengthBetween, matches } from '@terrane/provider/sdk';

/** What names of users, roles, policies and instance profiles are made of. */
export function iamName(longest: number): readonly AttributeValidator[] {
  return [
    lengthBetween(1, longest),
    matches(
      /^[\w+=,.@-]*$/,
      'must only contain alphanumeric characters, plus, equals, comma, period, at, underscore and hyphen characters',
    ),
  ];
}

/** As {@link iamName}, for what is written in front of the 26 characters that make a name unique. */
export function iamNamePrefix(longest: number): readonly AttributeValidator[] {
  return iamName(longest - 26);
}
