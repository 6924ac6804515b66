import { importOptional, userErrorText } from '@terrane/host';
import { EncryptionError } from '../failure.ts';
import type * as google from '../libraries/gcp-kms-auth.ts';
import {
  base64,
  bytesMember,
  isBase64,
  type KeyHost,
  type KeyProviderKind,
  metadataObject,
} from '../key-provider.ts';
import { count, type Settings, text, texts } from '../settings.ts';

const MAX_AAD_BYTES = 64 * 1024;

const SCOPE = 'https://www.googleapis.com/auth/cloudkms';

/**
 * Returns a provider of local keys, encrypted and decrypted by Google Cloud KMS, with a function that creates
 * connections.
 */
export const gcpKms = (
  connectTo: (settings: Settings, host: KeyHost) => Promise<GcpClient>,
): KeyProviderKind => ({
  shape: {
    arguments: [
      text('credentials'),
      text('access_token'),
      text('impersonate_service_account'),
      texts('impersonate_service_account_delegates'),
      text('kms_encryption_key', true),
      count('key_length', true),
      text('additional_authenticated_data'),
    ],
  },
  build(settings, host) {
    const { keyName, keyLength } = keyOf(settings);
    const authenticated = authenticatedData(settings.text('additional_authenticated_data'));
    let client: Promise<GcpClient> | undefined;
    const ask = async (operation: 'encrypt' | 'decrypt', data: object): Promise<unknown> => {
      client ??= connectTo(settings, host);
      const { data: answer } = await (
        await client
      ).request<unknown>({
        url: `https://cloudkms.googleapis.com/v1/${keyName}:${operation}`,
        method: 'POST',
        data,
      });
      return answer;
    };
    return {
      keyLength,
      async provide() {
        const key = host.random.bytes(keyLength);
        try {
          const answer = await ask('encrypt', { plaintext: base64(key), ...authenticated });
          const ciphertext = textIn(answer, 'ciphertext');
          return { key, metadata: JSON.stringify({ ciphertext }) };
        } catch (error) {
          throw new EncryptionError(`failed to encrypt key: ${userErrorText(error)}`);
        }
      },
      async recover(metadata) {
        const kept = bytesMember(metadataObject(metadata), 'ciphertext');
        if (kept.length === 0) return undefined;
        try {
          const answer = await ask('decrypt', { ciphertext: base64(kept), ...authenticated });
          return Buffer.from(textIn(answer, 'plaintext'), 'base64');
        } catch (error) {
          throw new EncryptionError(`failed to decrypt key: ${userErrorText(error)}`);
        }
      },
    };
  },
});

/** Reads the name of the encrypting key and the length of data keys. @throws EncryptionError */
function keyOf(settings: Settings): { readonly keyName: string; readonly keyLength: number } {
  const keyName = settings.text('kms_encryption_key');
  const keyLength = settings.number('key_length');
  if (keyName === '') throw new EncryptionError('kms_key_name must be provided');
  if (!Number.isSafeInteger(keyLength) || keyLength < 1) {
    throw new EncryptionError('key_length must be at least 1');
  }
  if (keyLength > 1024) {
    throw new EncryptionError('key_length must be less than the GCP limit of 1024');
  }
  return { keyName, keyLength };
}

/** The member of requests that holds additional authenticated data; none for an empty text. */
function authenticatedData(text: string): { readonly additionalAuthenticatedData?: string } {
  if (text === '') return {};
  if (!isBase64(text)) {
    throw new EncryptionError('additional_authenticated_data must be valid standard base64');
  }
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > MAX_AAD_BYTES) {
    throw new EncryptionError(
      'additional_authenticated_data must be less than the GCP limit of 64 KiB',
    );
  }
  return { additionalAuthenticatedData: base64(bytes) };
}

type Library = typeof google;

/** Sends authenticated requests. */
export type GcpClient = Pick<InstanceType<Library['OAuth2Client']>, 'request'>;

/** Local keys, encrypted and decrypted by Google Cloud KMS. */
export const GCP_KMS: KeyProviderKind = gcpKms(connect);

async function connect(settings: Settings, host: KeyHost): Promise<GcpClient> {
  const { GoogleAuth, Impersonated, OAuth2Client } = await importOptional(
    'The key provider "gcp_kms"',
    ['google-auth-library'],
    () => import('../libraries/gcp-kms-auth.ts'),
  );
  const fromEnvironment = (...names: readonly string[]): string =>
    names.map((name) => host.environment.get(name) ?? '').find((value) => value !== '') ?? '';
  const token = settings.text('access_token') || fromEnvironment('GOOGLE_OAUTH_ACCESS_TOKEN');
  const credentialsText = settings.text('credentials') || fromEnvironment('GOOGLE_CREDENTIALS');
  const target =
    settings.text('impersonate_service_account') ||
    fromEnvironment(
      'GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT',
      'GOOGLE_IMPERSONATE_SERVICE_ACCOUNT',
    );
  const source = async () => {
    if (token !== '') {
      const client = new OAuth2Client();
      client.setCredentials({ access_token: token });
      return client;
    }
    const scopes = [target === '' ? SCOPE : 'https://www.googleapis.com/auth/cloud-platform'];
    // The project is irrelevant here, and the library would search for it for seconds.
    const projectId = '-';
    if (credentialsText === '') return await new GoogleAuth({ scopes, projectId }).getClient();
    const credentials = credentialsIn(await contentsOf(credentialsText, host));
    return await new GoogleAuth({ scopes, projectId, credentials }).getClient();
  };
  const baseClient = await source();
  if (target === '') return baseClient;
  return new Impersonated({
    sourceClient: baseClient,
    targetPrincipal: target,
    delegates: [...settings.texts('impersonate_service_account_delegates')],
    targetScopes: [SCOPE],
  });
}

/** Returns the content of the file if the text is a path, otherwise the text itself. */
async function contentsOf(text: string, { files, environment }: KeyHost): Promise<string> {
  if (text.trimStart().startsWith('{')) return text;
  const path = text.replace(/^~(?=\/)/, environment.homeDirectory ?? '~');
  return (await files.stat(path)) === undefined ? text : await files.readText(path);
}

function credentialsIn(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return parsed;
  } catch {
    // The message may contain a secret.
  }
  throw new Error('the string provided in credentials is neither valid json nor a valid file path');
}

function textIn(answer: unknown, name: string): string {
  const value: unknown =
    typeof answer === 'object' && answer !== null
      ? Object.fromEntries(Object.entries(answer))[name]
      : undefined;
  if (typeof value === 'string') return value;
  throw new Error(`the answer has no ${name}`);
}
