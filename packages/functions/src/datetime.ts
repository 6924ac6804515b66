import { ArgumentError, CtyError, integer, NUMBER, quoteText, STRING, str } from '@terrane/cty';
import { unknownOf, type FunctionSpec, type Value } from '@terrane/cty';
import { argument, define, text } from './spec.ts';
import { addDuration, compareTimestamps, formatTimestamp, localFields } from './timestamp.ts';
import { offsetText, parseDuration, parseTimestamp, type Timestamp } from './timestamp.ts';

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
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const twoDigits = (n: number): string => String(n).padStart(2, '0');

function oneOrTwo(token: string, n: number, partName: string): string {
  if (token.length === 1) return String(n);
  if (token.length === 2) return twoDigits(n);
  return rejectVerb(token, partName);
}

function rejectVerb(token: string, partName: string): never {
  throw new ArgumentError(0, `invalid date format verb ${quoteText(token)}${partName}`);
}

/** Formats a run of the same letter. */
function formatToken(token: string, t: Timestamp): string {
  const date = localFields(t);
  const size = token.length;
  switch (token[0]) {
    case 'Y':
      if (size === 2) return twoDigits(date.getUTCFullYear() % 100);
      if (size === 4) return String(date.getUTCFullYear()).padStart(4, '0');
      return rejectVerb(token, ': year must either be "YY" or "YYYY"');
    case 'M': {
      const name = MONTHS[date.getUTCMonth()] ?? '';
      if (size === 3) return name.slice(0, 3);
      if (size === 4) return name;
      return oneOrTwo(token, date.getUTCMonth() + 1, ': month must be "M", "MM", "MMM", or "MMMM"');
    }
    case 'D':
      return oneOrTwo(token, date.getUTCDate(), ': day of month must either be "D" or "DD"');
    case 'E': {
      const name = WEEKDAYS[date.getUTCDay()] ?? '';
      if (size === 3) return name.slice(0, 3);
      if (size === 4) return name;
      return rejectVerb(token, ': day of week must either be "EEE" or "EEEE"');
    }
    case 'h':
      return oneOrTwo(token, date.getUTCHours(), ': 24-hour must either be "h" or "hh"');
    case 'H':
      return oneOrTwo(token, date.getUTCHours() % 12 || 12, ': 12-hour must either be "H" or "HH"');
    case 'A':
    case 'a': {
      if (size !== 2) return rejectVerb(token, `: must be "${token[0]}${token[0]}"`);
      const half = date.getUTCHours() < 12 ? 'am' : 'pm';
      return token[0] === 'A' ? half.toUpperCase() : half;
    }
    case 'm':
      return oneOrTwo(token, date.getUTCMinutes(), ': minute must either be "m" or "mm"');
    case 's':
      return oneOrTwo(token, date.getUTCSeconds(), ': second must either be "s" or "ss"');
    case 'Z':
      return formatZone(token, t.offset);
    default:
      return rejectVerb(token, '');
  }
}

function formatZone(token: string, offset: number): string {
  switch (token.length) {
    case 1:
      return offsetText(offset, true, true);
    case 3:
      return offset === 0 ? 'UTC' : offsetText(offset, false, false);
    case 4:
      return offsetText(offset, false, false);
    case 5:
      return offsetText(offset, false, true);
    default:
      return rejectVerb(token, ': timezone must be Z, ZZZZ, or ZZZZZ');
  }
}

const TOKEN = /''|'(?:[^']|'')*(?:'|$)|([A-Za-z])\1*|[^'A-Za-z]+/g;

function formatDate(format: string, t: Timestamp): string {
  let out = '';
  for (const [token] of format.matchAll(TOKEN)) {
    if (!token.startsWith("'")) {
      out += /^[A-Za-z]/.test(token) ? formatToken(token, t) : token;
    } else if (token === "''") out += "'";
    else if (token.length === 1 || !token.endsWith("'")) {
      throw new ArgumentError(0, "unterminated literal '");
    } else out += token.slice(1, -1).replaceAll("''", "'");
  }
  return out;
}

function timestampArgument(args: readonly Value[], i: number, strict: boolean): Timestamp {
  try {
    return parseTimestamp(argument(args, i).asString(), strict);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    throw new ArgumentError(i, error.message);
  }
}

/** Functions of dates and times; each call of `timestamp` calls `now`. */
export function datetimeFunctions(
  now: () => Date,
  planTimestamp: Value | undefined,
): readonly FunctionSpec[] {
  return [
    define('formatdate', {
      description: 'A timestamp in a form described by letters.',
      parameters: [text('format'), text('time')],
      returns: STRING,
      run: (args) =>
        str(formatDate(argument(args, 0).asString(), timestampArgument(args, 1, true))),
    }),
    define('plantimestamp', {
      description: 'The time at which the plan was begun.',
      nullable: true,
      returns: STRING,
      run: () => planTimestamp ?? unknownOf(STRING),
    }),
    define('timeadd', {
      description: 'The timestamp a duration later.',
      parameters: [text('timestamp'), text('duration')],
      nullable: true,
      returns: STRING,
      run: (args) => {
        const t = parseTimestamp(argument(args, 0).asString(), true);
        return str(formatTimestamp(addDuration(t, parseDuration(argument(args, 1).asString()))));
      },
    }),
    define('timecmp', {
      description: '-1, 0 or 1, as a timestamp is before, at or after another.',
      parameters: [text('timestamp_a'), text('timestamp_b')],
      returns: NUMBER,
      run: (args) =>
        integer(
          compareTimestamps(timestampArgument(args, 0, false), timestampArgument(args, 1, false)),
        ),
    }),
    define('timestamp', {
      description: 'The current time.',
      returns: STRING,
      run: () =>
        str(
          formatTimestamp({
            epochMs: Math.floor(now().getTime() / 1000) * 1000,
            nanoseconds: 0,
            offset: 0,
          }),
        ),
    }),
  ];
}
