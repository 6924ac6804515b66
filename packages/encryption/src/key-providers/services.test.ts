import type { HttpRequest } from '@terrane/host';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import type { KeyHost } from '../key-provider.ts';
import { AWS_KMS } from './aws-kms.ts';
import { gcpKms } from './gcp-kms.ts';
import { OPENBAO } from './openbao.ts';
import { providerOf as provider } from './testing/provider-of.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A server that answers requests in the order in which these answers are given. */
function server(...answers: readonly { readonly status: number; readonly body: unknown }[]): {
  readonly host: KeyHost;
  readonly asked: unknown[];
} {
  const asked: unknown[] = [];
  const remaining = [...answers];
  const request = (url: string, { method, headers, body }: HttpRequest = {}) => {
    const text = typeof body === 'string' ? body : '';
    asked.push({ url, method, token: headers?.['x-vault-token'], body: JSON.parse(text) });
    const { status, body: answer } = remaining.shift() ?? { status: 500, body: {} };
    const pieces = async function* (): AsyncIterable<Uint8Array> {
      yield await Promise.resolve(bytes(JSON.stringify(answer)));
    };
    return Promise.resolve({ status, headers: {}, url, body: pieces() });
  };
  const host = memoryHost();
  return { host: { ...host, http: { ...host.http, request } }, asked };
}

describe('openbao', () => {
  const KEY = Buffer.alloc(32, 7);
  const text = 'address = "https://bao.example:8200/"\ntoken = "secret-token"\nkey_name = "a/b"';

  it('has a data key made, and decrypts it again', async () => {
    const { host, asked } = server(
      {
        status: 200,
        body: { data: { plaintext: KEY.toString('base64'), ciphertext: 'vault:v1:abc' } },
      },
      { status: 200, body: { data: { plaintext: KEY.toString('base64') } } },
    );
    const keys = provider(OPENBAO, text, host);
    expect(keys.keyLength).toBe(32);
    const { key, metadata } = await keys.provide();
    expect(Buffer.from(key)).toEqual(KEY);
    // The format of OpenTofu: the server's text, base64-encoded again.
    expect(JSON.parse(metadata)).toEqual({ ciphertext: btoa('vault:v1:abc') });
    expect(Buffer.from((await keys.recover(bytes(metadata))) ?? [])).toEqual(KEY);
    const base = 'https://bao.example:8200/v1/transit';
    expect(asked).toEqual([
      {
        url: `${base}/datakey/plaintext/a%2Fb`,
        method: 'PUT',
        token: 'secret-token',
        body: { bits: 256 },
      },
      {
        url: `${base}/decrypt/a%2Fb`,
        method: 'PUT',
        token: 'secret-token',
        body: { ciphertext: 'vault:v1:abc' },
      },
    ]);
  });

  it('sends associated data, and decrypts with that of the metadata', async () => {
    const { host, asked } = server(
      { status: 200, body: { data: { plaintext: KEY.toString('base64'), ciphertext: 'c' } } },
      { status: 200, body: { data: { plaintext: KEY.toString('base64') } } },
    );
    const { metadata } = await provider(
      OPENBAO,
      `${text}\nassociated_data = "b25l"`,
      host,
    ).provide();
    expect(JSON.parse(metadata)).toEqual({ ciphertext: btoa('c'), associated_data: 'b25l' });
    await provider(OPENBAO, `${text}\nassociated_data = "dHdv"`, host).recover(bytes(metadata));
    expect(asked).toMatchObject([
      { body: { bits: 256, associated_data: 'b25l' } },
      { body: { ciphertext: 'c', associated_data: 'b25l' } },
    ]);
    const wrong = bytes(JSON.stringify({ ciphertext: btoa('c'), associated_data: 1 }));
    await expect(provider(OPENBAO, text, host).recover(wrong)).rejects.toThrow(
      'associated_data must be a string',
    );
  });

  it.each(['a!b', 'abc', 'a===', '===='])('refuses associated data %j', (data) => {
    expect(() => provider(OPENBAO, `${text}\nassociated_data = "${data}"`)).toThrow(
      'associated data is not valid base64',
    );
  });

  it('reports the error of the server without the token', async () => {
    const { host } = server({ status: 403, body: { errors: ['permission denied'] } });
    const failure = await provider(OPENBAO, text, host)
      .provide()
      .catch((error: unknown) => String(error));
    expect(failure).toContain(
      'failed to generate OpenBao data key (check if the configuration valid and OpenBao server accessible): error sending datakey request to OpenBao: Error making API request.',
    );
    expect(failure).toContain('Code: 403. Errors:\n\n* permission denied');
    expect(failure).not.toContain('secret-token');
  });

  it('refuses lengths that it has not', () => {
    expect(() => provider(OPENBAO, 'key_name = "a"\nkey_length = 20')).toThrow(
      'data key length should one of 16, 32 or 64 bytes: got 20',
    );
  });
});

