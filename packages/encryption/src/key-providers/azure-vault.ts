import { bodyText, discardBody, userErrorText } from '@terrane/host';
import { EncryptionError } from '../failure.ts';
import {
  base64,
  bytesMember,
  type KeyHost,
  type KeyProviderKind,
  metadataObject,
} from '../key-provider.ts';
import { count, flag, type Settings, text } from '../settings.ts';
import { AZURE_SIGN_IN, azureTokens } from './azure-sign-in.ts';

const MAX_ANSWER_BYTES = 1024 * 1024;

const API_VERSION = '7.4';
const LIMIT_MS = 60_000;
const ASYMMETRIC = 'RSA-OAEP-256';
const SYMMETRIC: ReadonlyMap<number, string> = new Map([
  [128, 'A128GCM'],
  [192, 'A192GCM'],
  [256, 'A256GCM'],
]);
const RULES =
  'See documentation here: https://learn.microsoft.com/en-us/azure/azure-resource-manager/management/resource-name-rules#microsoftkeyvault';

/** Local keys, encrypted and decrypted by a key in an Azure Key Vault. */
export const AZURE_VAULT: KeyProviderKind = {
  shape: {
    arguments: [
      ...AZURE_SIGN_IN,
      text('vault_uri', true),
      text('vault_key_name', true),
      count('key_length', true),
      flag('symmetric'),
      count('symmetric_key_size'),
    ],
  },
  build(settings, host) {
    const algorithm = algorithmOf(settings);
    const name = settings.text('vault_key_name');
    const vault = settings.text('vault_uri');
    const keyLength = settings.number('key_length');
    if (name === '') throw new EncryptionError('vault_key_name must be provided');
    if (vault === '') throw new EncryptionError('vault_uri must be provided');
    const problem = nameProblem(name, vault);
    if (problem !== undefined) {
      throw new EncryptionError(`misconfigured key vault name or key name: ${problem}`);
    }
    if (!Number.isSafeInteger(keyLength) || keyLength < 1) {
      throw new EncryptionError('key_length must be at least 1');
    }
    const ask = vaultAsker(vault, settings, host);
    return {
      keyLength,
      async provide() {
        const key = host.random.bytes(keyLength);
        try {
          // Without a version, the current one is used.
          const answer = await ask(`${name}/encrypt`, {
            alg: algorithm,
            value: url64(key),
          });
          return { key, metadata: metadataOf(answer, algorithm) };
        } catch (error) {
          throw new EncryptionError(`failed to encrypt key: ${userErrorText(error)}`);
        }
      },
      async recover(metadata) {
        const kept = metadataObject(metadata);
        const ciphertext = bytesMember(kept, 'ciphertext');
        if (ciphertext.length === 0) return undefined;
        const part = (member: string, as: string): Readonly<Record<string, string>> => {
          const bytes = bytesMember(kept, member);
          return bytes.length === 0 ? {} : { [as]: url64(bytes) };
        };
        try {
          const answer = await ask(`${name}/${textOf(kept['key_version'])}/decrypt`, {
            alg: textOf(kept['algo']) || algorithm,
            value: url64(ciphertext),
            ...part('iv', 'iv'),
            ...part('authentication_tag', 'tag'),
            ...part('additional_authenticated_data', 'aad'),
          });
          const value = textOf(answer['value']);
          if (value === '') throw new Error('the response contains no key');
          return Buffer.from(value, 'base64url');
        } catch (error) {
          throw new EncryptionError(`failed to decrypt key: ${userErrorText(error)}`);
        }
      },
    };
  },
};

function algorithmOf(settings: Settings): string {
  if (settings.flag('symmetric') !== true) return ASYMMETRIC;
  const algorithm = SYMMETRIC.get(settings.number('symmetric_key_size'));
  if (algorithm === undefined) {
    throw new EncryptionError(
      'when symmetric is set to true, symmetric_key_size must be given a value of 128, 192, or 256',
    );
  }
  return algorithm;
}

