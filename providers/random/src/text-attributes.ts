import { bool, BOOL, number, NUMBER, STRING, TRUE } from '@terrane/cty';
import type { Value } from '@terrane/cty';
import {
  atLeast,
  atLeastSumOf,
  error,
  pathText,
  requiresReplace,
  requiresReplaceIf,
} from '@terrane/provider';
import type {
  AttributeDefinition,
  Fields,
  Modifier,
  ModifierRequest,
  Validator,
} from '@terrane/provider';
import type { TextRules } from './random-text.ts';
import { KEEPERS } from './keepers.ts';

const ZERO = number(0);

/** Not every kind of character may be switched off. */
const atLeastOneTrue: Validator = ({ path, value, siblings }) => {
  if (value.isNull || !value.isKnown || value.asBool()) return [];
  const names = ['special', 'upper', 'lower'];
  for (const name of names) {
    const other = siblings.attr(name);
    if (!other.isKnown || other.isNull || other.asBool()) return [];
  }
  const detail = `At least one attribute out of [${[...names, pathText(path)].join(',')}] must be specified as true`;
  return [error('Invalid Attribute Combination', detail, path)];
};

/** `number` is the older name of `numeric`: the one that is written gives both their value. */
const sameAsOtherName: Modifier = ({ config }) => {
  const [older, newer] = [config.attr('number'), config.attr('numeric')];
  if (!older.isNull && !newer.isNull) {
    // What is unknown counts as false here.
    const [a, b] = [older, newer].map((v) => v.isKnown && v.asBool());
    if (a === b) return undefined;
    const summary = 'Number and numeric are both configured with different values';
    return {
      diagnostics: [error(summary, 'Number is deprecated, use numeric instead')],
    };
  }
  if (!older.isNull) return { planValue: older };
  return { planValue: newer.isNull ? TRUE : newer };
};

/** Older versions stored an empty text where nothing is written: to go from it to null changes nothing. */
function notEmptyToNull({ configValue, stateValue }: ModifierRequest): boolean {
  if (!configValue.isKnown) return false;
  return !configValue.isNull || stateValue.isNull || stateValue.asString() !== '';
}

const LENGTH: Validator[] = [
  atLeast(1),
  atLeastSumOf('min_upper', 'min_lower', 'min_numeric', 'min_special'),
];

/** The arguments that `random_string` and `random_password` share. */
export const TEXT_ATTRIBUTES: Readonly<Record<string, AttributeDefinition>> = {
  keepers: KEEPERS,
  length: {
    type: NUMBER,
    integer: true,
    required: true,
    description:
      'The length of the string desired. The minimum value for length is 1 and, length must also be >= (`min_upper` + `min_lower` + `min_numeric` + `min_special`).',
    validators: LENGTH,
    modifiers: [requiresReplace],
  },
  lower: {
    type: BOOL,
    optional: true,
    computed: true,
    description: 'Include lowercase alphabet characters in the result. Default value is `true`.',
    default: TRUE,
    modifiers: [requiresReplace],
  },
  min_lower: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description:
      'Minimum number of lowercase alphabet characters in the result. Default value is `0`.',
    default: ZERO,
    modifiers: [requiresReplace],
  },
  min_numeric: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description: 'Minimum number of numeric characters in the result. Default value is `0`.',
    default: ZERO,
    modifiers: [requiresReplace],
  },
  min_special: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description: 'Minimum number of special characters in the result. Default value is `0`.',
    default: ZERO,
    modifiers: [requiresReplace],
  },
  min_upper: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description:
      'Minimum number of uppercase alphabet characters in the result. Default value is `0`.',
    default: ZERO,
    modifiers: [requiresReplace],
  },
  number: {
    type: BOOL,
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `number`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`. **NOTE**: This is deprecated, use `numeric` instead.',
    deprecationMessage: '**NOTE**: This is deprecated, use `numeric` instead.',
    validators: [atLeastOneTrue],
    modifiers: [sameAsOtherName, requiresReplace],
  },
  numeric: {
    type: BOOL,
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `numeric`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`.',
    validators: [atLeastOneTrue],
    modifiers: [sameAsOtherName, requiresReplace],
  },
  override_special: {
    type: STRING,
    optional: true,
    description:
      'Supply your own list of special characters to use for string generation.  This overrides the default character list in the special argument.  The `special` argument must still be set to true for any overwritten characters to be used in generation.',
    modifiers: [requiresReplaceIf(notEmptyToNull)],
  },
  special: {
    type: BOOL,
    optional: true,
    computed: true,
    description:
      'Include special characters in the result. These are `!@#$%&*()-_=+[]{}<>:?`. Default value is `true`.',
    default: TRUE,
    modifiers: [requiresReplace],
  },
  upper: {
    type: BOOL,
    optional: true,
    computed: true,
    description: 'Include uppercase alphabet characters in the result. Default value is `true`.',
    default: TRUE,
    modifiers: [requiresReplace],
  },
};

