import {
  type AwsArguments,
  type AwsConnection,
  firstVariable,
  named,
  readConnection,
  type Section,
} from '@terrane/aws-access';
import type { Environment } from '@terrane/host';
import { ProviderError } from '@terrane/provider/sdk';
import type { IgnoredTags, Tags } from '../tags/tags.ts';

/** The identity and network settings of requests, and settings of all resources. */
export interface AwsSettings extends AwsConnection {
  /** undefined: determined by the profile, if at all */
  readonly region?: string;
  /** by service name */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly validateRegion: boolean;
  /** the maximum number of attempts of a request */
  readonly maxRetries: number;
  readonly retryMode: 'standard' | 'adaptive';
  /** the number of retry tokens; undefined: unlimited */
  readonly retryCapacity?: number;
  /** the requested enforcement of the tag policies of an organization */
  readonly tagPolicy: 'disabled' | 'warning' | 'error';
  readonly s3PathStyle: boolean;
  readonly s3GlobalEndpoint: boolean;
  readonly defaultTags: Tags;
  readonly ignoredTags: IgnoredTags;
}

/** The known arguments of a provider block. */
export type Written = Readonly<Record<string, unknown>>;

/** The default of `max_retries`; with the back-off, about an hour. */
const DEFAULT_RETRIES = 25;

/** The settings of a profile in the shared files, with the endpoints that it configures. */
export interface ProfileSettings {
  readonly section: Section;
  readonly services: Section;
}

const NO_PROFILE: ProfileSettings = { section: {}, services: {} };

/**
 * Reads the settings of a provider block, with the environment and then the profile as fallbacks, if known: the
 * location of the profile is one of the settings.
 */
export function awsSettings(
  written: Written,
  environment: Environment,
  profile: ProfileSettings = NO_PROFILE,
): AwsSettings {
  const args = new Arguments(written);
  const { section } = profile;
  const variable = (...names: readonly string[]): string | undefined =>
    firstVariable(environment, names);
  const s3Endpoint =
    args.text('s3_us_east_1_regional_endpoint') ??
    variable('AWS_S3_US_EAST_1_REGIONAL_ENDPOINT') ??
    section['s3_us_east_1_regional_endpoint'];
  const attempts = variable('AWS_MAX_ATTEMPTS') ?? section['max_attempts'];
  const capacity = args.number('token_bucket_rate_limiter_capacity') ?? 0;
  const variables = {
    configFile: ['AWS_CONFIG_FILE'],
    metadataEndpoint: ['AWS_EC2_METADATA_SERVICE_ENDPOINT', 'AWS_METADATA_URL'],
  };
  return {
    ...readConnection(args, environment, variables, section),
    ...named(
      'region',
      args.text('region') ?? variable('AWS_REGION', 'AWS_DEFAULT_REGION') ?? section['region'],
    ),
    endpoints: endpointsOf(args, environment, profile),
    validateRegion: args.flag('skip_region_validation') !== true,
    maxRetries: args.number('max_retries') ?? retriesOf(attempts) ?? DEFAULT_RETRIES,
    retryMode: retryModeOf(
      args.text('retry_mode') ?? variable('AWS_RETRY_MODE') ?? section['retry_mode'],
    ),
    ...(capacity > 0 && { retryCapacity: capacity }),
    tagPolicy: tagPolicyOf(args.text('tag_policy_compliance'), variable),
    s3PathStyle: args.flag('s3_use_path_style') ?? false,
    s3GlobalEndpoint: s3Endpoint === 'legacy',
    defaultTags: {
      ...withPrefix(environment, 'TF_AWS_DEFAULT_TAGS_'),
      ...Object.fromEntries(args.blocks('default_tags')[0]?.map('tags') ?? []),
    },
    ignoredTags: ignoredTags(args.blocks('ignore_tags')[0], variable),
  };
}

/** `AWS_MAX_ATTEMPTS` and `max_attempts` count the first try too. */
function retriesOf(attempts: string | undefined): number | undefined {
  const count = Number(attempts);
  if (attempts === undefined || attempts === '') return undefined;
  if (Number.isInteger(count) && count >= 0) return count === 0 ? undefined : count - 1;
  throw new ProviderError(
    'Invalid number of attempts',
    `AWS_MAX_ATTEMPTS, or max_attempts of the profile, is ${JSON.stringify(attempts)}. Set it to how often a request is made at most, or leave it out.`,
  );
}

