import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import { openEphemeral, ResourceLife } from '@terrane/provider/testing';
import { compare } from 'bcryptjs';
import { expect, test } from 'vitest';
import { provider } from './index.ts';

const checked = enforceContract(provider.create(nodeHost()), provider.address);
const life = (type: string) => ResourceLife.of(checked, type);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test.each<[type: string, written: Record<string, unknown>]>([
  ['random_id', { byte_length: 4 }],
  ['random_integer', { min: 1, max: 1_000_000_000 }],
  ['random_pet', {}],
  ['random_shuffle', { input: ['a', 'b', 'c'] }],
  ['random_string', { length: 12 }],
  ['random_uuid', {}],
  ['random_uuid4', {}],
  ['random_uuid7', {}],
])('%s is stable until its keepers change', async (type, written) => {
  const resource = await life(type);
  const first = await resource.apply({ ...written, keepers: { a: '1' } });
  expect(first.action).toBe('create');
  expect(first.diagnostics).toBeUndefined();
  expect(await resource.refresh()).toEqual({ state: first.state });
  const again = await resource.apply({ ...written, keepers: { a: '1' } });
  expect(again).toEqual({ action: 'no-op', state: first.state });
  const keepers = { a: '2' };
  const second = await resource.apply({ ...written, keepers });
  expect(second).toMatchObject({ action: 'replace', state: { keepers } });
  expect(await resource.destroy()).toEqual({ action: 'delete', state: null });
});

test('a keeper that is null and new changes a resource without replacing it', async () => {
  const resource = await life('random_uuid');
  const { state } = await resource.apply({ keepers: { a: '1' } });
  const keepers = { a: '1', b: null };
  expect(await resource.apply({ keepers })).toEqual({
    action: 'update',
    state: { ...state, keepers },
  });
});

test('random_id has its bytes in several notations after the prefix', async () => {
  const id = await life('random_id');
  const { state } = await id.apply({ byte_length: 5, prefix: 'p-' });
  const bytes = Buffer.from(String(state?.['id']), 'base64url');
  expect(bytes).toHaveLength(5);
  expect(state).toMatchObject({
    b64_std: `p-${bytes.toString('base64')}`,
    b64_url: `p-${bytes.toString('base64url')}`,
    hex: `p-${bytes.toString('hex')}`,
    dec: `p-${BigInt(`0x${bytes.toString('hex')}`).toString()}`,
  });
  expect((await id.apply({ byte_length: 6, prefix: 'p-' })).action).toBe('replace');
});

test('random_id is imported with and without a prefix', async () => {
  const id = await life('random_id');
  const bytes = { id: 'AQID', b64_std: 'AQID', hex: '010203', dec: '66051', byte_length: 3 };
  expect((await id.import('AQID')).state).toMatchObject({ ...bytes, prefix: null });
  const prefixed = await (await life('random_id')).import('a,b,AQID');
  expect(prefixed.state).toMatchObject({ prefix: 'a,b', hex: 'a,b010203', id: 'AQID' });
  const wrong = await (await life('random_id')).import('?');
  expect(wrong.diagnostics).toMatchObject([{ summary: 'Import Random ID Error' }]);
});

test('random_integer draws from its range, its ends included', async () => {
  const seen = new Set<unknown>();
  for (let i = 0; i < 60; i++) {
    const { state } = await (await life('random_integer')).apply({ min: -1, max: 1 });
    seen.add(state?.['result']);
  }
  expect(seen).toEqual(new Set([-1, 0, 1]));
});

test('random_integer needs a range', async () => {
  const integer = await life('random_integer');
  expect(await integer.apply({ min: 2, max: 1 })).toEqual({
    action: 'create',
    state: null,
    diagnostics: [
      {
        severity: 'error',
        summary: 'Create Random Integer Error',
        detail:
          'The minimum (minVal) value needs to be smaller than or equal to maximum (maxVal) value.',
      },
    ],
  });
});