/** The arguments of the ephemeral `random_password`, which have no defaults in the schema. */
export const EPHEMERAL_TEXT_ATTRIBUTES: Readonly<Record<string, AttributeDefinition>> = {
  length: {
    type: NUMBER,
    integer: true,
    required: true,
    description:
      'The length of the string desired. The minimum value for length is 1 and, length must also be >= (`min_upper` + `min_lower` + `min_numeric` + `min_special`).',
    validators: LENGTH,
  },
  lower: {
    type: BOOL,
    optional: true,
    computed: true,
    description: 'Include lowercase alphabet characters in the result. Default value is `true`.',
  },
  min_lower: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description:
      'Minimum number of lowercase alphabet characters in the result. Default value is `0`.',
  },
  min_numeric: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description: 'Minimum number of numeric characters in the result. Default value is `0`.',
  },
  min_special: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description: 'Minimum number of special characters in the result. Default value is `0`.',
  },
  min_upper: {
    type: NUMBER,
    integer: true,
    optional: true,
    computed: true,
    description:
      'Minimum number of uppercase alphabet characters in the result. Default value is `0`.',
  },
  numeric: {
    type: BOOL,
    optional: true,
    computed: true,
    description:
      'Include numeric characters in the result. Default value is `true`. If `numeric`, `upper`, `lower`, and `special` are all configured, at least one of them must be set to `true`.',
    validators: [atLeastOneTrue],
  },
  override_special: {
    type: STRING,
    optional: true,
    description:
      'Supply your own list of special characters to use for string generation.  This overrides the default character list in the special argument.  The `special` argument must still be set to true for any overwritten characters to be used in generation.',
  },
  special: {
    type: BOOL,
    optional: true,
    computed: true,
    description:
      'Include special characters in the result. These are `!@#$%&*()-_=+[]{}<>:?`. Default value is `true`.',
  },
  upper: {
    type: BOOL,
    optional: true,
    computed: true,
    description: 'Include uppercase alphabet characters in the result. Default value is `true`.',
  },
};

/** What a random text is to be made of, by the arguments. */
export function textRules(fields: Fields): TextRules {
  return {
    length: fields.integer('length') ?? 0,
    upper: fields.bool('upper') ?? true,
    lower: fields.bool('lower') ?? true,
    numeric: fields.bool('numeric') ?? true,
    special: fields.bool('special') ?? true,
    minUpper: fields.integer('min_upper') ?? 0,
    minLower: fields.integer('min_lower') ?? 0,
    minNumeric: fields.integer('min_numeric') ?? 0,
    minSpecial: fields.integer('min_special') ?? 0,
    overrideSpecial: fields.string('override_special') ?? '',
  };
}

/** The rules as arguments: what is written, or what is usual. */
export function ruleValues(rules: TextRules): Record<string, Value> {
  const { upper, lower, numeric, special } = rules;
  return {
    upper: bool(upper),
    lower: bool(lower),
    numeric: bool(numeric),
    special: bool(special),
    min_upper: number(rules.minUpper),
    min_lower: number(rules.minLower),
    min_numeric: number(rules.minNumeric),
    min_special: number(rules.minSpecial),
  };
}
