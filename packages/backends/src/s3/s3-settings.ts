import type { Value } from '@terrane/cty';
import { type Environment, parseDuration } from '@terrane/host';

/** A role to work as. */
export interface Role {
  readonly arn: string;
  readonly sessionName?: string;
  readonly seconds?: number;
  readonly policy?: string;
  readonly policyArns: readonly string[];
}

/** A role that is assumed with the credentials found first. */
export interface AssumedRole extends Role {
  readonly externalId?: string;
  readonly sourceIdentity?: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly transitiveTagKeys: readonly string[];
}

/** A role that is assumed with the token of an identity provider. */
export interface WebIdentityRole extends Role {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Addresses of services, where they are not Amazon's. */
export interface Endpoints {
  readonly s3?: string;
  readonly dynamodb?: string;
  readonly sts?: string;
  readonly sso?: string;
  readonly metadata?: string;
}

/** Whom requests are made as, and which ways they go. */
export interface AwsSettings {
  readonly region: string;
  readonly stsRegion?: string;
  readonly keys?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** of the configuration; the environment's is not */
  readonly profile?: string;
  readonly configFiles: readonly string[];
  readonly credentialsFiles: readonly string[];
  readonly assumeRole?: AssumedRole;
  readonly webIdentity?: WebIdentityRole;
  readonly endpoints: Endpoints;
  readonly metadataMode?: string;
  readonly metadataDisabled: boolean;
  readonly validateCredentials: boolean;
  readonly requestAccountId: boolean;
  readonly allowedAccounts: readonly string[];
  readonly forbiddenAccounts: readonly string[];
  readonly attempts: number;
  readonly retryMode?: string;
  readonly fips: boolean;
  readonly dualstack: boolean;
  readonly pathStyle: boolean;
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
}

/** How objects are stored. */
export interface ObjectSettings {
  readonly bucket: string;
  readonly encrypt: boolean;
  readonly kmsKeyId?: string;
  /** of customer-provided keys, as base64 */
  readonly customerKey?: string;
  readonly acl?: string;
  readonly checksum: boolean;
}

/** All that the arguments and the environment say. */
export interface S3Settings {
  readonly aws: AwsSettings;
  readonly objects: ObjectSettings;
  readonly key: string;
  readonly workspacePrefix: string;
  readonly lockFile: boolean;
  readonly table?: string;
}

const DEFAULT_ATTEMPTS = 5;

/** Reads the settings of a checked configuration, with the environment for what it does not give. */
export function s3Settings(config: Value, environment: Environment): S3Settings {
  const given = new Arguments(config);
  const variable = (...names: readonly string[]): string | undefined =>
    names.map((name) => environment.get(name) ?? '').find((value) => value !== '');
  const files = (name: string, ...variables: readonly string[]): readonly string[] => {
    const one = variable(...variables);
    const listed = given.texts(name) ?? (one === undefined ? [] : [one]);
    return listed.map((path) => expandPath(path, environment));
  };
  const old = given.text('shared_credentials_file');
  const listedFiles = files('shared_credentials_files', 'AWS_SHARED_CREDENTIALS_FILE');
  const ca = given.text('custom_ca_bundle') ?? variable('AWS_CA_BUNDLE');
  const flagOf = (name: string, variableName: string): boolean =>
    given.flag(name) ?? variable(variableName)?.toLowerCase() === 'true';
  const endpoints = given.object('endpoints');
  const accessKeyId = given.text('access_key') ?? '';
  const secretAccessKey = given.text('secret_key') ?? '';
  const sessionToken = given.text('token') ?? '';
  const hasKeys = accessKeyId !== '' || secretAccessKey !== '' || sessionToken !== '';
  const skipMetadata = given.flag('skip_metadata_api_check');
  return {
    key: given.text('key') ?? '',
    workspacePrefix: given.text('workspace_key_prefix') ?? 'env:',
    lockFile: given.flag('use_lockfile') ?? false,
    ...named('table', notEmpty(given.text('dynamodb_table'))),
    objects: {
      bucket: given.text('bucket') ?? '',
      encrypt: given.flag('encrypt') ?? false,
      checksum: given.flag('skip_s3_checksum') !== true,
      ...named('kmsKeyId', notEmpty(given.text('kms_key_id'))),
      ...named('customerKey', given.text('sse_customer_key') ?? variable('AWS_SSE_CUSTOMER_KEY')),
      ...named('acl', notEmpty(given.text('acl'))),
    },
    aws: {
      region: notEmpty(given.text('region')) ?? variable('AWS_REGION', 'AWS_DEFAULT_REGION') ?? '',
      ...named('stsRegion', notEmpty(given.text('sts_region'))),
      ...(hasKeys && {
        keys: {
          accessKeyId,
          secretAccessKey,
          ...(sessionToken === '' ? {} : { sessionToken }),
        },
      }),
      ...named('profile', notEmpty(given.text('profile'))),
      configFiles: files('shared_config_files', 'AWS_SHARED_CONFIG_FILE', 'AWS_CONFIG_FILE'),
      credentialsFiles:
        listedFiles.length === 0 && old !== undefined
          ? [expandPath(old, environment)]
          : listedFiles,
      ...named('assumeRole', assumedRole(given.object('assume_role'))),
      ...named(
        'webIdentity',
        webIdentityRole(given.object('assume_role_with_web_identity'), environment),
      ),
      endpoints: {
        ...named(
          's3',
          endpoints?.text('s3') ??
            given.text('endpoint') ??
            variable('AWS_ENDPOINT_URL_S3', 'AWS_S3_ENDPOINT'),
        ),
        ...named(
          'dynamodb',
          endpoints?.text('dynamodb') ??
            given.text('dynamodb_endpoint') ??
            variable('AWS_ENDPOINT_URL_DYNAMODB', 'AWS_DYNAMODB_ENDPOINT'),
        ),
        ...named(
          'sts',
          endpoints?.text('sts') ??
            given.text('sts_endpoint') ??
            variable('AWS_ENDPOINT_URL_STS', 'AWS_STS_ENDPOINT'),
        ),
        ...named('sso', endpoints?.text('sso') ?? variable('AWS_ENDPOINT_URL_SSO')),
        ...named(
          'metadata',
          given.text('ec2_metadata_service_endpoint') ??
            variable('AWS_EC2_METADATA_SERVICE_ENDPOINT', 'AWS_METADATA_URL'),
        ),
      },
      ...named(
        'metadataMode',
        given.text('ec2_metadata_service_endpoint_mode') ??
          variable('AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE'),
      ),
      metadataDisabled:
        skipMetadata ?? variable('AWS_EC2_METADATA_DISABLED')?.toLowerCase() === 'true',
      validateCredentials: given.flag('skip_credentials_validation') !== true,
      requestAccountId: given.flag('skip_requesting_account_id') !== true,
      allowedAccounts: given.texts('allowed_account_ids') ?? [],
      forbiddenAccounts: given.texts('forbidden_account_ids') ?? [],
      attempts: given.number('max_retries') ?? DEFAULT_ATTEMPTS,
      ...named('retryMode', given.text('retry_mode') ?? variable('AWS_RETRY_MODE')),
      fips: flagOf('use_fips_endpoint', 'AWS_USE_FIPS_ENDPOINT'),
      dualstack: flagOf('use_dualstack_endpoint', 'AWS_USE_DUALSTACK_ENDPOINT'),
      pathStyle: given.flag('use_path_style') ?? given.flag('force_path_style') ?? false,
      ...named('httpProxy', given.text('http_proxy')),
      ...named('httpsProxy', given.text('https_proxy')),
      ...named('noProxy', notEmpty(given.text('no_proxy'))),
      ...named('caFile', ca === undefined ? undefined : expandPath(ca, environment)),
      insecure: given.flag('insecure') ?? false,
    },
  };
}

function assumedRole(role: Arguments | undefined): AssumedRole | undefined {
  if (role === undefined) return undefined;
  return {
    ...roleOf(role),
    ...named('externalId', notEmpty(role.text('external_id'))),
    ...named('sourceIdentity', notEmpty(role.text('source_identity'))),
    tags: role.map('tags'),
    transitiveTagKeys: role.texts('transitive_tag_keys') ?? [],
  };
}

function webIdentityRole(
  role: Arguments | undefined,
  environment: Environment,
): WebIdentityRole | undefined {
  if (role === undefined) return undefined;
  const file = notEmpty(role.text('web_identity_token_file'));
  return {
    ...roleOf(role),
    ...named('token', notEmpty(role.text('web_identity_token'))),
    ...named('tokenFile', file === undefined ? undefined : expandPath(file, environment)),
  };
}

function roleOf(role: Arguments): Role {
  const duration = role.text('duration');
  const ms = duration === undefined ? undefined : parseDuration(duration);
  return {
    arn: role.text('role_arn') ?? '',
    ...named('sessionName', notEmpty(role.text('session_name'))),
    ...named('seconds', ms === undefined ? undefined : Math.floor(ms / 1000)),
    ...named('policy', notEmpty(role.text('policy')?.trim())),
    policyArns: role.texts('policy_arns') ?? [],
  };
}

/** A path with `~` and variables of the environment in it. */
function expandPath(path: string, environment: Environment): string {
  const expanded = path.replace(
    /\$(?:\{([^}]*)\}|([A-Za-z_]\w*))/g,
    (_, braced: string | undefined, plain: string | undefined) =>
      environment.get(braced ?? plain ?? '') ?? '',
  );
  return /^~(?=\/|$)/.test(expanded)
    ? `${environment.homeDirectory ?? '~'}${expanded.slice(1)}`
    : expanded;
}

function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** A member, where there is something for it. */
function named<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  // What is asked for is a record of this one name.
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

/** The arguments of a configuration by their names. */
class Arguments {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  text(name: string): string | undefined {
    const value = this.#value.attr(name);
    return value.isNull ? undefined : value.asString();
  }

  flag(name: string): boolean | undefined {
    const value = this.#value.attr(name);
    return value.isNull ? undefined : value.asBool();
  }

  number(name: string): number | undefined {
    const value = this.#value.attr(name);
    return value.isNull ? undefined : value.asInt();
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#value.attr(name);
    return value.isNull ? undefined : value.elements().map((each) => each.asString());
  }

  map(name: string): readonly (readonly [string, string])[] {
    const value = this.#value.attr(name);
    return value.isNull ? [] : value.entries().map(([k, v]) => [k.asString(), v.asString()]);
  }

  object(name: string): Arguments | undefined {
    const value = this.#value.attr(name);
    return value.isNull ? undefined : new Arguments(value);
  }
}
