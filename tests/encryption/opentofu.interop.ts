// Encrypted states that Terrane and OpenTofu write in turn. scripts/oracle/install-programs.mjs builds OpenTofu.
import { describe, expect, it } from 'vitest';
import { MOTO, startMoto } from '../backends/moto.ts';
import { worked } from '../backends/programs.ts';
import { vaultPlace } from './azure-vault-place.ts';
import { CASES, type EncryptionCase } from './cases.ts';
import { kmsCase } from './kms-case.ts';
import { outputOf, placeFor, terrane, tofu, TOFU } from './run.ts';

const missing = [
  ...(TOFU === undefined ? ['tofu-1.12 (scripts/oracle/install-programs.mjs)'] : []),
  ...(MOTO ? [] : ['moto (scripts/install-moto.sh)']),
];

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

async function shareState(testCase: EncryptionCase): Promise<void> {
  await using place = await placeFor(testCase);
  terrane(place, ['init', '-input=false']);
  terrane(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-third']);
  tofu(place, ['init', '-input=false']);
  expect(outputOf(tofu(place, ['output', '-json']))).toBe('marker-third');
  tofu(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-fourth']);
  expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-fourth');
  expect(await place.read('terraform.tfstate')).not.toContain('marker');
}

describe.skipIf(missing.length > 0)('Terrane and OpenTofu share a state', () => {
  it.each(CASES)('encrypted as $name', async (each) => {
    await shareState(each);
  });

  it('encrypted with a key of AWS KMS', async () => {
    const server = await startMoto();
    try {
      await shareState(await kmsCase(server));
    } finally {
      await server.stop();
    }
  });

  it('encrypted with a key of an Azure vault', async () => {
    await using place = await vaultPlace();
    const { work } = place;
    await worked(work.terrane('init', '-input=false'));
    await worked(work.terrane('apply', '-auto-approve', '-input=false'));
    const program = TOFU ?? '';
    await worked(work.run(program, 'init', '-input=false'));
    await worked(
      work.run(program, 'apply', '-auto-approve', '-input=false', '-var=text=marker-second'),
    );
    const metadata = await place.metadata();
    expect(metadata).toMatchObject({ iv: null, algo: 'RSA-OAEP-256' });
    expect(Object.keys(Object(metadata))).toHaveLength(6);
    expect(await worked(work.terrane('output', '-json'))).toContain('marker-second');
  });
});
