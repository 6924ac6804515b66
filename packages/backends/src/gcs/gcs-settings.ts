import type { Value } from '@terrane/cty';
import { type Environment, type FileSystem, pathsOf, userErrorText } from '@terrane/host';
import { BackendArguments } from '../backend-arguments.ts';

/**
 * Settings of the `gcs` backend from the configuration and the environment. Empty strings represent absent settings.
 */
export interface GcsSettings {
  readonly bucket: string;
  /** ends with a slash, or is empty */
  readonly prefix: string;
  /** a path or JSON */
  readonly credentials: string;
  readonly accessToken: string;
  readonly impersonated: string;
  readonly delegates: readonly string[];
  /** a path or base64 */
  readonly encryptionKey: string;
  readonly kmsKey: string;
  /** the universe domain of a cloud operated separately from Google's; empty for Google's own */
  readonly universe: string;
  /** the endpoint of the JSON API, with a trailing slash */
  readonly endpoint: string;
}

const GOOGLE = 'googleapis.com';

/** Decodes a configuration. Throws an error with Terraform's message if it is invalid. */
export function gcsSettings(config: Value, environment: Environment): GcsSettings {
  const args = new BackendArguments(config, environment);
  const text = (name: string, ...variables: readonly string[]): string =>
    args.text(name) ??
    variables.map((variable) => args.variable(variable)).find((value) => value !== undefined) ??
    '';
  const encryptionKey = text('encryption_key', 'GOOGLE_ENCRYPTION_KEY');
  const kmsKey = text('kms_encryption_key', 'GOOGLE_KMS_ENCRYPTION_KEY');
  const both = ['encryption_key', 'kms_encryption_key'].every(
    (name) => args.value(name) !== undefined,
  );
  if (both || (encryptionKey !== '' && kmsKey !== '')) {
    throw new Error("can't set both encryption_key and kms_encryption_key");
  }
  const bucket = text('bucket');
  if (bucket === '') throw new Error('"bucket": required field is not set');
  const prefix = text('prefix').replace(/^\/+/, '');
  const endpoint = text(
    'storage_custom_endpoint',
    'GOOGLE_BACKEND_STORAGE_CUSTOM_ENDPOINT',
    'GOOGLE_STORAGE_CUSTOM_ENDPOINT',
  );
  const universe = text('universe_domain', 'GOOGLE_BACKEND_UNIVERSE_DOMAIN');
  if (universe !== '' && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(universe)) {
    throw new Error('universe_domain must be a domain, such as "googleapis.com"');
  }
  const delegates = args.value('impersonate_service_account_delegates');
  return {
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    credentials:
      args.filled('credentials', 'GOOGLE_BACKEND_CREDENTIALS') ??
      args.variable('GOOGLE_CREDENTIALS') ??
      '',
    accessToken: text('access_token', 'GOOGLE_OAUTH_ACCESS_TOKEN'),
    impersonated: text(
      'impersonate_service_account',
      'GOOGLE_BACKEND_IMPERSONATE_SERVICE_ACCOUNT',
      'GOOGLE_IMPERSONATE_SERVICE_ACCOUNT',
    ),
    delegates:
      delegates === undefined
        ? []
        : delegates.elements().map((delegate) => {
            if (delegate.isNull) {
              throw new Error('impersonate_service_account_delegates elements must not be null');
            }
            return delegate.asString();
          }),
    encryptionKey,
    kmsKey,
    universe,
    endpoint:
      endpoint === ''
        ? `https://storage.${universe === '' ? GOOGLE : universe}/storage/v1/`
        : endpoint.replace(/\/*$/, '/'),
  };
}

/** Returns the content of a file if the text is its path, otherwise the text itself. */
export async function pathOrContents(
  pathOrText: string,
  files: FileSystem,
  environment: Environment,
): Promise<string> {
  if (pathOrText === '') return pathOrText;
  const home = environment.homeDirectory;
  const path =
    pathOrText.startsWith('~/') && home !== undefined
      ? pathsOf(environment).join(home, pathOrText.slice(2))
      : pathOrText;
  // The text may not even be a valid path.
  const stat = await files.stat(path).catch(() => undefined);
  return stat === undefined ? pathOrText : await files.readText(path);
}

/** Returns the customer-supplied encryption key, as 32 bytes in base64; `undefined`: Google's own keys are used. */
export async function suppliedKey(
  { encryptionKey }: GcsSettings,
  files: FileSystem,
  environment: Environment,
): Promise<string | undefined> {
  if (encryptionKey === '') return undefined;
  let text: string;
  try {
    text = await pathOrContents(encryptionKey, files, environment);
  } catch (error) {
    throw new Error(`Error loading encryption key: ${userErrorText(error)}`, { cause: error });
  }
  // As in Go's decoder: line ends are ignored, other characters are errors.
  const plain = text.replaceAll(/[\r\n]/g, '');
  const invalidCharacter = /[^A-Za-z0-9+/=]/.exec(plain);
  if (invalidCharacter !== null || plain.length % 4 !== 0) {
    const at = invalidCharacter?.index ?? plain.length - (plain.length % 4);
    throw new Error(
      `Error decoding encryption key: illegal base64 data at input byte ${Math.min(at, plain.length - (plain.length % 4))}`,
    );
  }
  return plain;
}
