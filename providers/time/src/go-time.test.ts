import { describe, expect, test } from 'vitest';
import { parseDuration } from './duration.ts';
import { addDate, civilOf, formatMoment, isoWeek, parseMoment } from './go-time.ts';
import type { Moment } from './go-time.ts';

const LAYOUT = '2006-01-02T15:04:05Z07:00';

function moment(text: string): Moment {
  const parsed = parseMoment(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

// Results and messages are those of Go's package time.
describe('parseMoment', () => {
  test.each([
    ['2020-01-02T03:04:05Z', '2020-01-02T03:04:05Z'],
    ['2020-01-02T1:00:00Z', '2020-01-02T01:00:00Z'],
    ['2020-01-02T00:00:00,5Z', '2020-01-02T00:00:00Z'],
    ['2020-01-02T00:00:00.999999999+05:30', '2020-01-02T00:00:00+05:30'],
    ['2020-01-02T00:00:00-00:00', '2020-01-02T00:00:00Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T23:59:59-23:59'],
  ])('reads %s', (text, formatted) => {
    expect(formatMoment(moment(text))).toBe(formatted);
  });

  test.each([
    ['2020-1-02T00:00:00Z', '1-02T00:00:00Z', '01'],
    ['2020-01-02T00:00:00z', 'z', 'Z07:00'],
    ['202-01-02T00:00:00Z', '202-01-02T00:00:00Z', '2006'],
    ['2020-01-02T00:00:00.Z', '.Z', 'Z07:00'],
    ['2020-01-02', '', 'T'],
    ['2020-01-02T00:00:00+0000', '+0000', 'Z07:00'],
    ['20200-01-02T00:00:00Z', '0-01-02T00:00:00Z', '-'],
  ])('reports the position of the error in %s', (text, rest, part) => {
    expect(parseMoment(text)).toBe(
      `parsing time "${text}" as "${LAYOUT}": cannot parse "${rest}" as "${part}"`,
    );
  });

  test.each([
    ['2020-01-02T00:00:00+25:00', 'time zone offset hour out of range'],
    ['2020-01-02T00:00:00+00:61', 'time zone offset minute out of range'],
    ['2020-01-02T00:00:60Z', 'second out of range'],
    ['2020-00-02T00:00:00Z', 'month out of range'],
    ['2020-01-00T00:00:00Z', 'day out of range'],
    ['2021-02-29T00:00:00Z', 'day out of range'],
    ['2020-01-02T00:00:00Z07:00', 'extra text: "07:00"'],
  ])('reports the field out of range in %s', (text, problem) => {
    expect(parseMoment(text)).toBe(`parsing time "${text}": ${problem}`);
  });
});

test('a day beyond the end of a month carries over into the next', () => {
  expect(formatMoment(addDate(moment('2020-01-31T10:00:00Z'), 0, 1, 0))).toBe(
    '2020-03-02T10:00:00Z',
  );
  expect(formatMoment(addDate(moment('2020-02-29T00:00:00Z'), 1, 0, 0))).toBe(
    '2021-03-01T00:00:00Z',
  );
  expect(formatMoment(addDate(moment('2020-01-15T00:00:00Z'), 0, -13, -15))).toBe(
    '2018-11-30T00:00:00Z',
  );
});

test.each([
  ['2018-12-31T00:00:00Z', 2019, 1, 365, 1],
  ['2021-01-03T00:00:00Z', 2020, 53, 3, 0],
  ['2020-12-31T23:59:59Z', 2020, 53, 366, 4],
  ['1969-07-20T20:17:40Z', 1969, 29, 201, 0],
])('%s is in ISO year %i, week %i; day %i of the year', (text, year, week, yearDay, weekday) => {
  expect(isoWeek(moment(text))).toEqual({ year, week });
  expect(civilOf(moment(text))).toMatchObject({ yearDay, weekday });
});

describe('parseDuration', () => {
  test.each([
    ['1h15m30.918273645s', 4530918273645n],
    ['-1.5h', -5400000000000n],
    ['.5s', 500000000n],
    ['1.s', 1000000000n],
    ['+5m', 300000000000n],
    ['1µs', 1000n],
    ['0', 0n],
    ['-9223372036854775808ns', -(2n ** 63n)],
  ])('reads %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    ['1.5', 'time: missing unit in duration "1.5"'],
    ['1h1', 'time: missing unit in duration "1h1"'],
    ['3x', 'time: unknown unit "x" in duration "3x"'],
    ['1e3s', 'time: unknown unit "e" in duration "1e3s"'],
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('refuses %j', (text, problem) => {
    expect(parseDuration(text)).toBe(problem);
  });
});
