import { importOptional, parseDuration, userErrorText } from '@terrane/host';
import type * as aws from '../libraries/aws-kms.ts';
import { EncryptionError } from '../failure.ts';
import {
  base64,
  bytesMember,
  type KeyHost,
  type KeyProviderKind,
  metadataObject,
  textMapMember,
} from '../key-provider.ts';
import { count, flag, type Settings, text, textMap, texts } from '../settings.ts';

const KEY_LENGTHS: Readonly<Record<string, number>> = { AES_256: 32, AES_128: 16 };

/** Data keys generated and decrypted by AWS KMS. The arguments are those of the S3 backend. */
export const AWS_KMS: KeyProviderKind = {
  shape: {
    arguments: [
      text('kms_key_id', true),
      text('key_spec', true),
      text('access_key'),
      count('max_retries'),
      text('profile'),
      text('region'),
      text('secret_key'),
      flag('skip_credentials_validation'),
      flag('skip_requesting_account_id'),
      text('sts_region'),
      text('token'),
      text('http_proxy'),
      text('https_proxy'),
      text('no_proxy'),
      flag('insecure'),
      flag('use_dualstack_endpoint'),
      flag('use_fips_endpoint'),
      text('custom_ca_bundle'),
      text('ec2_metadata_service_endpoint'),
      text('ec2_metadata_service_endpoint_mode'),
      flag('skip_metadata_api_check'),
      texts('shared_credentials_files'),
      texts('shared_config_files'),
      texts('allowed_account_ids'),
      texts('forbidden_account_ids'),
      text('retry_mode'),
      textMap('encryption_context'),
    ],
    blocks: {
      endpoints: { arguments: [text('iam'), text('sts')], many: true },
      assume_role: {
        arguments: [
          text('role_arn', true),
          text('duration'),
          text('external_id'),
          text('policy'),
          texts('policy_arns'),
          text('session_name'),
          textMap('tags'),
          texts('transitive_tag_keys'),
        ],
      },
      assume_role_with_web_identity: {
        arguments: [
          text('role_arn'),
          text('duration'),
          text('policy'),
          texts('policy_arns'),
          text('session_name'),
          text('web_identity_token'),
          text('web_identity_token_file'),
        ],
      },
    },
  },
  build(settings, host) {
    const { keyId, spec } = keyOf(settings);
    checkSettings(settings, host);
    const context = settings.map('encryption_context');
    let client: Promise<Client> | undefined;
    const clientOf = (): Promise<Client> => (client ??= connect(settings, host));
    return {
      keyLength: KEY_LENGTHS[spec],
      async provide() {
        try {
          const { library, kms } = await clientOf();
          const dataKey = await kms.send(
            new library.GenerateDataKeyCommand({
              KeyId: keyId,
              KeySpec: spec,
              EncryptionContext: context,
            }),
          );
          const { Plaintext: key, CiphertextBlob: ciphertext } = dataKey;
          if (key === undefined || ciphertext === undefined)
            throw new Error('the response contains no key');
          const metadata = {
            ciphertext_blob: base64(ciphertext),
            ...(Object.keys(context).length > 0 && { encryption_context: context }),
          };
          return { key, metadata: JSON.stringify(metadata) };
        } catch (error) {
          throw new EncryptionError(`failed to generate key: ${userErrorText(error)}`);
        }
      },
      async recover(metadata) {
        const members = metadataObject(metadata);
        const ciphertext = bytesMember(members, 'ciphertext_blob');
        // As in OpenTofu, the context from the creation of the key is used, regardless of the current configuration.
        const storedContext = textMapMember(members, 'encryption_context');
        if (ciphertext.length === 0) return undefined;
        try {
          const { library, kms } = await clientOf();
          const { Plaintext: key } = await kms.send(
            new library.DecryptCommand({
              KeyId: keyId,
              CiphertextBlob: ciphertext,
              EncryptionContext: storedContext,
            }),
          );
          if (key === undefined) throw new Error('the response contains no key');
          return key;
        } catch (error) {
          throw new EncryptionError(`failed to decrypt key: ${userErrorText(error)}`);
        }
      },
    };
  },
};

type Library = typeof aws;

