import {
  double,
  integer,
  NUMBER,
  number,
  numToInt,
  object,
  objectType,
  quoteText,
  str,
  STRING,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import type { FunctionDefinition } from '@terrane/provider';
import { parseDuration } from './duration.ts';
import { civilOf, formatMoment, isoWeek, parseMoment } from './go-time.ts';
import type { Moment } from './go-time.ts';

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const DATE_TYPES: Readonly<Record<string, Type>> = {
  year: NUMBER,
  year_day: NUMBER,
  day: NUMBER,
  month: NUMBER,
  month_name: STRING,
  weekday: NUMBER,
  weekday_name: STRING,
  hour: NUMBER,
  minute: NUMBER,
  second: NUMBER,
  iso_year: NUMBER,
  iso_week: NUMBER,
};

function dateOf(m: Moment): Record<string, Value> {
  const { year, month, day, hour, minute, second, weekday, yearDay } = civilOf(m);
  const iso = isoWeek(m);
  return {
    year: number(year),
    year_day: number(yearDay),
    day: number(day),
    month: number(month),
    month_name: str(MONTHS[month - 1] ?? ''),
    weekday: number(weekday),
    weekday_name: str(DAYS[weekday] ?? ''),
    hour: number(hour),
    minute: number(minute),
    second: number(second),
    iso_year: number(iso.year),
    iso_week: number(iso.week),
  };
}

/** The functions that take times and durations apart. */
export const FUNCTIONS: Readonly<Record<string, FunctionDefinition>> = {
  duration_parse: {
    summary: 'Parse a [Go duration string](https://pkg.go.dev/time#ParseDuration) into an object',
    description:
      'Given a [Go duration string](https://pkg.go.dev/time#ParseDuration), will parse and return an object representation of that duration.',
    parameters: [
      {
        name: 'duration',
        type: STRING,
        description: 'Go time package duration string to parse',
      },
    ],
    returns: objectType({
      hours: NUMBER,
      minutes: NUMBER,
      seconds: NUMBER,
      milliseconds: NUMBER,
      microseconds: NUMBER,
      nanoseconds: NUMBER,
    }),
    call: ([argument]) => {
      const text = argument?.asString() ?? '';
      const duration = parseDuration(text);
      if (typeof duration === 'string') {
        const message = `Error parsing duration string: ${quoteText(text)} is not a valid duration string`;
        return { error: { message, argument: 0 } };
      }
      // Whole units first, so that long durations lose nothing in the fraction.
      const inUnits = (unit: bigint) =>
        double(Number(duration / unit) + Number(duration % unit) / Number(unit));
      return {
        result: object({
          hours: inUnits(3_600_000_000_000n),
          minutes: inUnits(60_000_000_000n),
          seconds: inUnits(1_000_000_000n),
          milliseconds: integer(duration / 1_000_000n),
          microseconds: integer(duration / 1_000n),
          nanoseconds: integer(duration),
        }),
      };
    },
  },
  rfc3339_parse: {
    summary: 'Parse an RFC3339 timestamp string into an object',
    description:
      'Given an RFC3339 timestamp string, will parse and return an object representation of that date and time.',
    parameters: [
      {
        name: 'timestamp',
        type: STRING,
        description: 'RFC3339 timestamp string to parse',
      },
    ],
    returns: objectType({ ...DATE_TYPES, unix: NUMBER }),
    call: ([argument]) => {
      const text = argument?.asString() ?? '';
      const moment = parseMoment(text);
      if (typeof moment === 'string') {
        const message = `Error parsing RFC3339 timestamp: ${quoteText(text)} is not a valid RFC3339 timestamp`;
        return { error: { message, argument: 0 } };
      }
      return { result: object({ ...dateOf(moment), unix: number(moment.unix) }) };
    },
  },
  unix_timestamp_parse: {
    summary: 'Parse a unix timestamp integer into an object',
    description:
      'Given a unix timestamp integer, will parse and return an object representation of that date and time. A unix timestamp is the number of seconds elapsed since January 1, 1970 UTC.',
    parameters: [
      {
        name: 'unix_timestamp',
        type: NUMBER,
        description: 'Unix Timestamp integer to parse',
      },
    ],
    returns: objectType({ ...DATE_TYPES, rfc3339: STRING }),
    call: ([argument]) => {
      const unix = argument === undefined ? undefined : numToInt(argument.asNum());
      if (unix === undefined) {
        const message = 'the timestamp must be a whole number of seconds';
        return { error: { message, argument: 0 } };
      }
      const moment: Moment = { unix: Number(unix), nanoseconds: 0, offset: 0 };
      return { result: object({ ...dateOf(moment), rfc3339: str(formatMoment(moment)) }) };
    },
  },
};
