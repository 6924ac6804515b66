import { TRUE } from '@terrane/cty';
import {
  atLeast,
  atLeastSumOf,
  bool,
  error,
  ifKnown,
  int64,
  pathText,
  planModifier,
  requiresReplaceIf,
  string,
  validator,
} from '@terrane/provider/sdk';
import type { AttributeOf, AttributeValidator, Mode, Unknown } from '@terrane/provider/sdk';
import type { TextRules } from './random-text.ts';
import { KEEPERS } from './keepers.ts';
import type { Keepers } from './keepers.ts';

type Kind = 'special' | 'upper' | 'lower';
type Least = 'min_upper' | 'min_lower' | 'min_numeric' | 'min_special';

/** Not every kind of character may be switched off. */
const atLeastOneTrue = validator<Kind>(({ path, value, siblings }) => {
  if (value.isNull || !value.isKnown || value.asBool()) return [];
  const names = ['special', 'upper', 'lower'];
  for (const name of names) {
    const other = siblings.attr(name);
    if (!other.isKnown || other.isNull || other.asBool()) return [];
  }
  const detail = `At least one attribute out of [${[...names, pathText(path)].join(',')}] must be specified as true`;
  return [error('Invalid Attribute Combination', detail, path)];
});

/** `number` is the older name of `numeric`: the configured one sets both. */
const sameAsOtherName = planModifier(({ config }) => {
  const [older, newer] = [config.attr('number'), config.attr('numeric')];
  if (!older.isNull && !newer.isNull) {
    // Unknown counts as false here.
    const [a, b] = [older, newer].map((v) => v.isKnown && v.asBool());
    if (a === b) return undefined;
    const summary = 'Number and numeric are both configured with different values';
    return {
      diagnostics: [error(summary, 'Number is deprecated, use numeric instead')],
    };
  }
  if (!older.isNull) return { planValue: older };
  return { planValue: newer.isNull ? TRUE : newer };
});

/** Older versions stored an empty text for an absent value: a change from it to null is not a change. */
const replaceUnlessEmptyToNull = requiresReplaceIf(({ configValue, stateValue }) => {
  if (!configValue.isKnown) return false;
  return !configValue.isNull || stateValue.isNull || stateValue.asString() !== '';
});

const LENGTH: readonly AttributeValidator<Least>[] = [
  atLeast(1),
  atLeastSumOf('min_upper', 'min_lower', 'min_numeric', 'min_special'),
];

type Flag<M extends Mode, N extends string = never> = AttributeOf<typeof bool, M, N>;
type Count<M extends Mode, N extends string = never> = AttributeOf<typeof int64, M, N>;

/** The arguments of a random string; `M`: the source of values that are not configured. */
interface SharedAttributes<M extends Mode> extends Record<Kind, Flag<M>>, Record<Least, Count<M>> {
  readonly length: Count<'required', Least>;
  readonly numeric: Flag<'optional, computed', Kind>;
  readonly override_special: AttributeOf<typeof string, 'optional'>;
}

/** The attributes of a stored random string. */
interface TextAttributes extends SharedAttributes<'default'> {
  readonly keepers: Keepers;
  readonly number: Flag<'optional, computed', Kind>;
}

