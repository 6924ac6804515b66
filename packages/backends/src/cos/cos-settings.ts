import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import type { BackendProblem } from '../backend.ts';
import { blockOf, BackendArguments } from '../backend-arguments.ts';

/** A role to assume. Empty strings represent absent settings. */
export interface CosRole {
  readonly arn: string;
  readonly sessionName: string;
  readonly seconds: number;
  readonly policy: string;
  readonly externalId: string;
}

/**
 * Settings of the `cos` backend from the configuration and the environment. Empty strings represent absent settings.
 */
export interface CosSettings {
  readonly bucket: string;
  readonly region: string;
  /** scheme and host of the bucket */
  readonly origin: string;
  readonly prefix: string;
  readonly key: string;
  readonly encrypt: boolean;
  readonly acl: string;
  /** the domain of services other than storage */
  readonly domain: string;
  readonly signIn: {
    readonly secretId: string;
    readonly secretKey: string;
    readonly token: string;
    readonly machineRole: string;
    readonly profile: string;
    readonly credentialsDirectory: string;
    /** the role of the configuration or the environment; a profile may name another one */
    readonly role: CosRole | undefined;
  };
}

const ENV = 'TENCENTCLOUD_';
const DEFAULT_SECONDS = 7200;
const MAX_SECONDS = 43_200;

/** Validates a configuration with Terraform's messages. */
export function cosProblems(config: Value, environment: Environment): readonly BackendProblem[] {
  const args = new BackendArguments(config, environment);
  const problems: BackendProblem[] = [];
  const reject = (summary: string): void => {
    problems.push({ severity: 'error', summary, detail: '' });
  };
  const missing = (name: string): void =>
    reject(`${JSON.stringify(name)}: required field is not set`);
  if (args.value('bucket') === undefined) missing('bucket');
  if (args.text('region', `${ENV}REGION`) === undefined) missing('region');
  if (/^(?:\/|\.\/)/.test(args.text('prefix') ?? '')) {
    reject("prefix must not start with '/' or './'");
  }
  if (/^\/|\/$/.test(args.text('key') ?? '')) reject("key can not start and end with '/'");
  const acl = args.text('acl') ?? 'private';
  if (acl !== 'private' && acl !== 'public-read') {
    reject(`acl value invalid, expected private or public-read, got ${acl}`);
  }
  const block = blockOf(config, 'assume_role', environment);
  if (block !== undefined) {
    if (block.text('role_arn', `${ENV}ASSUME_ROLE_ARN`) === undefined) {
      missing('assume_role.0.role_arn');
    }
    if (block.text('session_name', `${ENV}ASSUME_ROLE_SESSION_NAME`) === undefined) {
      missing('assume_role.0.session_name');
    }
    const seconds = block.integer('session_duration') ?? 0;
    if (seconds < 0) reject(`"assume_role.0.session_duration" cannot be lower than 0: ${seconds}`);
    if (seconds > MAX_SECONDS) {
      reject(`"assume_role.0.session_duration" cannot be higher than ${MAX_SECONDS}: ${seconds}`);
    }
  }
  return problems;
}

/** Decodes a valid configuration. Throws an error with Terraform's message for an invalid endpoint. */
export function cosSettings(config: Value, environment: Environment): CosSettings {
  const args = new BackendArguments(config, environment);
  const text = (name: string, variable = name.toUpperCase()): string =>
    args.text(name, `${ENV}${variable}`) ?? '';
  const bucket = args.text('bucket') ?? '';
  const region = text('region');
  const accelerated = args.truth('accelerate', undefined, false);
  const ownOrigin = `https://${bucket}.cos.${accelerated ? 'accelerate' : region}.myqcloud.com`;
  const endpoint = text('endpoint');
  return {
    bucket,
    region,
    origin: endpoint === '' ? ownOrigin : internalOrigin(endpoint, bucket),
    prefix: args.text('prefix') ?? '',
    key: args.text('key') ?? 'terraform.tfstate',
    encrypt: args.truth('encrypt', undefined, true),
    acl: args.text('acl') ?? 'private',
    domain: text('domain') || 'tencentcloudapi.com',
    signIn: {
      secretId: text('secret_id'),
      secretKey: text('secret_key'),
      token: text('security_token'),
      machineRole: text('cam_role_name'),
      profile: text('profile') || 'default',
      credentialsDirectory: text('shared_credentials_dir'),
      role: roleOf(args, blockOf(config, 'assume_role', environment)),
    },
  };
}

function internalOrigin(endpoint: string, bucket: string): string {
  const [, scheme, region] =
    /^(https?):\/\/cos-internal\.([^.]+)\.tencentcos\.cn$/.exec(endpoint) ?? [];
  if (scheme === undefined || region === undefined) {
    throw new Error(
      `Invalid URL: ${endpoint} must be: http(s)://cos-internal.{Region}.tencentcos.cn`,
    );
  }
  return `${scheme}://${bucket}.cos-internal.${region}.tencentcos.cn`;
}

function roleOf(args: BackendArguments, block: BackendArguments | undefined): CosRole | undefined {
  const variable = (name: string): string => args.variable(`${ENV}ASSUME_ROLE_${name}`) ?? '';
  const configuredSeconds = Number(variable('SESSION_DURATION'));
  const seconds =
    Number.isInteger(configuredSeconds) && configuredSeconds > 0
      ? configuredSeconds
      : DEFAULT_SECONDS;
  const role = {
    arn: block?.text('role_arn') ?? variable('ARN'),
    sessionName: block?.text('session_name') ?? variable('SESSION_NAME'),
    seconds: block?.integer('session_duration') ?? seconds,
    policy: block?.text('policy') ?? '',
    externalId: block?.text('external_id') ?? variable('EXTERNAL_ID'),
  };
  return role.arn === '' || role.sessionName === '' ? undefined : role;
}