function nameProblem(name: string, vault: string): string | undefined {
  if (!/^[0-9a-zA-Z-]{1,127}$/.test(name)) {
    return `invalid key name: Azure requires a key name consists of 1-127 letters, numbers, or hyphens. ${RULES}`;
  }
  const hostname = URL.canParse(vault) ? new URL(vault).hostname : '';
  const [vaultName = ''] = hostname.split('.');
  if (!/^[a-zA-Z][0-9a-zA-Z-]{1,22}[0-9a-zA-Z]$/.test(vaultName)) {
    return `invalid key vault name: Azure requires a key vault name consists of 3-24 letters, numbers, and hyphens only. It must start with a letter and cannot end with a hyphen. ${RULES}`;
  }
  return vaultName.includes('--')
    ? `invalid key vault name: Hyphens in a key vault name must be nonconsecutive. ${RULES}`
    : undefined;
}

/** Serialises the metadata of a key in OpenTofu's format. */
function metadataOf(answer: Readonly<Record<string, unknown>>, algorithm: string): string {
  const bytes = (name: string): string | null => {
    const value = textOf(answer[name]);
    return value === '' ? null : base64(Buffer.from(value, 'base64url'));
  };
  const ciphertext = bytes('value');
  if (ciphertext === null) throw new Error('the response contains no key');
  const [, version = ''] = /\/keys\/[^/]+\/([^/?]+)/.exec(textOf(answer['kid'])) ?? [];
  return JSON.stringify({
    ciphertext,
    iv: bytes('iv'),
    authentication_tag: bytes('tag'),
    additional_authenticated_data: bytes('aad'),
    key_version: version,
    algo: algorithm,
  });
}

type Ask = (
  path: string,
  body: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, unknown>>>;

/** Returns a client of a vault; the vault names its authority and scope in the response to a first request. */
function vaultAsker(vault: string, settings: Settings, host: KeyHost): Ask {
  const tokens = azureTokens(settings, host);
  const base = vault.replace(/\/+$/, '');
  let challenge: Challenge | undefined;
  return async (path, body) => {
    const url = `${base}/keys/${path}?api-version=${API_VERSION}`;
    const send = async (token: string | undefined) =>
      await host.http.request(url, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        // The secret is sent only after the server has been identified.
        body: token === undefined ? '' : JSON.stringify(body),
        timeoutMs: LIMIT_MS,
        redirect: 'manual',
      });
    if (challenge === undefined) {
      const refused = await send(undefined);
      await discardBody(refused);
      challenge = challengeIn(refused.headers['www-authenticate'] ?? '', url);
    }
    const answer = await send(await tokens(challenge.scope, challenge.tenant));
    const parsed = objectOf(await bodyText(answer, MAX_ANSWER_BYTES));
    if (answer.status === 200) return parsed;
    const error = memberObject(parsed['error']);
    const subject = [textOf(error['code']), textOf(error['message'])].filter((each) => each !== '');
    throw new Error([`POST ${base}/keys/${path}: status ${answer.status}`, ...subject].join(': '));
  };
}

interface Challenge {
  readonly scope: string;
  readonly tenant: string;
}

/** https://learn.microsoft.com/en-us/azure/key-vault/general/authentication-requests-and-responses */
function challengeIn(header: string, url: string): Challenge {
  const parts = new Map(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
  const resource = parts.get('resource') ?? parts.get('scope')?.replace(/\/\.default$/, '') ?? '';
  if (!URL.canParse(resource)) throw new Error('the vault does not say for what it wants a token');
  const { hostname } = new URL(url);
  // The challenge must not request a token for another service.
  if (!hostname.endsWith(`.${new URL(resource).hostname}`)) {
    throw new Error(
      `the vault ${hostname} wants a token for ${resource}, to which it does not belong`,
    );
  }
  const authority = parts.get('authorization') ?? parts.get('authorization_uri') ?? '';
  const tenant = URL.canParse(authority) ? (new URL(authority).pathname.split('/')[1] ?? '') : '';
  return { scope: `${resource}/.default`, tenant };
}

function objectOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return memberObject(JSON.parse(json));
  } catch {
    return {};
  }
}

function memberObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function url64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
