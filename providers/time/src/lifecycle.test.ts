import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import { ResourceLife } from '@terrane/provider/testing';
import { ManualClock } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { provider } from './index.ts';

const START = Date.UTC(2024, 0, 31, 10, 20, 30);
const DAY = 86_400_000;

function objects(clock = new ManualClock(START)) {
  const checked = enforceContract(provider.create({ ...nodeHost(), clock }), provider.address);
  return { clock, of: (type: string) => ResourceLife.of(checked, type) };
}

const parts = (year: number, month: number, day: number, unix: number) => ({
  year,
  month,
  day,
  hour: 10,
  minute: 20,
  second: 30,
  unix,
});
const NOW = '2024-01-31T10:20:30Z';

test('time_static keeps the moment of its creation until triggers change', async () => {
  const { clock, of } = objects();
  const moment = await of('time_static');
  const first = await moment.apply({});
  expect(first).toEqual({
    action: 'create',
    state: { id: NOW, rfc3339: NOW, triggers: null, ...parts(2024, 1, 31, START / 1000) },
  });
  await clock.advance(DAY);
  expect(await moment.refresh()).toEqual({ state: first.state });
  expect((await moment.apply({})).action).toBe('no-op');
  const second = await moment.apply({ triggers: { a: 'b' } });
  expect(second).toMatchObject({ action: 'replace', state: { rfc3339: '2024-02-01T10:20:30Z' } });
});

test('time_static accepts a configured timestamp, and another one replaces it', async () => {
  const moment = await objects().of('time_static');
  const timestamp = '2020-02-12T06:36:13Z';
  expect(await moment.apply({ rfc3339: timestamp })).toMatchObject({
    state: { id: timestamp, rfc3339: timestamp, year: 2020, unix: 1581489373 },
  });
  expect((await moment.apply({ rfc3339: '2020-02-12T06:36:14Z' })).action).toBe('replace');
});

test('time_static is imported by its moment', async () => {
  const moment = await objects().of('time_static');
  const { state } = await moment.import('2020-02-12T06:36:13Z');
  expect(state).toMatchObject({ rfc3339: '2020-02-12T06:36:13Z', year: 2020, month: 2, day: 12 });
  const wrong = await (await objects().of('time_static')).import('x');
  expect(wrong.diagnostics).toMatchObject([{ summary: 'Import time static error' }]);
});

test('time_offset is as far from its base as is written, and moves with it', async () => {
  const moment = await objects().of('time_offset');
  const first = await moment.apply({ offset_months: 1 });
  // As in Go, the 31st of February is the 2nd of March.
  expect(first).toMatchObject({
    action: 'create',
    state: { base_rfc3339: NOW, rfc3339: '2024-03-02T10:20:30Z', month: 3, day: 2 },
  });
  const second = await moment.apply({ offset_days: -1, offset_hours: 1 });
  expect(second).toMatchObject({
    action: 'update',
    state: { base_rfc3339: NOW, rfc3339: '2024-01-30T11:20:30Z', offset_months: null },
  });
  expect((await moment.apply({})).diagnostics).toMatchObject([
    { summary: 'Missing Attribute Configuration' },
  ]);
});

test('time_offset is imported by its base and offsets', async () => {
  const moment = await objects().of('time_offset');
  const { state } = await moment.import('2020-01-01T00:00:00Z,1,,2,,,3');
  expect(state).toMatchObject({
    base_rfc3339: '2020-01-01T00:00:00Z',
    rfc3339: '2021-01-03T00:00:03Z',
    offset_years: 1,
    offset_days: 2,
    offset_months: null,
    offset_seconds: 3,
  });
});

test('time_rotating is removed when it expires, and created again', async () => {
  const { clock, of } = objects();
  const rotating = await of('time_rotating');
  const first = await rotating.apply({ rotation_days: 7 });
  expect(first).toMatchObject({
    action: 'create',
    state: { rfc3339: NOW, rotation_rfc3339: '2024-02-07T10:20:30Z', year: 2024, month: 2, day: 7 },
  });
  await clock.advance(6 * DAY);
  expect(await rotating.refresh()).toEqual({ state: first.state });
  expect((await rotating.apply({ rotation_days: 7 })).action).toBe('no-op');
  await clock.advance(2 * DAY);
  expect(await rotating.refresh()).toEqual({ state: null });
  expect(await rotating.apply({ rotation_days: 7 })).toMatchObject({
    action: 'create',
    state: { rfc3339: '2024-02-08T10:20:30Z', rotation_rfc3339: '2024-02-15T10:20:30Z' },
  });
});

test('time_rotating gets another rotation under the same base', async () => {
  const rotating = await objects().of('time_rotating');
  await rotating.apply({ rotation_days: 7 });
  expect(await rotating.apply({ rotation_hours: 1 })).toMatchObject({
    action: 'update',
    state: { rfc3339: NOW, rotation_rfc3339: '2024-01-31T11:20:30Z', rotation_days: null },
  });
});

test.each([
  ['2024-01-01T00:00:00Z,1,,,,', { rotation_years: 1, rotation_rfc3339: '2025-01-01T00:00:00Z' }],
  [
    '2024-01-01T00:00:00Z,2024-06-01T00:00:00Z',
    { rotation_years: null, rotation_rfc3339: '2024-06-01T00:00:00Z' },
  ],
])('time_rotating is imported as %s', async (id, expected) => {
  const rotating = await objects().of('time_rotating');
  const { state } = await rotating.import(id);
  expect(state).toMatchObject({ rfc3339: '2024-01-01T00:00:00Z', ...expected });
});

test('time_rotating refuses other ids', async () => {
  const rotating = await objects().of('time_rotating');
  expect((await rotating.import('a,b,c')).diagnostics).toEqual([
    {
      severity: 'error',
      summary: 'Unexpected Format of ID',
      detail:
        'Unexpected format of ID ("a,b,c"), expected BASETIMESTAMP,YEARS,MONTHS,DAYS,HOURS,MINUTES or BASETIMESTAMP,ROTATIONTIMESTAMP',
    },
  ]);
});

test('time_sleep waits when it is created and when it is destroyed', async () => {
  const { clock, of } = objects();
  const sleep = await of('time_sleep');
  const created = sleep.apply({ create_duration: '90s', destroy_duration: '5s' });
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(89_999);
  expect(clock.sleeping).toBe(1);
  await clock.advance(1);
  expect(await created).toMatchObject({ action: 'create', state: { id: '2024-01-31T10:22:00Z' } });
  // Another duration alone does not wait.
  expect((await sleep.apply({ destroy_duration: '6s' })).action).toBe('update');
  const destroyed = sleep.destroy();
  await expect.poll(() => clock.sleeping).toBe(1);
  await clock.advance(6_000);
  expect(await destroyed).toEqual({ action: 'delete', state: null });
});

test('time_sleep is imported by its durations', async () => {
  const sleep = await objects().of('time_sleep');
  expect(await sleep.import('10s,')).toMatchObject({
    state: { create_duration: '10s', destroy_duration: null },
  });
  const wrong = await (await objects().of('time_sleep')).import('x,');
  expect(wrong.diagnostics).toMatchObject([{ summary: 'Import time sleep error' }]);
});
