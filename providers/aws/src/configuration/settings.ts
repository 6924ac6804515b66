import {
  type AwsArguments,
  type AwsConnection,
  firstVariable,
  named,
  readConnection,
} from '@terrane/aws-access';
import type { Environment } from '@terrane/host';
import type { IgnoredTags, Tags } from '../tags/tags.ts';

/** Whom requests are made as, which ways they go, and what holds for all resources. */
export interface AwsSettings extends AwsConnection {
  /** undefined: the profile says it, or nothing does */
  readonly region?: string;
  /** by name of the service */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly validateRegion: boolean;
  /** how often a request is tried at most */
  readonly maxRetries: number;
  readonly retryMode: 'standard' | 'adaptive';
  /** how many tokens tries again may take together; undefined: any number */
  readonly retryCapacity?: number;
  readonly s3PathStyle: boolean;
  readonly s3GlobalEndpoint: boolean;
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
    firstVariable(environment, names);
  const s3Endpoint =
    given.text('s3_us_east_1_regional_endpoint') ?? variable('AWS_S3_US_EAST_1_REGIONAL_ENDPOINT');
  const retries = given.number('max_retries') ?? attemptsOf(variable('AWS_MAX_ATTEMPTS'));
  const mode = given.text('retry_mode') ?? variable('AWS_RETRY_MODE') ?? 'standard';
  return {
    ...readConnection(given, environment, {
      configFile: ['AWS_CONFIG_FILE'],
      metadataEndpoint: ['AWS_EC2_METADATA_SERVICE_ENDPOINT'],
    }),
    ...named('region', given.text('region') ?? variable('AWS_REGION', 'AWS_DEFAULT_REGION')),
    endpoints: endpointsOf(given, environment),
    validateRegion: given.flag('skip_region_validation') !== true,
    maxRetries: retries ?? DEFAULT_RETRIES,
    retryMode: mode === 'adaptive' ? 'adaptive' : 'standard',
    ...named('retryCapacity', given.number('token_bucket_rate_limiter_capacity')),
    s3PathStyle: given.flag('s3_use_path_style') ?? false,
    s3GlobalEndpoint: s3Endpoint === 'legacy',
    defaultTags: {
      ...withPrefix(environment, 'TF_AWS_DEFAULT_TAGS_'),
      ...Object.fromEntries(given.blocks('default_tags')[0]?.map('tags') ?? []),
    },
    ignoredTags: ignoredTags(given.blocks('ignore_tags')[0], variable),
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
  const blocks = given.blocks('endpoints');
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

/** Arguments by name; what is empty or not known counts as not given. */
class Arguments implements AwsArguments {
  readonly #written: Written;

  constructor(written: Written) {
    this.#written = written;
  }

  text(name: string): string | undefined {
    const value = this.#written[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** also of an argument of three states, which is a text */
  flag(name: string): boolean | undefined {
    const value = this.#written[name];
    if (typeof value === 'string') return value === '' ? undefined : value.toLowerCase() === 'true';
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
