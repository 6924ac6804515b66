import { isRegion } from '@terrane/aws-access';
import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import type { BackendProblem } from '../backend.ts';
import { FLAT_ROLE } from './s3-settings.ts';
import {
  firstFinding,
  iamArn,
  kmsKey,
  lengthBetween,
  looseUrl,
  matches,
  notEmpty,
  oneOf,
  policyDocument,
  retryMode,
  s3Path,
  sessionDuration,
  type Validator,
  wholeUrl,
  notContaining,
} from './s3-validators.ts';

const SESSION_NAME: readonly Validator[] = [
  lengthBetween(2, 64),
  matches(
    /^[\w+=,.@-]*$/,
    'Value can only contain letters, numbers, or the following characters: =,.@-',
  ),
];

/** Validators of the parts of an argument that is an object; those of a set hold for each of its texts. */
type Parts = Readonly<Record<string, readonly Validator[]>>;

const ROLE_PARTS: Parts = {
  role_arn: [notEmpty, iamArn('role')],
  duration: [sessionDuration],
  policy: [notEmpty, policyDocument],
  policy_arns: [iamArn('policy')],
  session_name: SESSION_NAME,
};
const ASSUME_ROLE: Parts = {
  ...ROLE_PARTS,
  external_id: [
    lengthBetween(2, 1224),
    matches(
      /^[\w+=,.@:/-]*$/,
      'Value can only contain letters, numbers, or the following characters: =,.@/-',
    ),
  ],
  source_identity: SESSION_NAME,
};
const WEB_IDENTITY: Parts = {
  ...ROLE_PARTS,
  web_identity_token: [lengthBetween(4, 20_000)],
  web_identity_token_file: [lengthBetween(4, 20_000)],
};
const ENDPOINTS: Parts = {
  dynamodb: [looseUrl],
  iam: [looseUrl],
  s3: [looseUrl],
  sso: [wholeUrl],
  sts: [looseUrl],
};

/** Deprecated names of the members of `endpoints`. */
const OLD_ENDPOINTS = {
  dynamodb_endpoint: 'dynamodb',
  endpoint: 's3',
  iam_endpoint: 'iam',
  sts_endpoint: 'sts',
} as const;

/** Obsolete environment variables and their replacements. */
const OLD_VARIABLES = {
  AWS_DYNAMODB_ENDPOINT: 'AWS_ENDPOINT_URL_DYNAMODB',
  AWS_IAM_ENDPOINT: 'AWS_ENDPOINT_URL_IAM',
  AWS_METADATA_URL: 'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  AWS_S3_ENDPOINT: 'AWS_ENDPOINT_URL_S3',
  AWS_STS_ENDPOINT: 'AWS_ENDPOINT_URL_STS',
} as const;

/** Validates the arguments of an `s3` backend, with Terraform's messages and order. */
export function checkS3(
  config: Value,
  environment: Pick<Environment, 'get'>,
): readonly BackendProblem[] {
  return new S3Check(config, environment).problems();
}

class S3Check {
  readonly #config: Value;
  readonly #environment: Pick<Environment, 'get'>;
  readonly #problems: BackendProblem[] = [];

  constructor(config: Value, environment: Pick<Environment, 'get'>) {
    this.#config = config;
    this.#environment = environment;
  }

  problems(): readonly BackendProblem[] {
    this.#required('bucket', [notEmpty]);
    this.#required('key', [notEmpty, s3Path, notContaining('//')]);
    this.#region();
    this.#conflict('kms_key_id', 'sse_customer_key');
    this.#value('kms_key_id', [kmsKey]);
    this.#value('workspace_key_prefix', [s3Path]);
    this.#object('assume_role', ASSUME_ROLE);
    this.#flatRole();
    this.#object('assume_role_with_web_identity', WEB_IDENTITY);
    this.#conflict('shared_credentials_file', 'shared_credentials_files');
    this.#deprecated('shared_credentials_file', 'shared_credentials_files');
    this.#deprecated('dynamodb_table', 'use_lockfile');
    this.#endpoints();
    this.#value('ec2_metadata_service_endpoint', [wholeUrl]);
    this.#conflict('force_path_style', 'use_path_style');
    this.#deprecated('force_path_style', 'use_path_style');
    this.#value('retry_mode', [retryMode]);
    this.#value('ec2_metadata_service_endpoint_mode', [oneOf(['IPv4', 'IPv6'])]);
    this.#conflict('allowed_account_ids', 'forbidden_account_ids');
    // Terraform checks the rest only when it sets the backend up.
    if (!this.#problems.some(({ severity }) => severity === 'error')) this.#setUp();
    return this.#problems;
  }

  #variable(name: string): string {
    return this.#environment.get(name) ?? '';
  }