test('random_integer is imported by result and range, perhaps with its seed', async () => {
  const integer = await life('random_integer');
  expect((await integer.import('5,1,9,seed')).state).toEqual({
    id: '5',
    result: 5,
    min: 1,
    max: 9,
    seed: 'seed',
    keepers: null,
  });
  expect((await integer.apply({ min: 1, max: 9, seed: 'seed' })).action).toBe('no-op');
  const wrong = await (await life('random_integer')).import('5,1');
  expect(wrong.diagnostics).toMatchObject([{ summary: 'Import Random Integer Error' }]);
});

test('random_pet joins its prefix and the configured number of words', async () => {
  const pet = await life('random_pet');
  const { state } = await pet.apply({ length: 3, prefix: 'x', separator: '/' });
  expect(state?.['id']).toMatch(/^x\/[a-z]+\/[a-z]+\/[a-z]+$/);
  const usual = await (await life('random_pet')).apply({});
  expect(usual.state).toMatchObject({ length: 2, separator: '-', prefix: null });
  expect(usual.state?.['id']).toMatch(/^[a-z]+-[a-z]+$/);
});

test('random_shuffle returns some of its elements, or all of them repeatedly', async () => {
  const input = ['a', 'b', 'c'];
  const some = (await (await life('random_shuffle')).apply({ input, result_count: 2 })).state;
  const result = some?.['result'];
  expect(result).toHaveLength(2);
  expect(new Set(result as string[]).size).toBe(2);
  const many = (await (await life('random_shuffle')).apply({ input, result_count: 7 })).state;
  const rounds = many?.['result'] as readonly string[];
  expect(rounds.slice(0, 3).toSorted()).toEqual(input);
  expect(rounds.slice(3, 6).toSorted()).toEqual(input);
  expect(rounds).toHaveLength(7);
});

test('a seed has the same results every time', async () => {
  const seeded = async (type: string, written: object) =>
    (await (await life(type)).apply({ ...written, seed: 'abc' })).state?.['result'];
  const range = { min: 1, max: 1_000_000 };
  expect(await seeded('random_integer', range)).toBe(await seeded('random_integer', range));
  const input = { input: Array.from('abcdefghij') };
  expect(await seeded('random_shuffle', input)).toEqual(await seeded('random_shuffle', input));
});

test('random_string keeps to its lengths and characters', async () => {
  const { state } = await (
    await life('random_string')
  ).apply({
    length: 20,
    upper: false,
    min_numeric: 5,
    min_special: 4,
    override_special: '@é',
  });
  const text = String(state?.['result']);
  expect(state?.['id']).toBe(text);
  expect([...text]).toHaveLength(20);
  expect(text).toMatch(/^[a-z0-9@é]+$/);
  expect(text.match(/[0-9]/g)?.length).toBeGreaterThanOrEqual(5);
  expect(text.match(/[@é]/g)?.length).toBeGreaterThanOrEqual(4);
});

test('random_string needs characters to choose from', async () => {
  const nothing = { length: 4, upper: false, lower: false, numeric: false, special: false };
  const step = await (await life('random_string')).apply(nothing);
  expect(step.state).toBeNull();
  expect(step.diagnostics).toContainEqual({
    severity: 'error',
    summary: 'Invalid Attribute Combination',
    detail: 'At least one attribute out of [special,upper,lower,numeric] must be specified as true',
  });
});

test('random_string is imported by its text', async () => {
  const string = await life('random_string');
  expect((await string.import('hello')).state).toMatchObject({
    id: 'hello',
    result: 'hello',
    length: 5,
    lower: true,
    min_numeric: 0,
  });
  expect((await string.apply({ length: 5 })).action).toBe('no-op');
});

test('random_password stores a hash of its text', async () => {
  const password = await life('random_password');
  const { action, state } = await password.apply({ length: 10 });
  expect(action).toBe('create');
  expect(state).toMatchObject({ id: 'none' });
  const hash = String(state?.['bcrypt_hash']);
  expect(hash).toMatch(/^\$2a\$10\$/);
  expect(await compare(String(state?.['result']), hash)).toBe(true);
  expect(await password.apply({ length: 10 })).toEqual({ action: 'no-op', state });
});

