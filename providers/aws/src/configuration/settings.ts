import { type Environment, parseDuration } from '@terrane/host';
import type { IgnoredTags, Tags } from '../tags/tags.ts';

/** A role to work as. */
export interface Role {
  readonly arn: string;
  readonly sessionName?: string;
  readonly seconds?: number;
  readonly policy?: string;
  readonly policyArns: readonly string[];
}

/** A role that is assumed with the credentials found before it. */
export interface AssumedRole extends Role {
  readonly externalId?: string;
  readonly sourceIdentity?: string;
  readonly tags: Tags;
  readonly transitiveTagKeys: readonly string[];
}

/** A role that is assumed with the token of an identity provider. */
export interface WebIdentityRole extends Role {
  readonly token?: string;
  readonly tokenFile?: string;
}

/** Whom requests are made as, which ways they go, and what holds for all resources. */
export interface AwsSettings {
  /** undefined: the profile says it, or nothing does */
  readonly region?: string;
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
  /** each is assumed with the credentials of the one before */
  readonly assumeRoles: readonly AssumedRole[];
  readonly webIdentity?: WebIdentityRole;
  /** by name of the service */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly metadataEndpoint?: string;
  readonly metadataMode?: string;
  readonly metadataDisabled: boolean;
  readonly validateCredentials: boolean;
  readonly validateRegion: boolean;
  readonly requestAccountId: boolean;
  readonly allowedAccounts: readonly string[];
  readonly forbiddenAccounts: readonly string[];
  /** how often a request is tried at most */
  readonly maxRetries: number;
  readonly retryMode: 'standard' | 'adaptive';
  /** how many tokens tries again may take together; undefined: any number */
  readonly retryCapacity?: number;
  readonly fips: boolean;
  readonly dualstack: boolean;
  readonly s3PathStyle: boolean;
  readonly s3GlobalEndpoint: boolean;
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  readonly caFile?: string;
  readonly insecure: boolean;
  readonly defaultTags: Tags;
  readonly ignoredTags: IgnoredTags;
}

/** What is written in a provider block, without what is not known yet. */
export type Written = Readonly<Record<string, unknown>>;

/** How often a request is tried again where nothing else is said: with its waits, for about an hour. */
const DEFAULT_RETRIES = 25;

