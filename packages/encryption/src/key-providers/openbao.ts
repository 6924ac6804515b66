import { bodyText, userErrorText } from '@terrane/host';
import { EncryptionError } from '../failure.ts';
import {
  base64,
  bytesMember,
  isBase64,
  type KeyHost,
  type KeyProviderKind,
  metadataObject,
  textMember,
} from '../key-provider.ts';
import { count, type Settings, text } from '../settings.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

const LIMIT_MS = 60_000;

/** Keys generated and decrypted by the transit engine of an OpenBao server. */
export const OPENBAO: KeyProviderKind = {
  shape: {
    arguments: [
      text('address'),
      text('token'),
      text('key_name', true),
      count('key_length'),
      text('transit_engine_path'),
      text('associated_data'),
    ],
  },
  build(settings, host) {
    const name = settings.text('key_name');
    if (name === '') throw new EncryptionError('no key name found');
    const keyLength = settings.number('key_length') || 32;
    if (![16, 32, 64].includes(keyLength)) {
      throw new EncryptionError(
        `invalid key provider configuration: data key length should one of 16, 32 or 64 bytes: got ${keyLength}`,
      );
    }
    const associatedData = settings.text('associated_data');
    if (!isBase64(associatedData)) {
      throw new EncryptionError('associated data is not valid base64');
    }
    const server = serverOf(settings, host);
    const key = encodeURIComponent(name);
    return {
      keyLength,
      async provide() {
        const hint = `failed to generate OpenBao data key (check if the configuration valid and OpenBao server accessible)`;
        const associated = associatedMember(associatedData);
        const request = { bits: keyLength * 8, ...associated };
        const data = await ask(host, server, `datakey/plaintext/${key}`, request, [
          hint,
          'error sending datakey request to OpenBao',
        ]);
        const ciphertext = textIn(data, 'ciphertext', hint);
        return {
          key: Buffer.from(textIn(data, 'plaintext', hint), 'base64'),
          metadata: JSON.stringify({ ciphertext: base64(Buffer.from(ciphertext)), ...associated }),
        };
      },
      async recover(metadata) {
        const members = metadataObject(metadata);
        const storedCiphertext = bytesMember(members, 'ciphertext');
        // As in OpenTofu, the associated data from the creation of the key is used, regardless of the current
        // configuration.
        const associated = associatedMember(textMember(members, 'associated_data'));
        if (storedCiphertext.length === 0) return undefined;
        const hint =
          'failed to decrypt ciphertext (check if the configuration valid and OpenBao server accessible)';
        const ciphertext = Buffer.from(storedCiphertext).toString();
        const data = await ask(host, server, `decrypt/${key}`, { ciphertext, ...associated }, [
          hint,
          'error sending decryption request to OpenBao',
        ]);
        return Buffer.from(textIn(data, 'plaintext', hint), 'base64');
      },
    };
  },
};

function associatedMember(data: string): { readonly associated_data?: string } {
  return data === '' ? {} : { associated_data: data };
}

interface Server {
  readonly address: string;
  readonly token: string;
  readonly namespace: string;
  readonly engine: string;
}

function serverOf(settings: Settings, { environment }: KeyHost): Server {
  const fromEnvironment = (variable: string): string =>
    environment.get(`BAO_${variable}`) || environment.get(`VAULT_${variable}`) || '';
  return {
    address: (
      settings.text('address') ||
      fromEnvironment('ADDR') ||
      'https://127.0.0.1:8200'
    ).replace(/\/+$/, ''),
    token: settings.text('token') || fromEnvironment('TOKEN'),
    namespace: fromEnvironment('NAMESPACE'),
    engine: (settings.text('transit_engine_path') || '/transit').replaceAll(/^\/+|\/+$/g, ''),
  };
}

/** Returns the data of the response to a write. Error messages begin with the hints. */
async function ask(
  host: KeyHost,
  { address, token, namespace, engine }: Server,
  path: string,
  body: Readonly<Record<string, unknown>>,
  hints: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const failure = (reason: string): EncryptionError =>
    new EncryptionError([...hints, reason].join(': '));
  let status: number;
  let answer: string;
  const url = `${address}/v1/${engine}/${path}`;
  try {
    const response = await host.http.request(url, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'x-vault-request': 'true',
        ...(token === '' ? {} : { 'x-vault-token': token }),
        ...(namespace === '' ? {} : { 'x-vault-namespace': namespace }),
      },
      body: JSON.stringify(body),
      timeoutMs: LIMIT_MS,
    });
    ({ status } = response);
    answer = await bodyText(response, MAX_ANSWER_BYTES);
  } catch (error) {
    throw failure(userErrorText(error));
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer);
  } catch {
    parsed = undefined;
  }
  const members = objectOf(parsed);
  if (status !== 200) {
    const errors = members['errors'];
    const lines = Array.isArray(errors) ? errors.map((line) => `* ${String(line)}`) : [];
    throw failure(
      `Error making API request.\n\nURL: PUT ${url}\nCode: ${status}. Errors:\n\n${lines.join('\n')}`,
    );
  }
  return objectOf(members['data']);
}

function textIn(data: Readonly<Record<string, unknown>>, name: string, hint: string): string {
  const value = data[name];
  if (typeof value === 'string') return value;
  throw new EncryptionError(
    `${hint}: failed to deserialize '${name}' (the server may be of an incompatible version)`,
  );
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
