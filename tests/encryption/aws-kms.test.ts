// Keys of AWS KMS, served by moto. opentofu.interop.ts shares them with OpenTofu.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOTO, startMoto, type Moto } from '../backends/moto.ts';
import type { EncryptionCase } from './cases.ts';
import { kmsCase } from './kms-case.ts';
import { outputOf, placeFor, runTerrane, terrane } from './run.ts';

describe.runIf(MOTO)('aws_kms', () => {
  let server: Moto;
  let each: EncryptionCase;

  beforeAll(async () => {
    server = await startMoto();
    each = await kmsCase(server);
  });
  afterAll(() => server.stop());

  it('provides keys, and recovers them', async () => {
    await using place = await placeFor(each);
    terrane(place, ['init', '-input=false']);
    terrane(place, ['apply', '-auto-approve', '-input=false']);
    const text = await place.read('terraform.tfstate');
    expect(text).not.toContain('marker');
    const state: { readonly meta: Readonly<Record<string, string>> } = JSON.parse(text);
    const kept: unknown = JSON.parse(
      Buffer.from(state.meta['key_provider.aws_kms.k'] ?? '', 'base64').toString(),
    );
    expect(kept).toHaveProperty('ciphertext_blob');
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-first');
  });

  it('binds keys to an encryption context, which the metadata records', async () => {
    const [text = ''] = Object.values(each.files);
    const withContext = (value: string): string =>
      text.replace('region  ', `encryption_context = { stage = "${value}" }\n      region  `);
    await using place = await placeFor({ ...each, files: { 'main.tf': withContext('one') } });
    terrane(place, ['init', '-input=false']);
    terrane(place, ['apply', '-auto-approve', '-input=false']);
    const state: { readonly meta: Readonly<Record<string, string>> } = JSON.parse(
      await place.read('terraform.tfstate'),
    );
    const encoded = state.meta['key_provider.aws_kms.k'] ?? '';
    const kept: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString());
    expect(kept).toMatchObject({ encryption_context: { stage: 'one' } });
    // moto fails to decrypt with another context; the recorded one is used, as in OpenTofu.
    await place.write('main.tf', withContext('two'));
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-first');
  });

  it('reports the error of the service for a missing key', async () => {
    const [text = ''] = Object.values(each.files);
    const wrong = text.replace(/kms_key_id +=.*/, 'kms_key_id = "no-such-key"');
    await using place = await placeFor({ ...each, files: { 'main.tf': wrong } });
    const { code, stderr } = runTerrane(place, ['init', '-input=false']);
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'key_provider.aws_kms.k failed with error: failed to generate key:',
    );
  });
});
