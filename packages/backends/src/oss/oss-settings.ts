import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import type { BackendProblem } from '../backend.ts';
import { blockOf, BackendArguments } from '../backend-arguments.ts';

/** The role to assume, as configured. Empty and 0 mean not configured. */
export interface RoleSettings {
  readonly arn: string;
  readonly sessionName: string;
  readonly policy: string;
  readonly seconds: number;
}

/**
 * Settings of the `oss` backend from the configuration and the environment. Empty strings represent absent settings.
 */
export interface OssSettings {
  readonly bucket: string;
  /** without leading and trailing slashes */
  readonly prefix: string;
  readonly key: string;
  readonly encrypt: boolean;
  readonly acl: string;
  readonly region: string;
  readonly endpoint: string;
  readonly table: { readonly name: string; readonly endpoint: string; readonly instance: string };
  readonly signIn: {
    readonly accessKey: string;
    readonly secretKey: string;
    readonly securityToken: string;
    readonly ecsRole: string;
    readonly profile: string;
    readonly credentialsFile: string;
    readonly stsEndpoint: string;
    /** `undefined` if not configured; a profile may contain one */
    readonly role: RoleSettings | undefined;
  };
}

const VARIABLES = {
  access_key: ['ALICLOUD_ACCESS_KEY', 'ALIBABA_CLOUD_ACCESS_KEY_ID', 'ALICLOUD_ACCESS_KEY_ID'],
  secret_key: [
    'ALICLOUD_SECRET_KEY',
    'ALIBABA_CLOUD_ACCESS_KEY_SECRET',
    'ALICLOUD_ACCESS_KEY_SECRET',
  ],
  security_token: ['ALICLOUD_SECURITY_TOKEN', 'ALIBABA_CLOUD_SECURITY_TOKEN'],
  ecs_role_name: ['ALICLOUD_ECS_ROLE_NAME', 'ALIBABA_CLOUD_ECS_METADATA'],
  region: ['ALICLOUD_REGION', 'ALIBABA_CLOUD_REGION', 'ALICLOUD_DEFAULT_REGION'],
  sts_endpoint: ['ALICLOUD_STS_ENDPOINT', 'ALIBABA_CLOUD_STS_ENDPOINT'],
  tablestore_endpoint: ['ALICLOUD_TABLESTORE_ENDPOINT', 'ALIBABA_CLOUD_TABLESTORE_ENDPOINT'],
  endpoint: ['ALICLOUD_OSS_ENDPOINT', 'ALIBABA_CLOUD_OSS_ENDPOINT', 'OSS_ENDPOINT'],
  shared_credentials_file: ['ALICLOUD_SHARED_CREDENTIALS_FILE', 'ALIBABA_CLOUD_CREDENTIALS_FILE'],
  profile: ['ALICLOUD_PROFILE', 'ALIBABA_CLOUD_PROFILE'],
} as const;
const ROLE_ARN = ['ALICLOUD_ASSUME_ROLE_ARN', 'ALIBABA_CLOUD_ROLE_ARN'] as const;
const SESSION_NAME = [
  'ALICLOUD_ASSUME_ROLE_SESSION_NAME',
  'ALIBABA_CLOUD_ROLE_SESSION_NAME',
] as const;

const ACLS: ReadonlySet<string> = new Set(['private', 'public-read', 'public-read-write']);