describe('gcp_kms', () => {
  const NAME = 'projects/p/locations/l/keyRings/r/cryptoKeys/k';
  const text = `kms_encryption_key = "${NAME}"\nkey_length = 32`;

  it('has a key of its own encrypted and decrypted', async () => {
    const asked: unknown[] = [];
    const answers = [{ ciphertext: btoa('sealed') }, { plaintext: btoa('the key') }];
    const request = ({
      url,
      method,
      data,
    }: {
      url?: unknown;
      method?: unknown;
      data?: unknown;
    }) => {
      asked.push({ url, method, data });
      return Promise.resolve({ data: answers.shift() });
    };
    // Only the used members of a response are present.
    const client = { request } as never;
    const keys = provider(
      gcpKms(() => Promise.resolve(client)),
      text,
    );
    const { key, metadata } = await keys.provide();
    expect(key.length).toBe(32);
    expect(JSON.parse(metadata)).toEqual({ ciphertext: btoa('sealed') });
    expect(Buffer.from((await keys.recover(bytes(metadata))) ?? []).toString()).toBe('the key');
    const base = `https://cloudkms.googleapis.com/v1/${NAME}`;
    expect(asked).toEqual([
      {
        url: `${base}:encrypt`,
        method: 'POST',
        data: { plaintext: Buffer.from(key).toString('base64') },
      },
      { url: `${base}:decrypt`, method: 'POST', data: { ciphertext: btoa('sealed') } },
    ]);
  });

  it('sends additional authenticated data with both requests', async () => {
    const asked: unknown[] = [];
    const answers = [{ ciphertext: btoa('sealed') }, { plaintext: btoa('the key') }];
    const request = ({ data }: { data?: unknown }) => {
      asked.push(data);
      return Promise.resolve({ data: answers.shift() });
    };
    // Only the request method of the client is used.
    const client = { request } as never;
    const kind = gcpKms(() => Promise.resolve(client));
    const keys = provider(kind, `${text}\nadditional_authenticated_data = "b25l"`);
    const { metadata } = await keys.provide();
    expect(JSON.parse(metadata)).toEqual({ ciphertext: btoa('sealed') });
    await keys.recover(bytes(metadata));
    expect(asked).toMatchObject([
      { additionalAuthenticatedData: 'b25l' },
      { additionalAuthenticatedData: 'b25l' },
    ]);
  });

  it('refuses additional authenticated data that is malformed or too large', () => {
    const kind = gcpKms(() => Promise.reject(new Error('not asked')));
    const withData = (data: string) => `${text}\nadditional_authenticated_data = "${data}"`;
    expect(() => provider(kind, withData('a!b'))).toThrow('must be valid standard base64');
    expect(() => provider(kind, withData('A'.repeat(87_384)))).toThrow(
      'additional_authenticated_data must be less than the GCP limit of 64 KiB',
    );
  });

  it('refuses keys that are too long or too short', () => {
    const kind = gcpKms(() => Promise.reject(new Error('not asked')));
    expect(() => provider(kind, text.replace('32', '0'))).toThrow('key_length must be at least 1');
    expect(() => provider(kind, text.replace('32', '1025'))).toThrow(
      'key_length must be less than the GCP limit of 1024',
    );
  });
});

describe('aws_kms', () => {
  it.each([
    ['key_spec = "AES_256"\nkms_key_id = ""', 'no kms_key_id provided'],
    [
      'kms_key_id = "k"\nkey_spec = "RSA"',
      'invalid key_spec RSA, expected one of [AES_256 AES_128]',
    ],
    [
      'kms_key_id = "k"\nkey_spec = "AES_256"',
      'the "region" attribute or the "AWS_REGION" or "AWS_DEFAULT_REGION" environment variables must be set.',
    ],
    [
      'kms_key_id = "k"\nkey_spec = "AES_256"\nregion = "r"\nassume_role {\n  role_arn = "a"\n  duration = "1m"\n}',
      'assume_role duration must be between 15m0s and 12h0m0s, had 1m',
    ],
    [
      'kms_key_id = "k"\nkey_spec = "AES_256"\nregion = "r"\ninsecure = true',
      'the argument "insecure" is not available',
    ],
  ])('rejects invalid arguments: %s', (text, message) => {
    expect(() => provider(AWS_KMS, text)).toThrow(message);
  });
});
