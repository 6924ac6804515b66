import { number, str, STRING } from '@terrane/cty';
import type { Path, Value } from '@terrane/cty';
import { error } from '@terrane/provider';
import type { AttributeDefinition, ProviderDiagnostic } from '@terrane/provider';
import { civilOf, formatMoment, parseMoment } from './go-time.ts';
import type { Moment } from './go-time.ts';

/** What makes an argument one that holds a timestamp. */
export const TIMESTAMP: Pick<AttributeDefinition, 'type' | 'check' | 'sameMeaning'> = {
  type: STRING,
  check: checkTimestamp,
  // "Z" and "+00:00" mean the same; the same moment in another offset does not.
  sameMeaning: (before, after) => {
    const [a, b] = [parseMoment(before), parseMoment(after)];
    if (typeof a === 'string' || typeof b === 'string') return false;
    return formatMoment(a) === formatMoment(b);
  },
};

function checkTimestamp(text: string, path: Path): ProviderDiagnostic | undefined {
  const parsed = parseMoment(text);
  if (typeof parsed !== 'string') return undefined;
  const detail = `A string value was provided that is not valid RFC3339 string format.\n\nGiven Value: ${text}\nError: ${parsed}`;
  return error('Invalid RFC3339 String Value', detail, path);
}

/** The moment that an argument holds, or the error that it holds none. */
export function timeOf(v: Value): Moment | ProviderDiagnostic {
  const summary = 'RFC3339 ValueRFC3339Time Error';
  if (!v.isKnown) return error(summary, 'RFC3339 string value is unknown');
  if (v.isNull) return error(summary, 'RFC3339 string value is null');
  const parsed = parseMoment(v.asString());
  return typeof parsed === 'string' ? error(summary, parsed) : parsed;
}

/** Whether reading a moment failed. */
export function isFailure(found: Moment | ProviderDiagnostic): found is ProviderDiagnostic {
  return 'summary' in found;
}

/** The arguments that show the parts of a moment. */
export function partsOf(m: Moment): Record<string, Value> {
  const { year, month, day, hour, minute, second } = civilOf(m);
  return {
    year: number(year),
    month: number(month),
    day: number(day),
    hour: number(hour),
    minute: number(minute),
    second: number(second),
    unix: number(m.unix),
  };
}

/** A moment as the value of an argument. */
export function timestamp(m: Moment): Value {
  return str(formatMoment(m));
}
