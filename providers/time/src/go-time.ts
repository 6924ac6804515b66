import { quoteText } from '@terrane/cty';

const DAY = 86_400;

/** A moment with the offset from UTC that it is written in, as Go's `time.Time`. Calendar: proleptic Gregorian. */
export interface Moment {
  /** whole seconds since 1970-01-01T00:00:00Z */
  readonly unix: number;
  /** 0 to 999,999,999 */
  readonly nanoseconds: number;
  /** seconds east of UTC */
  readonly offset: number;
}

/** The calendar fields of a time stamp, in its own offset. */
export interface Civil {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** 0 is Sunday */
  readonly weekday: number;
  /** 1 to 366 */
  readonly yearDay: number;
}

/** Go's zero time, 0001-01-01T00:00:00Z. */
export const ZERO_TIME: Moment = { unix: daysFromCivil(1, 1, 1) * DAY, nanoseconds: 0, offset: 0 };

/** The moment of a JavaScript date, in UTC. */
export function momentOf(date: Date): Moment {
  const ms = date.getTime();
  const unix = Math.floor(ms / 1000);
  return { unix, nanoseconds: (ms - unix * 1000) * 1_000_000, offset: 0 };
}

/** Days since 1970-01-01; months and days out of range carry over. */
function daysFromCivil(year: number, month: number, day: number): number {
  const monthIndex = month - 1;
  const y = year + Math.floor(monthIndex / 12) - (mod(monthIndex, 12) < 2 ? 1 : 0);
  const fromMarch = mod(monthIndex - 2, 12);
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * fromMarch + 2) / 5);
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 + day - 1;
}

function mod(a: number, n: number): number {
  return ((a % n) + n) % n;
}

/** The calendar fields of a moment. */
export function civilOf({ unix, offset }: Moment): Civil {
  const local = unix + offset;
  const days = Math.floor(local / DAY);
  const inDay = local - days * DAY;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
    hour: Math.floor(inDay / 3600),
    minute: Math.floor(inDay / 60) % 60,
    second: inDay % 60,
    weekday: mod(days + 4, 7),
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
  };
}

/** Adds years, months and days; the 31st of a shorter month carries over. */
export function addDate(m: Moment, years: number, months: number, days: number): Moment {
  const { year, month, day } = civilOf(m);
  const before = daysFromCivil(year, month, day);
  const after = daysFromCivil(year + years, month + months, 1) + day - 1 + days;
  return { ...m, unix: m.unix + (after - before) * DAY };
}

/** Adds seconds. */
export function addSeconds(m: Moment, seconds: number): Moment {
  return { ...m, unix: m.unix + seconds };
}

/** Returns true if a moment is later than another. */
export function isAfter(a: Moment, b: Moment): boolean {
  return a.unix > b.unix || (a.unix === b.unix && a.nanoseconds > b.nanoseconds);
}

/** The year and week of the ISO 8601 calendar. */
export function isoWeek(m: Moment): { readonly year: number; readonly week: number } {
  const { year, month, day, weekday } = civilOf(m);
  // A week belongs to the year of its Thursday.
  const thursday = daysFromCivil(year, month, day) + 4 - (weekday === 0 ? 7 : weekday);
  const at = civilOf({ unix: thursday * DAY, nanoseconds: 0, offset: 0 });
  return { year: at.year, week: Math.floor((at.yearDay - 1) / 7) + 1 };
}

function digits(n: number, width: number): string {
  const text = String(Math.abs(n)).padStart(width, '0');
  return n < 0 ? `-${text}` : text;
}

/** RFC 3339, without fractions of seconds. */
export function formatMoment(m: Moment): string {
  const c = civilOf(m);
  const date = `${digits(c.year, 4)}-${digits(c.month, 2)}-${digits(c.day, 2)}`;
  const time = `${digits(c.hour, 2)}:${digits(c.minute, 2)}:${digits(c.second, 2)}`;
  if (m.offset === 0) return `${date}T${time}Z`;
  const minutes = Math.trunc(Math.abs(m.offset) / 60);
  const sign = m.offset < 0 ? '-' : '+';
  return `${date}T${time}${sign}${digits(Math.trunc(minutes / 60), 2)}:${digits(minutes % 60, 2)}`;
}

const LAYOUT = '2006-01-02T15:04:05Z07:00';

/** Components of the layout: name, maximum, and whether there are exactly two digits. */
const PARTS = [
  { before: '-', name: 'month', element: '01', low: 1, high: 12, fixed: true },
  { before: '-', name: 'day', element: '02', low: 0, high: 99, fixed: true },
  { before: 'T', name: 'hour', element: '15', low: 0, high: 23, fixed: false },
  { before: ':', name: 'minute', element: '04', low: 0, high: 59, fixed: true },
  { before: ':', name: 'second', element: '05', low: 0, high: 59, fixed: true },
] as const;

/** Parses an RFC 3339 timestamp, or returns the error of Go's `time.Parse`. */
export function parseMoment(text: string): Moment | string {
  const fault = (message: string) => `parsing time ${quoteText(text)}${message}`;
  const mismatch = (rest: string, element: string) =>
    `parsing time ${quoteText(text)} as ${quoteText(LAYOUT)}: cannot parse ${quoteText(rest)} as ${quoteText(element)}`;
  const year = /^\d{4}/.exec(text)?.[0];
  if (year === undefined) return mismatch(text, '2006');
  let rest = text.slice(4);
  const numbers: number[] = [];
  for (const { before, name, element, low, high, fixed } of PARTS) {
    if (!rest.startsWith(before)) return mismatch(rest, before);
    rest = rest.slice(1);
    const digits = (fixed ? /^\d\d/ : /^\d\d?/).exec(rest)?.[0];
    if (digits === undefined) return mismatch(rest, element);
    if (Number(digits) < low || Number(digits) > high) return fault(`: ${name} out of range`);
    numbers.push(Number(digits));
    rest = rest.slice(digits.length);
  }
  const fraction = /^[.,](\d+)/.exec(rest);
  if (fraction) rest = rest.slice(fraction[0].length);
  const zone = parseZone(rest);
  if (typeof zone === 'string') return zone === '' ? mismatch(rest, 'Z07:00') : fault(zone);
  if (zone.rest !== '') return fault(`: extra text: ${quoteText(zone.rest)}`);
  const [month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  const days = daysFromCivil(Number(year), month, day);
  const lastDay = daysFromCivil(Number(year), month + 1, 1) - daysFromCivil(Number(year), month, 1);
  if (day < 1 || day > lastDay) return fault(': day out of range');
  const local = days * DAY + hour * 3600 + minute * 60 + second;
  const nanoseconds = Number((fraction?.[1] ?? '').slice(0, 9).padEnd(9, '0'));
  return { unix: local - zone.offset, nanoseconds, offset: zone.offset };
}

/** Parses the offset at the end of a timestamp; returns an empty text if it is absent, otherwise the error. */
function parseZone(text: string): { readonly offset: number; readonly rest: string } | string {
  if (text.startsWith('Z')) return { offset: 0, rest: text.slice(1) };
  const match = /^([+-])(\d\d):(\d\d)/.exec(text);
  if (match === null) return '';
  const [all, sign, hours, minutes] = match;
  if (Number(hours) > 24) return ': time zone offset hour out of range';
  if (Number(minutes) > 60) return ': time zone offset minute out of range';
  const offset = Number(hours) * 3600 + Number(minutes) * 60;
  return { offset: sign === '-' ? -offset : offset, rest: text.slice(all.length) };
}
