import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import type { BackendProblem } from '../backend.ts';
import { BackendArguments } from '../backend-arguments.ts';

/** The authentication methods of a backend, by their case-insensitive names in configurations. */
export const AUTH = {
  apiKey: 'ApiKey',
  instance: 'InstancePrincipal',
  instanceWithCerts: 'InstancePrincipalWithCerts',
  securityToken: 'SecurityToken',
  resource: 'ResourcePrincipal',
  workload: 'OKEWorkloadIdentity',
} as const;

/**
 * Settings of the `oci` backend from the configuration and the environment. Empty strings represent absent settings.
 */
export interface OciSettings {
  readonly bucket: string;
  readonly namespace: string;
  readonly key: string;
  readonly workspacePrefix: string;
  readonly region: string;
  readonly encryption: {
    readonly kmsKeyId: string;
    readonly customerKey: string;
    readonly customerKeySha256: string;
    readonly customerAlgorithm: string;
  };
  readonly signIn: {
    /** a member of {@link AUTH}, in lower case */
    readonly auth: string;
    readonly tenancy: string;
    readonly user: string;
    readonly fingerprint: string;
    readonly privateKey: string;
    readonly privateKeyPath: string;
    readonly password: string;
    readonly profile: string;
  };
}

/**
 * Returns a reader of arguments with the environment variables `OCI_NAME` and the plain name as fallback, as in
 * Terraform.
 */
function reader(config: Value, environment: Environment): (name: string) => string {
  const args = new BackendArguments(config, environment);
  return (name) => args.text(name) ?? args.firstVariable([`OCI_${name}`, name]) ?? '';
}

/** Validates a configuration with Terraform's messages. */
export function ociProblems(config: Value, environment: Environment): readonly BackendProblem[] {
  const problems: BackendProblem[] = [];
  const args = new BackendArguments(config, environment);
  const text = reader(config, environment);
  const reject = (argument: string, summary: string, detail: string): void => {
    problems.push({ severity: 'error', summary, detail, argument: [argument] });
  };
  const required = (argument: string): boolean => {
    if ((args.text(argument) ?? '') !== '') return true;
    reject(
      argument,
      'Missing Required Value',
      `The attribute ${JSON.stringify(argument)} is required by the backend.\n\nRefer to the backend documentation for additional information which attributes are required.`,
    );
    return false;
  };
  if (required('bucket') && !/^[\w-]+$/.test(args.text('bucket') ?? '')) {
    reject(
      'bucket',
      'Invalid Value',
      'The bucket name can only include alphanumeric characters, underscores (_), and hyphens (-).',
    );
  }
  required('namespace');
  if (/^\/|\/$|\/\//.test(text('key'))) {
    reject(
      'key',
      'Invalid Value',
      'The value must not start or end with "/" and also not contain consecutive "/"',
    );
  }
  if (/^\/|\/\//.test(text('workspace_key_prefix'))) {
    reject(
      'workspace_key_prefix',
      'Invalid Value',
      'The value must not start  with "/" and also not contain consecutive "/"',
    );
  }
  const auth = text('auth');
  // Terraform looks no further then.
  if (auth.toLowerCase() === AUTH.apiKey.toLowerCase()) return problems;
  if (auth !== '') authProblems(auth, text, reject);
  const combination = 'Invalid Attribute Combination';
  const isSet = (name: string): boolean => text(name) !== '';
  if (isSet('sse_customer_key') && !isSet('sse_customer_key_sha256')) {
    reject('sse_customer_key_sha256', combination, '  sse_customer_key and its SHA both required.');
  }
  if (isSet('sse_customer_key') && isSet('kms_key_id')) {
    reject('kms_key_id', combination, 'Only one of kms_key_id, sse_customer_key can be set.');
  }
  if (isSet('private_key') && isSet('private_key_path')) {
    reject(
      'private_key_path',
      combination,
      'Only one of private_key, private_key_path can be set.',
    );
  }
  return problems;
}

const NEED_REGION: ReadonlySet<string> = new Set(
  [AUTH.instance, AUTH.instanceWithCerts, AUTH.resource, AUTH.securityToken].map((each) =>
    each.toLowerCase(),
  ),
);

function authProblems(
  auth: string,
  text: (name: string) => string,
  reject: (argument: string, summary: string, detail: string) => void,
): void {
  const missing = (name: string): void =>
    reject(
      name,
      `Missing ${name} attribute required`,
      `The attribute ${JSON.stringify(name)} is required by the backend for ${auth} authentication.\n\n`,
    );
  if (!NEED_REGION.has(auth.toLowerCase())) {
    const { apiKey, instance, instanceWithCerts, securityToken, resource, workload } = AUTH;
    const all = [apiKey, instance, instanceWithCerts, securityToken, resource, workload];
    const detail = `auth must be one of ${all.map((each) => `'${each}'`).join(' or ')}`;
    reject('auth', 'Invalid authentication method', detail);
    return;
  }
  if (text('region') === '') missing('region');
  const isToken = auth.toLowerCase() === AUTH.securityToken.toLowerCase();
  if (isToken && text('config_file_profile') === '') missing('config_file_profile');
}

/** Reads a configuration without problems. */
export function ociSettings(config: Value, environment: Environment): OciSettings {
  const text = reader(config, environment);
  return {
    bucket: text('bucket'),
    namespace: text('namespace'),
    key: text('key') || 'terraform.tfstate',
    workspacePrefix: text('workspace_key_prefix') || 'tf-state-env',
    region: text('region'),
    encryption: {
      kmsKeyId: text('kms_key_id'),
      customerKey: text('sse_customer_key'),
      customerKeySha256: text('sse_customer_key_sha256'),
      customerAlgorithm: text('sse_customer_algorithm') || 'AES256',
    },
    signIn: {
      auth: (text('auth') || AUTH.apiKey).toLowerCase(),
      tenancy: text('tenancy_ocid'),
      user: text('user_ocid'),
      fingerprint: text('fingerprint'),
      privateKey: text('private_key'),
      privateKeyPath: text('private_key_path'),
      password: text('private_key_password'),
      profile: text('config_file_profile'),
    },
  };
}
