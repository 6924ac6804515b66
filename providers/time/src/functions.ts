import { double, integer, object as objectValue, quoteText } from '@terrane/cty';
import {
  decimal,
  number,
  object,
  parameter,
  providerFunction,
  string,
} from '@terrane/provider/sdk';
import type { ProviderFunction } from '@terrane/provider/sdk';
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

const DATE_TYPES = {
  year: number,
  year_day: number,
  day: number,
  month: number,
  month_name: string,
  weekday: number,
  weekday_name: string,
  hour: number,
  minute: number,
  second: number,
  iso_year: number,
  iso_week: number,
};

function dateOf(m: Moment) {
  const { year, month, day, hour, minute, second, weekday, yearDay } = civilOf(m);
  const iso = isoWeek(m);
  return {
    year,
    year_day: yearDay,
    day,
    month,
    month_name: MONTHS[month - 1] ?? '',
    weekday,
    weekday_name: DAYS[weekday] ?? '',
    hour,
    minute,
    second,
    iso_year: iso.year,
    iso_week: iso.week,
  };
}

/** The functions that parse timestamps and durations into their parts. */
export const FUNCTIONS: Readonly<Record<string, ProviderFunction>> = {
  duration_parse: providerFunction({
    summary: 'Parse a [Go duration string](https://pkg.go.dev/time#ParseDuration) into an object',
    description:
      'Given a [Go duration string](https://pkg.go.dev/time#ParseDuration), will parse and return an object representation of that duration.',
    parameters: {
      duration: parameter(string, { description: 'Go time package duration string to parse' }),
    },
    returns: object({
      hours: number,
      minutes: number,
      seconds: number,
      milliseconds: number,
      microseconds: number,
      nanoseconds: number,
    }),
    call: ({ duration: text }, { fail }) => {
      const duration = parseDuration(text);
      if (typeof duration === 'string') {
        const message = `Error parsing duration string: ${quoteText(text)} is not a valid duration string`;
        return fail(message, 'duration');
      }
      // Whole units first, so that long durations keep the precision of the fraction.
      const inUnits = (unit: bigint) =>
        double(Number(duration / unit) + Number(duration % unit) / Number(unit));
      // Returned as cty values, to preserve the precision of doubles and 64-bit integers.
      return objectValue({
        hours: inUnits(3_600_000_000_000n),
        minutes: inUnits(60_000_000_000n),
        seconds: inUnits(1_000_000_000n),
        milliseconds: integer(duration / 1_000_000n),
        microseconds: integer(duration / 1_000n),
        nanoseconds: integer(duration),
      });
    },
  }),
  rfc3339_parse: providerFunction({
    summary: 'Parse an RFC3339 timestamp string into an object',
    description:
      'Given an RFC3339 timestamp string, will parse and return an object representation of that date and time.',
    parameters: {
      timestamp: parameter(string, { description: 'RFC3339 timestamp string to parse' }),
    },
    returns: object({ ...DATE_TYPES, unix: number }),
    call: ({ timestamp: text }, { fail }) => {
      const moment = parseMoment(text);
      if (typeof moment === 'string') {
        const message = `Error parsing RFC3339 timestamp: ${quoteText(text)} is not a valid RFC3339 timestamp`;
        return fail(message, 'timestamp');
      }
      return { ...dateOf(moment), unix: moment.unix };
    },
  }),
  unix_timestamp_parse: providerFunction({
    summary: 'Parse a unix timestamp integer into an object',
    description:
      'Given a unix timestamp integer, will parse and return an object representation of that date and time. A unix timestamp is the number of seconds elapsed since January 1, 1970 UTC.',
    parameters: {
      unix_timestamp: parameter(decimal, { description: 'Unix Timestamp integer to parse' }),
    },
    returns: object({ ...DATE_TYPES, rfc3339: string }),
    call: ({ unix_timestamp: text }, { fail }) => {
      if (!/^-?\d+$/.test(text)) {
        fail('the timestamp must be a whole number of seconds', 'unix_timestamp');
      }
      const moment: Moment = { unix: Number(text), nanoseconds: 0, offset: 0 };
      return { ...dateOf(moment), rfc3339: formatMoment(moment) };
    },
  }),
};