function retryModeOf(mode = 'standard'): 'standard' | 'adaptive' {
  if (mode === 'standard' || mode === 'adaptive') return mode;
  throw new ProviderError(
    'Invalid retry mode',
    `unknown RetryMode, ${mode}. Set AWS_RETRY_MODE, or retry_mode of the profile, to "standard" or "adaptive", or leave it out.`,
  );
}

function tagPolicyOf(
  written: string | undefined,
  variable: (name: string) => string | undefined,
): AwsSettings['tagPolicy'] {
  const policy = written ?? variable('TF_AWS_TAG_POLICY_COMPLIANCE') ?? 'disabled';
  if (policy === 'disabled' || policy === 'warning' || policy === 'error') return policy;
  throw new ProviderError(
    'Invalid environment variable value',
    `TF_AWS_TAG_POLICY_COMPLIANCE must be one of "error", "warning", or "disabled", and is ${JSON.stringify(policy)}.`,
  );
}

/** Parses the text of an argument that distinguishes true, false and unset. */
function isTrue(text: string): boolean {
  return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text);
}

/** Tags in environment variables, one variable each. */
function withPrefix(environment: Environment, prefix: string): Tags {
  return Object.fromEntries(
    [...environment.entries()]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
}

function ignoredTags(
  args: Arguments | undefined,
  variable: (name: string) => string | undefined,
): IgnoredTags {
  const listed = (name: string): readonly string[] =>
    (variable(name) ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
  return {
    keys: [...(args?.texts('keys') ?? []), ...listed('TF_AWS_IGNORE_TAGS_KEYS')],
    keyPrefixes: [
      ...(args?.texts('key_prefixes') ?? []),
      ...listed('TF_AWS_IGNORE_TAGS_KEY_PREFIXES'),
    ],
  };
}

/** The names of each service in the block `endpoints`, the current one first, and in environment variables. */
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

/**
 * Resolves the endpoint of each service: from the block, from the environment for the service and for all services,
 * then from the profile in the same order.
 */
function endpointsOf(
  args: Arguments,
  environment: Environment,
  { section, services }: ProfileSettings,
): Readonly<Record<string, string>> {
  const blocks = args.blocks('endpoints');
  const ignore =
    firstVariable(environment, ['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS']) ??
    section['ignore_configured_endpoint_urls'];
  const endpoints = Object.entries(ENDPOINT_OF).map(([service, [names, id]]) => {
    const written = names.flatMap((name) => blocks.map((block) => block.text(name)));
    const outside = [
      environment.get(`AWS_ENDPOINT_URL_${id}`),
      environment.get('AWS_ENDPOINT_URL'),
      services[`${id.toLowerCase()}.endpoint_url`],
      section['endpoint_url'],
    ];
    const all = ignore?.toLowerCase() === 'true' ? written : [...written, ...outside];
    const url = all.find((each) => each !== undefined && each !== '');
    return [service, url] as const;
  });
  return Object.fromEntries(
    endpoints.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * Arguments for which an empty value differs from an unset one: it disables the proxy, regardless of the environment.
 */
const KEPT_EMPTY: ReadonlySet<string> = new Set(['http_proxy', 'https_proxy']);

/** Arguments by name; empty and unknown ones count as unset. */
class Arguments implements AwsArguments {
  readonly #written: Written;

  constructor(written: Written) {
    this.#written = written;
  }

  text(name: string): string | undefined {
    const value = this.#written[name];
    return typeof value === 'string' && (value !== '' || KEPT_EMPTY.has(name)) ? value : undefined;
  }

  /** also of an argument of three states, which is a text */
  flag(name: string): boolean | undefined {
    const value = this.#written[name];
    if (typeof value === 'string') return value === '' ? undefined : isTrue(value);
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

  map(name: string): readonly (readonly [string, string])[] {
    const value = this.#written[name];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
  }

  blocks(name: string): readonly Arguments[] {
    const value = this.#written[name];
    const listed: readonly unknown[] = Array.isArray(value) ? value : [];
    return listed.flatMap((each) =>
      // Blocks are read as records of their arguments.
      typeof each === 'object' && each !== null ? [new Arguments(each as Written)] : [],
    );
  }
}
