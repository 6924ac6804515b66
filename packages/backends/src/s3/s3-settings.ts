import {
  type AwsArguments,
  type AwsConnection,
  expandPath,
  firstVariable,
  named,
  readConnection,
} from '@terrane/aws-access';
import { nullOf, object, str, STRING, type Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';

/** Addresses of services, where they are not Amazon's. */
export interface Endpoints {
  readonly s3?: string;
  readonly dynamodb?: string;
  readonly sts?: string;
  readonly sso?: string;
}

/** Credentials, region and network settings of requests. */
export interface AwsSettings extends AwsConnection {
  readonly region: string;
  readonly endpoints: Endpoints;
  readonly attempts: number;
  readonly retryMode?: string;
  readonly pathStyle: boolean;
}

/** Options of stored objects. */
export interface ObjectSettings {
  readonly bucket: string;
  readonly encrypt: boolean;
  readonly kmsKeyId?: string;
  /** the key of customer-provided encryption, as base64 */
  readonly customerKey?: string;
  readonly acl?: string;
  /** tags of objects, as a query has them; empty: none */
  readonly stateTags: string;
  readonly lockTags: string;
  readonly checksum: boolean;
}

/** All settings from the arguments and the environment. */
export interface S3Settings {
  readonly aws: AwsSettings;
  readonly objects: ObjectSettings;
  readonly key: string;
  readonly workspacePrefix: string;
  readonly lockFile: boolean;
  readonly table?: string;
}

const DEFAULT_ATTEMPTS = 5;

/** Decodes a validated configuration, with the environment as fallback. */
export function s3Settings(config: Value, environment: Environment): S3Settings {
  const args = new Arguments(config);
  const variable = (...names: readonly string[]): string | undefined =>
    firstVariable(environment, names);
  const connection = readConnection(args, environment, {
    configFile: ['AWS_SHARED_CONFIG_FILE', 'AWS_CONFIG_FILE'],
    metadataEndpoint: ['AWS_EC2_METADATA_SERVICE_ENDPOINT', 'AWS_METADATA_URL'],
  });
  const old = args.text('shared_credentials_file');
  const [endpoints] = args.blocks('endpoints');
  return {
    key: args.text('key') ?? '',
    workspacePrefix: args.text('workspace_key_prefix') ?? 'env:',
    lockFile: args.flag('use_lockfile') ?? false,
    ...named('table', notEmpty(args.text('dynamodb_table'))),
    objects: {
      bucket: args.text('bucket') ?? '',
      encrypt: args.flag('encrypt') ?? false,
      checksum: args.flag('skip_s3_checksum') !== true,
      stateTags: new URLSearchParams(Object.fromEntries(args.map('state_tags'))).toString(),
      lockTags: new URLSearchParams(Object.fromEntries(args.map('lock_tags'))).toString(),
      ...named('kmsKeyId', notEmpty(args.text('kms_key_id'))),
      ...named('customerKey', args.text('sse_customer_key') ?? variable('AWS_SSE_CUSTOMER_KEY')),
      ...named('acl', notEmpty(args.text('acl'))),
    },
    aws: {
      ...connection,
      region: notEmpty(args.text('region')) ?? variable('AWS_REGION', 'AWS_DEFAULT_REGION') ?? '',
      ...(connection.credentialsFiles.length === 0 &&
        old !== undefined && { credentialsFiles: [expandPath(old, environment)] }),
      endpoints: {
        ...named(
          's3',
          endpoints?.text('s3') ??
            args.text('endpoint') ??
            variable('AWS_ENDPOINT_URL_S3', 'AWS_S3_ENDPOINT'),
        ),
        ...named(
          'dynamodb',
          endpoints?.text('dynamodb') ??
            args.text('dynamodb_endpoint') ??
            variable('AWS_ENDPOINT_URL_DYNAMODB', 'AWS_DYNAMODB_ENDPOINT'),
        ),
        ...named(
          'sts',
          endpoints?.text('sts') ??
            args.text('sts_endpoint') ??
            variable('AWS_ENDPOINT_URL_STS', 'AWS_STS_ENDPOINT'),
        ),
        ...named('sso', endpoints?.text('sso') ?? variable('AWS_ENDPOINT_URL_SSO')),
      },
      attempts: args.number('max_retries') ?? DEFAULT_ATTEMPTS,
      ...named('retryMode', args.text('retry_mode') ?? variable('AWS_RETRY_MODE')),
      pathStyle: args.flag('use_path_style') ?? args.flag('force_path_style') ?? false,
    },
  };
}

function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The arguments of a configuration by their names. */
class Arguments implements AwsArguments {
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

  blocks(name: string): readonly Arguments[] {
    if (name === 'assume_role') return this.#role();
    const value = this.#value.attr(name);
    return value.isNull ? [] : [new Arguments(value)];
  }

  /** Returns the role to assume, including one configured by the flat arguments. */
  #role(): readonly Arguments[] {
    const role = this.#value.attr('assume_role');
    if (!role.isNull) return [new Arguments(role)];
    if (this.#value.attr('role_arn').isNull) return [];
    const seconds = this.number('assume_role_duration_seconds');
    const attributes: Record<string, Value> = {
      duration: seconds === undefined ? nullOf(STRING) : str(`${seconds}s`),
      source_identity: nullOf(STRING),
    };
    for (const [flatName, name] of FLAT_ROLE) {
      if (flatName !== 'assume_role_duration_seconds')
        attributes[name] = this.#value.attr(flatName);
    }
    return [new Arguments(object(attributes))];
  }
}

/** Flat arguments equivalent to members of `assume_role`, with their names there. */
export const FLAT_ROLE: readonly (readonly [flat: string, inRole: string])[] = [
  ['role_arn', 'role_arn'],
  ['session_name', 'session_name'],
  ['external_id', 'external_id'],
  ['assume_role_duration_seconds', 'duration'],
  ['assume_role_policy', 'policy'],
  ['assume_role_policy_arns', 'policy_arns'],
  ['assume_role_tags', 'tags'],
  ['assume_role_transitive_tag_keys', 'transitive_tag_keys'],
];