/** Reads the settings of a provider block, with the environment for what it does not give. */
export function awsSettings(written: Written, environment: Environment): AwsSettings {
  const given = new Arguments(written);
  const variable = (...names: readonly string[]): string | undefined =>
    names.map((name) => environment.get(name) ?? '').find((value) => value !== '');
  const files = (name: string, ...variables: readonly string[]): readonly string[] => {
    const one = variable(...variables);
    const listed = given.texts(name) ?? (one === undefined ? [] : [one]);
    return listed.map((path) => expandPath(path, environment));
  };
  const flag = (name: string, variableName: string): boolean =>
    given.flag(name) ?? variable(variableName)?.toLowerCase() === 'true';
  const accessKeyId = given.text('access_key') ?? '';
  const secretAccessKey = given.text('secret_key') ?? '';
  const sessionToken = given.text('token') ?? '';
  const hasKeys = accessKeyId !== '' || secretAccessKey !== '';
  const skipMetadata = given.text('skip_metadata_api_check');
  const ca = given.text('custom_ca_bundle') ?? variable('AWS_CA_BUNDLE');
  const s3Endpoint =
    given.text('s3_us_east_1_regional_endpoint') ?? variable('AWS_S3_US_EAST_1_REGIONAL_ENDPOINT');
  const retries = given.number('max_retries') ?? attemptsOf(variable('AWS_MAX_ATTEMPTS'));
  const mode = given.text('retry_mode') ?? variable('AWS_RETRY_MODE') ?? 'standard';
  return {
    ...named('region', given.text('region') ?? variable('AWS_REGION', 'AWS_DEFAULT_REGION')),
    ...named('stsRegion', given.text('sts_region')),
    ...(hasKeys && {
      keys: { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) },
    }),
    ...named('profile', given.text('profile')),
    configFiles: files('shared_config_files', 'AWS_CONFIG_FILE'),
    credentialsFiles: files('shared_credentials_files', 'AWS_SHARED_CREDENTIALS_FILE'),
    assumeRoles: given.objects('assume_role').map(assumedRole),
    ...named(
      'webIdentity',
      given
        .objects('assume_role_with_web_identity')
        .map((role) => webIdentity(role, environment))[0],
    ),
    endpoints: endpointsOf(given, environment),
    ...named(
      'metadataEndpoint',
      given.text('ec2_metadata_service_endpoint') ?? variable('AWS_EC2_METADATA_SERVICE_ENDPOINT'),
    ),
    ...named(
      'metadataMode',
      given.text('ec2_metadata_service_endpoint_mode') ??
        variable('AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE'),
    ),
    metadataDisabled:
      (skipMetadata ?? variable('AWS_EC2_METADATA_DISABLED'))?.toLowerCase() === 'true',
    validateCredentials: given.flag('skip_credentials_validation') !== true,
    validateRegion: given.flag('skip_region_validation') !== true,
    requestAccountId: given.flag('skip_requesting_account_id') !== true,
    allowedAccounts: given.texts('allowed_account_ids') ?? [],
    forbiddenAccounts: given.texts('forbidden_account_ids') ?? [],
    maxRetries: retries ?? DEFAULT_RETRIES,
    retryMode: mode === 'adaptive' ? 'adaptive' : 'standard',
    ...named('retryCapacity', given.number('token_bucket_rate_limiter_capacity')),
    fips: flag('use_fips_endpoint', 'AWS_USE_FIPS_ENDPOINT'),
    dualstack: flag('use_dualstack_endpoint', 'AWS_USE_DUALSTACK_ENDPOINT'),
    s3PathStyle: given.flag('s3_use_path_style') ?? false,
    s3GlobalEndpoint: s3Endpoint === 'legacy',
    ...named('httpProxy', given.text('http_proxy')),
    ...named('httpsProxy', given.text('https_proxy')),
    ...named('noProxy', given.text('no_proxy')),
    ...named('caFile', ca === undefined ? undefined : expandPath(ca, environment)),
    insecure: given.flag('insecure') ?? false,
    defaultTags: {
      ...withPrefix(environment, 'TF_AWS_DEFAULT_TAGS_'),
      ...given.objects('default_tags')[0]?.map('tags'),
    },
    ignoredTags: ignoredTags(given.objects('ignore_tags')[0], variable),
  };
}

/** `AWS_MAX_ATTEMPTS` counts the first try too. */
function attemptsOf(text: string | undefined): number | undefined {
  const count = Number(text);
  return text === undefined || !Number.isInteger(count) || count < 1 ? undefined : count;
}