test('random_password is imported by its text', async () => {
  const password = await life('random_password');
  const { state } = await password.import('secret');
  expect(state).toMatchObject({ id: 'none', result: 'secret', length: 6 });
  expect(await compare('secret', String(state?.['bcrypt_hash']))).toBe(true);
});

const OLDER = {
  id: 'none',
  keepers: null,
  length: 3,
  lower: true,
  min_lower: 0,
  min_numeric: 0,
  min_special: 0,
  min_upper: 0,
  number: false,
  override_special: null,
  result: 'abc',
  special: true,
  upper: true,
};

test('older passwords get missing attributes', async () => {
  const password = await life('random_password');
  const { state } = await password.upgrade(OLDER, 0);
  expect(state).toMatchObject({ ...OLDER, numeric: false });
  expect(await compare('abc', String(state?.['bcrypt_hash']))).toBe(true);
  const withoutLength = await password.upgrade({ ...OLDER, length: null, number: null }, 0);
  expect(withoutLength.state).toMatchObject({ length: 3, number: true, numeric: true });
});

test('a password with the hash of another text gets its own', async () => {
  const password = await life('random_password');
  const { state: other } = await (await life('random_password')).import('xyz');
  const stored = { ...OLDER, numeric: false, bcrypt_hash: other?.['bcrypt_hash'] };
  const { state } = await password.upgrade(stored, 2);
  expect(await compare('abc', String(state?.['bcrypt_hash']))).toBe(true);
  const upgraded = { ...stored, bcrypt_hash: state?.['bcrypt_hash'] };
  expect((await password.upgrade(upgraded, 2)).state).toMatchObject(upgraded);
});

test('older strings get missing attributes', async () => {
  const string = await life('random_string');
  expect((await string.upgrade({ ...OLDER, id: 'abc' }, 1)).state).toMatchObject({
    id: 'abc',
    numeric: false,
  });
});

test('random_bytes has its bytes in two notations', async () => {
  const bytes = await life('random_bytes');
  const { state } = await bytes.apply({ length: 6 });
  const raw = Buffer.from(String(state?.['base64']), 'base64');
  expect(raw).toHaveLength(6);
  expect(state?.['hex']).toBe(raw.toString('hex'));
  expect((await (await life('random_bytes')).import('AQID')).state).toMatchObject({
    base64: 'AQID',
    hex: '010203',
    length: 3,
  });
});

test('UUIDs are of their version, and imported', async () => {
  const plain = await (await life('random_uuid')).apply({});
  expect(plain.state?.['result']).toMatch(UUID);
  const four = String((await (await life('random_uuid4')).apply({})).state?.['result']);
  expect(four).toMatch(UUID);
  expect(four[14]).toBe('4');
  const seven = String((await (await life('random_uuid7')).apply({})).state?.['result']);
  expect(seven[14]).toBe('7');
  const made = Number.parseInt(seven.replaceAll('-', '').slice(0, 12), 16);
  expect(Math.abs(Date.now() - made)).toBeLessThan(60_000);
  const uuid = '0189c5e0-5d3a-4a52-9d4b-6f3f3b8c7e10';
  const imported = await (await life('random_uuid')).import(uuid);
  expect(imported.state).toMatchObject({ id: uuid, result: uuid });
  const wrong = await (await life('random_uuid')).import('nope');
  expect(wrong.diagnostics).toMatchObject([{ summary: 'Import Random UUID Error' }]);
});

test('ephemeral passwords and bytes are generated each time', async () => {
  const open = () => openEphemeral(checked, 'random_password', { length: 8, special: false });
  const [first, second] = [await open(), await open()];
  expect(first.state).toMatchObject({ length: 8, special: false, upper: true, min_lower: 0 });
  expect(first.state?.['result']).toMatch(/^[A-Za-z0-9]{8}$/);
  expect(first.state?.['result']).not.toBe(second.state?.['result']);
});
