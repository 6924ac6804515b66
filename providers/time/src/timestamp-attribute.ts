import type { Path } from '@terrane/cty';
import type { ProviderDiagnostic } from '@terrane/provider';
import { customType, error, int64, isUnknown, ProviderError, string } from '@terrane/provider/sdk';
import type { AttributeOf, Unknown } from '@terrane/provider/sdk';
import { civilOf, formatMoment, parseMoment } from './go-time.ts';
import type { Civil, Moment } from './go-time.ts';

/** The type of string attributes that contain RFC 3339 timestamps. */
export const timestamp: typeof string = customType(string, {
  format: checkTimestamp,
  semanticEquals: { equals: sameTimestamp, in: 'results' },
});

/** Compares timestamps semantically: "Z" equals "+00:00", but equal moments with other offsets differ. */
export function sameTimestamp(before: string, after: string): boolean {
  const [a, b] = [parseMoment(before), parseMoment(after)];
  if (typeof a === 'string' || typeof b === 'string') return false;
  return formatMoment(a) === formatMoment(b);
}

function checkTimestamp(text: string, path: Path): ProviderDiagnostic | undefined {
  const parsed = parseMoment(text);
  if (typeof parsed !== 'string') return undefined;
  const detail = `A string value was provided that is not valid RFC3339 string format.\n\nGiven Value: ${text}\nError: ${parsed}`;
  return error('Invalid RFC3339 String Value', detail, path);
}

/** Returns the moment in an argument. Throws a ProviderError if the argument is unknown, null or not a timestamp. */
export function timeOf(text: string | Unknown | null): Moment {
  const summary = 'RFC3339 ValueRFC3339Time Error';
  if (isUnknown(text)) throw new ProviderError(summary, 'RFC3339 string value is unknown');
  if (text === null) throw new ProviderError(summary, 'RFC3339 string value is null');
  const parsed = parseMoment(text);
  if (typeof parsed === 'string') throw new ProviderError(summary, parsed);
  return parsed;
}

/** Options of the attribute for the base timestamp. */
export const BASE_TIMESTAMP = {
  optional: true,
  computed: true,
  description:
    'Base timestamp in [RFC3339](https://datatracker.ietf.org/doc/html/rfc3339#section-5.8) format (see [RFC3339 time string](https://tools.ietf.org/html/rfc3339#section-5.8) e.g., `YYYY-MM-DDTHH:MM:SSZ`). Defaults to the current time.',
} as const;

/** The attributes for the parts of a moment. */
export interface MomentParts extends Pick<
  Civil,
  'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
> {
  readonly unix: number;
}

/** Returns the attributes for the parts of a moment; `subject` names the moment in descriptions. */
export function momentAttributes(
  subject: string,
): Readonly<Record<keyof MomentParts, AttributeOf<typeof int64, 'computed'>>> {
  const part = (name: string): AttributeOf<typeof int64, 'computed'> =>
    int64({ computed: true, description: `Number ${name} of ${subject}.` });
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
    unix: int64({
      computed: true,
      description: 'Number of seconds since epoch time, e.g. `1581489373`.',
    }),
  };
}

/** Returns the values of the attributes for the parts of a moment. */
export function partsOf(m: Moment): MomentParts {
  const { year, month, day, hour, minute, second } = civilOf(m);
  return { year, month, day, hour, minute, second, unix: m.unix };
}