  #add(
    severity: BackendProblem['severity'],
    summary: string,
    detail: string,
    argument?: readonly string[],
  ): void {
    this.#problems.push({
      severity,
      summary,
      detail,
      ...(argument === undefined ? {} : { argument }),
    });
  }

  #missing(argument: readonly string[]): void {
    const detail = `The attribute "${argument.join('.')}" is required by the backend.\n\nRefer to the backend documentation for additional information which attributes are required.`;
    this.#add('error', 'Missing Required Value', detail, argument);
  }

  #required(name: string, validators: readonly Validator[]): void {
    if (this.#config.attr(name).isNull) this.#missing([name]);
    else this.#value(name, validators);
  }

  #value(name: string, validators: readonly Validator[]): void {
    const value = this.#config.attr(name);
    if (value.isNull) return;
    const finding = firstFinding(validators, value);
    if (finding !== undefined) this.#add(finding.severity, finding.summary, finding.detail, [name]);
  }

  #conflict(first: string, second: string): void {
    if (this.#config.attr(first).isNull || this.#config.attr(second).isNull) return;
    const detail = `Only one of ${first}, ${second} can be set.`;
    this.#add('error', 'Invalid Attribute Combination', detail);
  }

  #deprecated(name: string, instead: string): void {
    if (this.#config.attr(name).isNull) return;
    const detail = `The parameter "${name}" is deprecated. Use parameter "${instead}" instead.`;
    this.#add('warning', 'Deprecated Parameter', detail, [name]);
  }

  #region(): void {
    const region = this.#config.attr('region');
    if (!region.isNull && region.asString() !== '') return;
    if (this.#variable('AWS_REGION') !== '' || this.#variable('AWS_DEFAULT_REGION') !== '') return;
    this.#add(
      'error',
      'Missing region value',
      'The "region" attribute or the "AWS_REGION" or "AWS_DEFAULT_REGION" environment variables must be set.',
      ['region'],
    );
  }

  #object(name: string, parts: Parts): void {
    const value = this.#config.attr(name);
    if (value.isNull) return;
    if (name === 'assume_role_with_web_identity') this.#oneToken(name, value);
    if (name !== 'endpoints' && value.attr('role_arn').isNull) this.#missing([name, 'role_arn']);
    for (const [part, validators] of Object.entries(parts)) {
      const member = value.attr(part);
      if (member.isNull) continue;
      for (const each of member.type.kind === 'set' ? member.elements() : [member]) {
        const finding = firstFinding(validators, each);
        if (finding !== undefined) {
          this.#add(finding.severity, finding.summary, finding.detail, [name, part]);
        }
      }
    }
  }

  /** Validates the flat role arguments, with OpenTofu's messages; Terraform has removed them. */
  #flatRole(): void {
    const flatArguments = FLAT_ROLE.filter(([name]) => !this.#config.attr(name).isNull);
    if (flatArguments.length === 0) return;
    const width = Math.max(...flatArguments.map(([name]) => name.length));
    const list = flatArguments
      .map(([name, inRole]) => `  * ${name.padEnd(width)} -> assume_role.${inRole}\n`)
      .sort()
      .join('');
    if (this.#config.attr('assume_role').isNull) {
      const detail = `The following parameters have been deprecated. Replace them as follows:\n${list}`;
      this.#add('warning', 'Deprecated Parameters', detail);
    } else {
      const detail = `The following deprecated parameters conflict with the parameter "assume_role". Replace them as follows:\n${list}`;
      this.#add('error', 'Conflicting Parameters', detail);
    }
    for (const [name, inRole] of flatArguments) {
      const value = this.#config.attr(name);
      if (value.type.kind === 'number') continue;
      const validators = ASSUME_ROLE[inRole] ?? [];
      for (const each of value.type.kind === 'set' ? value.elements() : [value]) {
        const finding = firstFinding(validators, each);
        if (finding !== undefined)
          this.#add(finding.severity, finding.summary, finding.detail, [name]);
      }
    }
  }

  #oneToken(name: string, value: Value): void {
    const names = ['web_identity_token', 'web_identity_token_file'];
    const tokens = names.filter((each) => !value.attr(each).isNull);
    const list = names.join(', ');
    if (tokens.length > 1) {
      const detail = `Only one of ${list} can be set.`;
      this.#add('error', 'Invalid Attribute Combination', detail, [name]);
    } else if (tokens.length === 0) {
      const detail = `Exactly one of ${list} must be set.`;
      this.#add('error', 'Missing Required Value', detail, [name]);
    }
  }

  #endpoints(): void {
    const endpoints = this.#config.attr('endpoints');
    for (const [old, service] of Object.entries(OLD_ENDPOINTS)) {
      if (this.#config.attr(old).isNull) continue;
      this.#deprecated(old, `endpoints.${service}`);
      if (endpoints.isNull || endpoints.attr(service).isNull) continue;
      const detail = `The parameters "${old}" and "endpoints.${service}" cannot be configured together.`;
      this.#add('error', 'Conflicting Parameters', detail);
    }
    this.#object('endpoints', ENDPOINTS);
    for (const old of Object.keys(OLD_ENDPOINTS)) this.#value(old, [looseUrl]);
  }

  #setUp(): void {
    const region = this.#config.attr('region');
    const skip = this.#config.attr('skip_region_validation');
    const name = region.isNull ? '' : region.asString();
    if (name !== '' && (skip.isNull || !skip.asBool()) && !isRegion(name)) {
      this.#add('error', 'Invalid region value', `Invalid AWS Region: ${name}`, ['region']);
      return;
    }
    this.#customerKey();
    for (const [old, instead] of Object.entries(OLD_VARIABLES)) {
      if (this.#variable(old) === '') continue;
      this.#add(
        'warning',
        'Deprecated Environment Variable',
        `The environment variable "${old}" is deprecated. Use environment variable "${instead}" instead.`,
      );
    }
    this.#proxies();
  }

  #customerKey(): void {
    const variable = this.#variable('AWS_SSE_CUSTOMER_KEY');
    if (!this.#config.attr('kms_key_id').isNull && variable !== '') {
      this.#add(
        'error',
        'Invalid encryption configuration',
        `Only one of "kms_key_id" and the environment variable "AWS_SSE_CUSTOMER_KEY" can be set.

The "kms_key_id" is used for encryption with KMS-Managed Keys (SSE-KMS)
while "AWS_SSE_CUSTOMER_KEY" is used for encryption with customer-managed keys (SSE-C).
Please choose one or the other.`,
      );
    }
    const customerKey = this.#config.attr('sse_customer_key');
    if (!customerKey.isNull) {
      const problem = customerKeyProblem(customerKey.asString());
      if (problem === undefined) return;
      const detail = `sse_customer_key must be ${problem}`;
      this.#add('error', 'Invalid sse_customer_key value', detail, ['sse_customer_key']);
    } else if (variable !== '') {
      const problem = customerKeyProblem(variable);
      if (problem === undefined) return;
      const detail = `The environment variable "AWS_SSE_CUSTOMER_KEY" must be ${problem}`;
      this.#add('error', 'Invalid AWS_SSE_CUSTOMER_KEY value', detail);
    }
  }

  #proxies(): void {
    const proxy = this.#config.attr('http_proxy');
    if (proxy.isNull || proxy.asString() === '' || !this.#config.attr('https_proxy').isNull) return;
    if (this.#variable('HTTPS_PROXY') !== '' || this.#variable('https_proxy') !== '') return;
    this.#add(
      'warning',
      'Missing HTTPS Proxy',
      `An HTTP proxy was set but no HTTPS proxy was. Using HTTP proxy ${JSON.stringify(proxy.asString())} for HTTPS requests. This behavior may change in future versions.\n\nTo specify no proxy for HTTPS, set the HTTPS to an empty string.`,
    );
  }
}

function customerKeyProblem(key: string): string | undefined {
  if (Buffer.byteLength(key) !== 44) return '44 characters in length';
  const invalidPart = /[^A-Za-z0-9+/=]|=(?!=?$)/.exec(key);
  return invalidPart === null
    ? undefined
    : `base64 encoded: illegal base64 data at input byte ${Buffer.byteLength(key.slice(0, invalidPart.index))}`;
}