/** Validates a configuration with Terraform's messages. */
export function ossProblems(config: Value, environment: Environment): readonly BackendProblem[] {
  const args = new BackendArguments(config, environment);
  const problems: BackendProblem[] = [];
  const reject = (summary: string): void => {
    problems.push({ severity: 'error', summary, detail: '' });
  };
  const text = (name: string): string => args.text(name) ?? '';
  if (args.value('bucket') === undefined) reject('"bucket": required field is not set');
  if (/^(?:\/|\.\/)/.test(text('prefix'))) {
    reject("workspace_key_prefix must not start with '/' or './'");
  }
  if (/^\/|\/$/.test(text('key'))) reject("key can not start and end with '/'");
  const acl = text('acl');
  if (acl !== '' && !ACLS.has(acl)) {
    reject(
      `"acl" must be a valid ACL value , expected private, public-read or public-read-write, got ${JSON.stringify(acl)}`,
    );
  }
  const expiration = (name: string, within: BackendArguments, argument: string): void => {
    if (within.value(argument) === undefined) return;
    const seconds = within.integer(argument) ?? 0;
    if (seconds < 900 || seconds > 3600) {
      reject(`expected ${name} to be in the range (900 - 3600), got ${seconds}`);
    }
  };
  expiration('assume_role_session_expiration', args, 'assume_role_session_expiration');
  const block = blockOf(config, 'assume_role', environment);
  if (block !== undefined) {
    expiration('assume_role.0.session_expiration', block, 'session_expiration');
  }
  return problems;
}

/** Reads a configuration without problems. Throws an error fit for users where parts of it do not go together. */
export function ossSettings(config: Value, environment: Environment): OssSettings {
  const args = new BackendArguments(config, environment);
  const text = (name: keyof typeof VARIABLES): string =>
    args.text(name) ?? args.firstVariable(VARIABLES[name]) ?? '';
  const argument = (name: string, otherwise = ''): string => args.text(name) ?? otherwise;
  const tableEndpoint = withScheme(text('tablestore_endpoint'));
  const table = argument('tablestore_table');
  if (table !== '' && tableEndpoint === '') {
    throw new Error(
      `The argument "tablestore_table" names a table of Tablestore for locks, but not where it is: set "tablestore_endpoint" too, for example to https://INSTANCE.REGION.ots.aliyuncs.com.`,
    );
  }
  const instance = argument('tablestore_instance_name');
  return {
    bucket: argument('bucket'),
    prefix: argument('prefix', 'env:')
      .replaceAll(/^\/+|\/+$/g, '')
      .replace(/^\.\//, ''),
    key: argument('key', 'terraform.tfstate'),
    encrypt: args.truth('encrypt', undefined, false),
    acl: argument('acl'),
    region: text('region'),
    endpoint: withScheme(text('endpoint')),
    table: {
      name: table,
      endpoint: tableEndpoint,
      instance: instance === '' ? (/^https?:\/\/([^.]*)/.exec(tableEndpoint)?.[1] ?? '') : instance,
    },
    signIn: {
      accessKey: text('access_key'),
      secretKey: text('secret_key'),
      securityToken: text('security_token'),
      ecsRole: text('ecs_role_name'),
      profile: text('profile'),
      credentialsFile: text('shared_credentials_file'),
      stsEndpoint: text('sts_endpoint'),
      role: roleOf(args, blockOf(config, 'assume_role', environment)),
    },
  };
}

function roleOf(
  args: BackendArguments,
  block: BackendArguments | undefined,
): RoleSettings | undefined {
  const arn = args.text('assume_role_role_arn') ?? args.firstVariable(ROLE_ARN) ?? '';
  if (arn !== '') {
    return {
      arn,
      sessionName: args.text('assume_role_session_name') ?? args.firstVariable(SESSION_NAME) ?? '',
      policy: args.text('assume_role_policy') ?? '',
      seconds: args.integer('assume_role_session_expiration') ?? 0,
    };
  }
  if (block === undefined) return undefined;
  return {
    arn: block.text('role_arn') ?? args.firstVariable(ROLE_ARN) ?? '',
    sessionName: block.text('session_name') ?? args.firstVariable(SESSION_NAME) ?? '',
    policy: block.text('policy') ?? '',
    seconds: block.integer('session_expiration') ?? 0,
  };
}

function withScheme(endpoint: string): string {
  return endpoint === '' || endpoint.startsWith('http') ? endpoint : `https://${endpoint}`;
}
