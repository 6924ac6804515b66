import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { PBKDF2 } from './pbkdf2.ts';
import { providerOf } from './testing/provider-of.ts';

const PASSPHRASE = 'passphrase = "correct-horse-battery-staple"\niterations = 200000';
const provider = (more = '') => providerOf(PBKDF2, `${PASSPHRASE}\n${more}`, memoryHost());
const metadata = (changes: object): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      salt: Buffer.alloc(32).toString('base64'),
      iterations: 200_000,
      hash_function: 'sha512',
      key_length: 32,
      ...changes,
    }),
  );

it('derives the key again from the metadata of a file', async () => {
  expect(await provider().recover(metadata({}))).toHaveLength(32);
  expect(await provider().recover(metadata({ iterations: 1000, key_length: 64 }))).toHaveLength(64);
});

it.each([
  ['iterations', { iterations: 2_000_000_000 }],
  ['a key length', { iterations: 1, key_length: 2_000_000_000 }],
  ['both together', { iterations: 10_000_000, key_length: 1024 }],
])('refuses metadata of a file with %s that would take minutes', async (_, changes) => {
  await expect(provider().recover(metadata(changes))).rejects.toThrow('limit');
});

it.each(['iterations = 2000000000', 'key_length = 2000000000', 'salt_length = 2000000000'])(
  'refuses a configuration with %s',
  (argument) => {
    const text = argument.startsWith('iterations')
      ? PASSPHRASE.replace(/iterations.*/, argument)
      : `${PASSPHRASE}\n${argument}`;
    expect(() => providerOf(PBKDF2, text, memoryHost())).toThrow(/limit|larger than/);
  },
);
