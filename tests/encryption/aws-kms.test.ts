// Keys of AWS KMS, which moto answers for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOTO, startMoto, type Moto } from '../backends/moto.ts';
import type { EncryptionCase } from './cases.ts';
import { outputOf, placeFor, runTerrane, terrane, tofu, TOFU } from './run.ts';

describe.runIf(MOTO)('aws_kms', () => {
  let server: Moto;
  let each: EncryptionCase;

  beforeAll(async () => {
    server = await startMoto();
    const answer = await fetch(server.endpoint, {
      method: 'POST',
      headers: {
        'x-amz-target': 'TrentService.CreateKey',
        'content-type': 'application/x-amz-json-1.1',
        authorization: 'AWS4-HMAC-SHA256 Credential=id/20200101/us-east-1/kms/aws4_request',
      },
      body: '{}',
    });
    const made: { readonly KeyMetadata: { readonly KeyId: string } } = JSON.parse(
      await answer.text(),
    );
    each = {
      name: 'aws-kms',
      files: {
        'main.tf': `terraform {
  encryption {
    key_provider "aws_kms" "k" {
      kms_key_id                  = "${made.KeyMetadata.KeyId}"
      key_spec                    = "AES_256"
      region                      = "us-east-1"
      skip_credentials_validation = true
      skip_requesting_account_id  = true
    }
    method "aes_gcm" "m" {
      keys = key_provider.aws_kms.k
    }
    state {
      method = method.aes_gcm.m
    }
  }
}
`,
      },
      environment: {
        AWS_ENDPOINT_URL_KMS: server.endpoint,
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'not-a-secret',
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    };
  }, 120_000);
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
    if (TOFU === undefined) return;
    tofu(place, ['init', '-input=false']);
    tofu(place, ['apply', '-auto-approve', '-input=false', '-var=text=marker-second']);
    expect(outputOf(terrane(place, ['output', '-json']))).toBe('marker-second');
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