/** Tags that the environment gives, one by one. */
function withPrefix(environment: Environment, prefix: string): Tags {
  return Object.fromEntries(
    [...environment.entries()]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

function ignoredTags(
  given: Arguments | undefined,
  variable: (name: string) => string | undefined,
): IgnoredTags {
  const listed = (name: string): readonly string[] =>
    (variable(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  return {
    keys: [...(given?.texts('keys') ?? []), ...listed('TF_AWS_IGNORE_TAGS_KEYS')],
    keyPrefixes: [
      ...(given?.texts('key_prefixes') ?? []),
      ...listed('TF_AWS_IGNORE_TAGS_KEY_PREFIXES'),
    ],
  };
}

/** What a service is called in the block `endpoints`, first as usual and then by older names; and in the environment. */
const ENDPOINT_OF: Readonly<Record<string, readonly [names: readonly string[], id: string]>> = {
  appautoscaling: [['appautoscaling', 'applicationautoscaling'], 'APPLICATION_AUTO_SCALING'],
  dynamodb: [['dynamodb'], 'DYNAMODB'],
  ec2: [['ec2'], 'EC2'],
  ecs: [['ecs'], 'ECS'],
  iam: [['iam'], 'IAM'],
  kafka: [['kafka', 'msk'], 'KAFKA'],
  kms: [['kms'], 'KMS'],
  lambda: [['lambda'], 'LAMBDA'],
  logs: [['logs', 'cloudwatchlog', 'cloudwatchlogs'], 'CLOUDWATCH_LOGS'],
  route53: [['route53'], 'ROUTE_53'],
  s3: [['s3', 's3api'], 'S3'],
  secretsmanager: [['secretsmanager'], 'SECRETS_MANAGER'],
  sns: [['sns'], 'SNS'],
  sqs: [['sqs'], 'SQS'],
  ssm: [['ssm'], 'SSM'],
  sso: [['sso'], 'SSO'],
  sts: [['sts'], 'STS'],
};

function endpointsOf(given: Arguments, environment: Environment): Readonly<Record<string, string>> {
  const blocks = given.objects('endpoints');
  const ignored = environment.get('AWS_IGNORE_CONFIGURED_ENDPOINT_URLS')?.toLowerCase() === 'true';
  const all = ignored ? undefined : environment.get('AWS_ENDPOINT_URL');
  const found = Object.entries(ENDPOINT_OF).map(([service, [names, id]]) => {
    const written = names.flatMap((name) => blocks.map((block) => block.text(name)));
    const own = ignored ? undefined : environment.get(`AWS_ENDPOINT_URL_${id}`);
    const url = [...written, own, all].find((each) => each !== undefined && each !== '');
    return [service, url] as const;
  });
  return Object.fromEntries(
    found.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function assumedRole(role: Arguments): AssumedRole {
  return {
    ...roleOf(role),
    ...named('externalId', role.text('external_id')),
    ...named('sourceIdentity', role.text('source_identity')),
    tags: role.map('tags'),
    transitiveTagKeys: role.texts('transitive_tag_keys') ?? [],
  };
}

function webIdentity(role: Arguments, environment: Environment): WebIdentityRole {
  const file = role.text('web_identity_token_file');
  return {
    ...roleOf(role),
    ...named('token', role.text('web_identity_token')),
    ...named('tokenFile', file === undefined ? undefined : expandPath(file, environment)),
  };
}

function roleOf(role: Arguments): Role {
  const ms = parseDuration(role.text('duration') ?? '');
  return {
    arn: role.text('role_arn') ?? '',
    ...named('sessionName', role.text('session_name')),
    ...named('seconds', ms === undefined ? undefined : Math.floor(ms / 1000)),
    ...named('policy', role.text('policy')?.trim()),
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

/** A member, where there is something for it. */
function named<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  // What is asked for is a record of this one name.
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

/** Arguments by name; what is empty or not known counts as not given. */
class Arguments {
  readonly #written: Written;

  constructor(written: Written) {
    this.#written = written;
  }

  text(name: string): string | undefined {
    const value = this.#written[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.#written[name];
    return typeof value === 'boolean' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.#written[name];
    return typeof value === 'number' ? value : undefined;
  }

  texts(name: string): readonly string[] | undefined {
    const value = this.#written[name];
    if (!Array.isArray(value)) return undefined;
    return value.filter((each): each is string => typeof each === 'string');
  }

  map(name: string): Tags {
    const value = this.#written[name];
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  }

  objects(name: string): readonly Arguments[] {
    const value = this.#written[name];
    const listed: readonly unknown[] = Array.isArray(value) ? value : [];
    return listed.flatMap((each) =>
      // Blocks are read as records of their arguments.
      typeof each === 'object' && each !== null ? [new Arguments(each as Written)] : [],
    );
  }
}