interface Client {
  readonly library: Library;
  readonly kms: InstanceType<Library['KMSClient']>;
}

/** Reads the ID and kind of the key that generates data keys. @throws EncryptionError */
function keyOf(settings: Settings): {
  readonly keyId: string;
  readonly spec: 'AES_256' | 'AES_128';
} {
  const keyId = settings.text('kms_key_id');
  const spec = settings.text('key_spec');
  if (keyId === '') throw new EncryptionError('no kms_key_id provided');
  if (spec === '') throw new EncryptionError('no key_spec provided');
  if (spec !== 'AES_256' && spec !== 'AES_128') {
    throw new EncryptionError(
      `invalid key_spec ${spec}, expected one of [${Object.keys(KEY_LENGTHS).join(' ')}]`,
    );
  }
  return { keyId, spec };
}

function checkSettings(settings: Settings, { environment }: KeyHost): void {
  const unavailable = UNAVAILABLE.find((name) => settings.value(name) !== undefined);
  if (unavailable !== undefined) {
    throw new EncryptionError(
      `the argument ${JSON.stringify(unavailable)} is not available in this version of Terrane; use the environment variables of the AWS SDK instead`,
    );
  }
  if (settings.blocks('endpoints').length > 1) {
    throw new EncryptionError('expected single aws_kms endpoints block, multiple provided');
  }
  for (const type of ['assume_role', 'assume_role_with_web_identity']) {
    const role = settings.block(type);
    if (role === undefined) continue;
    durationOf(role);
    for (const arn of role.texts('policy_arns')) {
      if (/^arn:[^:]*:[^:]*:[^:]*:[^:]*:policy\//.test(arn)) continue;
      throw new EncryptionError(`arn must be a valid IAM Policy ARN, got ${JSON.stringify(arn)}`);
    }
  }
  const web = settings.block('assume_role_with_web_identity');
  if (
    web !== undefined &&
    web.text('web_identity_token') !== '' &&
    web.text('web_identity_token_file') !== ''
  ) {
    throw new EncryptionError(
      'conflicting config attributes: only web_identity_token or web_identity_token_file can be specified, not both',
    );
  }
  const region =
    settings.text('region') ||
    environment.get('AWS_REGION') ||
    environment.get('AWS_DEFAULT_REGION');
  if (region === undefined || region === '') {
    throw new EncryptionError(
      'the "region" attribute or the "AWS_REGION" or "AWS_DEFAULT_REGION" environment variables must be set.',
    );
  }
  const mode = settings.text('retry_mode');
  if (mode !== '' && mode !== 'standard' && mode !== 'adaptive') {
    throw new EncryptionError(`unknown RetryMode, "${mode}": expected "standard" or "adaptive"`);
  }
  if (
    settings.texts('allowed_account_ids').length > 0 &&
    settings.texts('forbidden_account_ids').length > 0
  ) {
    throw new EncryptionError(
      'conflicting config attributes: only allowed_account_ids or forbidden_account_ids can be specified, not both',
    );
  }
}

/** OpenTofu's connection arguments that are not supported; using one is an error rather than silently ignored. */
const UNAVAILABLE: readonly string[] = [
  'allowed_account_ids',
  'custom_ca_bundle',
  'ec2_metadata_service_endpoint',
  'ec2_metadata_service_endpoint_mode',
  'forbidden_account_ids',
  'http_proxy',
  'https_proxy',
  'insecure',
  'no_proxy',
];

async function connect(settings: Settings, host: KeyHost): Promise<Client> {
  const library = await importOptional(
    'The key provider "aws_kms"',
    ['@aws-sdk/client-kms', '@aws-sdk/credential-providers'],
    () => import('../libraries/aws-kms.ts'),
  );
  const region = nonEmpty(settings.text('region')) ?? host.environment.get('AWS_REGION');
  const maxAttempts = settings.number('max_retries') || 5;
  const mode = nonEmpty(settings.text('retry_mode'));
  const kms = new library.KMSClient({
    ...(region === undefined ? {} : { region }),
    maxAttempts,
    ...(mode === undefined ? {} : { retryMode: mode }),
    useFipsEndpoint: settings.flag('use_fips_endpoint') ?? false,
    useDualstackEndpoint: settings.flag('use_dualstack_endpoint') ?? false,
    credentials: credentialsOf(library, settings, region),
  });
  return { library, kms };
}

type Credentials = ReturnType<Library['fromNodeProviderChain']>;

function credentialsOf(
  library: Library,
  settings: Settings,
  region: string | undefined,
): Credentials {
  const endpoint = nonEmpty(settings.block('endpoints')?.text('sts') ?? '');
  const stsRegion = nonEmpty(settings.text('sts_region')) ?? region;
  const clientConfig = {
    ...(stsRegion === undefined ? {} : { region: stsRegion }),
    ...(endpoint === undefined
      ? {}
      : { endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}` }),
  };
  const baseCredentials = ownCredentials(library, settings);
  const web = settings.block('assume_role_with_web_identity');
  const master = web === undefined ? baseCredentials : webCredentials(library, web, clientConfig);
  const role = settings.block('assume_role');
  if (role === undefined) return master;
  const policy = nonEmpty(role.text('policy'));
  const externalId = nonEmpty(role.text('external_id'));
  const seconds = durationOf(role);
  const arns = role.texts('policy_arns').map((arn) => ({ arn }));
  const tags = Object.entries(role.map('tags')).map(([Key, Value]) => ({ Key, Value }));
  const transitive = role.texts('transitive_tag_keys');
  return library.fromTemporaryCredentials({
    masterCredentials: master,
    clientConfig,
    params: {
      RoleArn: role.text('role_arn'),
      RoleSessionName: nonEmpty(role.text('session_name')) ?? 'terrane',
      ...(externalId === undefined ? {} : { ExternalId: externalId }),
      ...(policy === undefined ? {} : { Policy: policy }),
      ...(seconds === undefined ? {} : { DurationSeconds: seconds }),
      ...(arns.length === 0 ? {} : { PolicyArns: arns }),
      ...(tags.length === 0 ? {} : { Tags: tags }),
      ...(transitive.length === 0 ? {} : { TransitiveTagKeys: [...transitive] }),
    },
  });
}

function ownCredentials(library: Library, settings: Settings): Credentials {
  const accessKeyId = settings.text('access_key');
  const secretAccessKey = settings.text('secret_key');
  const sessionToken = nonEmpty(settings.text('token'));
  if (accessKeyId !== '' && secretAccessKey !== '') {
    const credentials = {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    };
    return () => Promise.resolve(credentials);
  }
  const profile = nonEmpty(settings.text('profile'));
  const [filepath] = settings.texts('shared_credentials_files');
  const [configFilepath] = settings.texts('shared_config_files');
  return library.fromNodeProviderChain({
    ...(profile === undefined ? {} : { profile }),
    ...(filepath === undefined ? {} : { filepath }),
    ...(configFilepath === undefined ? {} : { configFilepath }),
  });
}

function webCredentials(library: Library, web: Settings, clientConfig: object): Credentials {
  const seconds = durationOf(web);
  const policy = nonEmpty(web.text('policy'));
  const arns = web.texts('policy_arns').map((arn) => ({ arn }));
  const file = web.text('web_identity_token_file');
  const shared = {
    roleArn: web.text('role_arn'),
    roleSessionName: nonEmpty(web.text('session_name')) ?? 'terrane',
    clientConfig,
    ...(policy === undefined ? {} : { policy }),
    ...(seconds === undefined ? {} : { durationSeconds: seconds }),
    ...(arns.length === 0 ? {} : { policyArns: arns }),
  };
  return file === ''
    ? library.fromWebToken({ ...shared, webIdentityToken: web.text('web_identity_token') })
    : library.fromTokenFile({ ...shared, webIdentityTokenFile: file });
}

/** Seconds that a role is assumed for. */
function durationOf(role: Settings): number | undefined {
  const text = role.text('duration');
  if (text === '') return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) {
    throw new EncryptionError(`invalid assume_role duration ${JSON.stringify(text)}`);
  }
  if (ms < 900_000 || ms > 43_200_000) {
    throw new EncryptionError(
      `assume_role duration must be between 15m0s and 12h0m0s, had ${text}`,
    );
  }
  return ms / 1000;
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}