/** The arguments that `random_string` and `random_password` share. */
export const TEXT_ATTRIBUTES: TextAttributes = {
  keepers: KEEPERS,
  length: int64({
    required: true,
    description:
      'The length of the string desired. The minimum value for length is 1 and, length must also be >= (`min_upper` + `min_lower` + `min_numeric` + `min_special`).',
    validators: LENGTH,
    requiresReplace: true,
  }),
  lower: bool({
    optional: true,
    computed: true,
    description: 'Include lowercase alphabet characters in the result. Default value is `true`.',
    default: true,
    requiresReplace: true,
  }),
  min_lower: int64({
    optional: true,
    computed: true,
    description:
      'Minimum number of lowercase alphabet characters in the result. Default value is `0`.',
    default: 0,
    requiresReplace: true,
  }),
  min_numeric: int64({
    optional: true,
    computed: true,
    description: 'Minimum number of numeric characters in the result. Default value is `0`.',
    default: 0,
    requiresReplace: true,
  }),
  min_special: int64({
    optional: true,
    computed: true,
    description: 'Minimum number of special characters in the result. Default value is `0`.',
    default: 0,
    requiresReplace: true,
  }),
  min_upper: int64({
    optional: true,
    computed: true,
    description:
      'Minimum number of uppercase alphabet characters in the result. Default value is `0`.',
    default: 0,
    requiresReplace: true,
  }),
  number: bool({
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `number`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`. **NOTE**: This is deprecated, use `numeric` instead.',
    deprecationMessage: '**NOTE**: This is deprecated, use `numeric` instead.',
    validators: [atLeastOneTrue],
    planModifiers: [sameAsOtherName],
    requiresReplace: true,
  }),
  numeric: bool({
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `numeric`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`.',
    validators: [atLeastOneTrue],
    planModifiers: [sameAsOtherName],
    requiresReplace: true,
  }),
  override_special: string({
    optional: true,
    description:
      'Supply your own list of special characters to use for string generation.  This overrides the default character list in the special argument.  The `special` argument must still be set to true for any overwritten characters to be used in generation.',
    planModifiers: [replaceUnlessEmptyToNull],
  }),
  special: bool({
    optional: true,
    computed: true,
    description:
      'Include special characters in the result. These are `!@#$%&*()-_=+[]{}<>:?`. Default value is `true`.',
    default: true,
    requiresReplace: true,
  }),
  upper: bool({
    optional: true,
    computed: true,
    description: 'Include uppercase alphabet characters in the result. Default value is `true`.',
    default: true,
    requiresReplace: true,
  }),
};

/** The arguments of the ephemeral `random_password`, which have no defaults in the schema. */
export const EPHEMERAL_TEXT_ATTRIBUTES: SharedAttributes<'optional, computed'> = {
  length: int64({
    required: true,
    description:
      'The length of the string desired. The minimum value for length is 1 and, length must also be >= (`min_upper` + `min_lower` + `min_numeric` + `min_special`).',
    validators: LENGTH,
  }),
  lower: bool({
    optional: true,
    computed: true,
    description: 'Include lowercase alphabet characters in the result. Default value is `true`.',
  }),
  min_lower: int64({
    optional: true,
    computed: true,
    description:
      'Minimum number of lowercase alphabet characters in the result. Default value is `0`.',
  }),
  min_numeric: int64({
    optional: true,
    computed: true,
    description: 'Minimum number of numeric characters in the result. Default value is `0`.',
  }),
  min_special: int64({
    optional: true,
    computed: true,
    description: 'Minimum number of special characters in the result. Default value is `0`.',
  }),
  min_upper: int64({
    optional: true,
    computed: true,
    description:
      'Minimum number of uppercase alphabet characters in the result. Default value is `0`.',
  }),
  numeric: bool({
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `numeric`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`.',
    validators: [atLeastOneTrue],
  }),
  override_special: string({
    optional: true,
    description:
      'Supply your own list of special characters to use for string generation.  This overrides the default character list in the special argument.  The `special` argument must still be set to true for any overwritten characters to be used in generation.',
  }),
  special: bool({
    optional: true,
    computed: true,
    description:
      'Include special characters in the result. These are `!@#$%&*()-_=+[]{}<>:?`. Default value is `true`.',
  }),
  upper: bool({
    optional: true,
    computed: true,
    description: 'Include uppercase alphabet characters in the result. Default value is `true`.',
  }),
};

/** The arguments for the characters of a text, as handlers read them. */
interface Choices
  extends
    Readonly<Record<Kind | 'numeric', boolean | Unknown | null>>,
    Readonly<Record<Least, number | null>> {
  readonly length: number;
  readonly override_special: string | null;
}

/** Returns the character classes for the arguments. */
export function textRules(choices: Choices): TextRules {
  const flag = (name: Kind | 'numeric') => ifKnown(choices[name]) ?? true;
  return {
    length: choices.length,
    upper: flag('upper'),
    lower: flag('lower'),
    numeric: flag('numeric'),
    special: flag('special'),
    minUpper: choices.min_upper ?? 0,
    minLower: choices.min_lower ?? 0,
    minNumeric: choices.min_numeric ?? 0,
    minSpecial: choices.min_special ?? 0,
    overrideSpecial: choices.override_special ?? '',
  };
}

/** Returns the configured or default rules as arguments. */
export function ruleValues(
  rules: TextRules,
): Readonly<Record<Kind | 'numeric', boolean>> & Readonly<Record<Least, number>> {
  const { upper, lower, numeric, special } = rules;
  return {
    upper,
    lower,
    numeric,
    special,
    min_upper: rules.minUpper,
    min_lower: rules.minLower,
    min_numeric: rules.minNumeric,
    min_special: rules.minSpecial,
  };
}
