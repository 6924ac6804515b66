// Messages for `count` or `for_each` values that are unknown while planning, with a solution: the two languages suggest
// different options.
import type { Type } from '@terrane/cty';
import type { Range } from '@terrane/hcl';
import { dialectOf } from '../config/dialect.ts';

/** Returns the address of the repeated object without an instance key, as the -exclude flag accepts it. */
export type Excludable = () => string;

/** Returns the detail of the error for an unknown `count`. */
export function unknownCountDetail(place: Range, excludable: Excludable | undefined): string {
  const problem =
    'The "count" value depends on resource attributes that cannot be determined until apply, so Terraform cannot predict how many instances will be created.';
  if (dialectOf(place) === 'terraform') {
    return `${problem} To work around this, use the -target argument to first apply only the resources that the count depends on.`;
  }
  return excludable === undefined
    ? `${problem}\n\nTo work around this, use the -target option to first apply only the resources that the count depends on, and then apply normally to converge.`
    : `${problem}\n\nTo work around this, use the planning option ${excludeOption(excludable)} to first apply without this object, and then apply normally to converge.`;
}

const MAP_KEYS =
  'The "for_each" map includes keys derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.';
const SET_KEYS =
  'The "for_each" set includes values derived from resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of keys that will identify the instances of this resource.';
const TUPLE_ELEMENTS = SET_KEYS.replace('set', 'tuple');
const KEYS_OF_ANY_TYPE =
  'The "for_each" value includes keys or set values from resource attributes that cannot be determined until apply, and so Terraform cannot determine what will identify the instances of this resource.';

const PROBLEMS: Partial<Record<Type['kind'], string>> = {
  set: SET_KEYS,
  tuple: TUPLE_ELEMENTS,
  dynamic: KEYS_OF_ANY_TYPE,
};

const STATIC_KEYS =
  "When working with unknown values in for_each, it's better to define the map keys statically in your configuration and place apply-time results only in the map values.";
const MAP_INSTEAD =
  "When working with unknown values in for_each, it's better to use a map value where the keys are defined statically in your configuration and where only the values contain apply-time results.";

/** Returns the detail of the error for an unknown `for_each` of a type. */
export function unknownKeysDetail(
  { kind }: Type,
  place: Range,
  excludable: Excludable | undefined,
): string {
  const advice = kind === 'set' || kind === 'tuple' ? MAP_INSTEAD : STATIC_KEYS;
  if (dialectOf(place) === 'terraform') {
    const problem = kind === 'set' ? SET_KEYS : MAP_KEYS;
    return `${problem}\n\n${advice}\n\nAlternatively, you could use the -target planning option to first apply only the resources that the for_each value depends on, and then apply a second time to fully converge.`;
  }
  const problem = PROBLEMS[kind] ?? MAP_KEYS;
  const alternative =
    excludable === undefined
      ? 'you could use the -target option to first apply only the resources that for_each depends on, and then apply normally to converge.'
      : `you could use the planning option ${excludeOption(excludable)} to first apply without this object, and then apply normally to converge.`;
  return `${problem}\n\n${advice}\n\nAlternatively, ${alternative}`;
}

/** The option, as it is typed into a shell. */
function excludeOption(excludable: Excludable): string {
  const address = excludable();
  const typed = /[ \n\t]/.test(address)
    ? `'${address.replaceAll("'", String.raw`'\''`)}'`
    : address.replaceAll(/[|&;<>(){}[\]$`\\"'*?!#~=%]/g, String.raw`\$&`);
  return `-exclude=${typed}`;
}
