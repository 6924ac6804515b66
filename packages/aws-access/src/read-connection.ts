import { type Environment, parseDuration } from '@terrane/host';
import type { AssumedRole, AwsConnection, Role, WebIdentityRole } from './connection.ts';

/** Configured arguments by name; undefined if absent. */
export interface AwsArguments {
  text(name: string): string | undefined;
  flag(name: string): boolean | undefined;
  texts(name: string): readonly string[] | undefined;
  map(name: string): readonly (readonly [string, string])[];
  /** returns the blocks of a name, or the object in place of a block */
  blocks(name: string): readonly AwsArguments[];
}

/** Environment variables that only some callers use. */
export interface ConnectionVariables {
  /** names of variables with the path of the shared configuration file, by precedence */
  readonly configFile: readonly string[];
  /** names of variables with the address of the instance metadata service, by precedence */
  readonly metadataEndpoint: readonly string[];
}

/**
 * Reads all settings of a connection except the endpoints. The environment and then the profile, as far as it is known,
 * are the fallbacks.
 */
export function readConnection(
  args: AwsArguments,
  environment: Environment,
  variables: ConnectionVariables,
  profile: Readonly<Record<string, string>> = {},
): Omit<AwsConnection, 'endpoints'> {
  const variable = (...names: readonly string[]): string | undefined =>
    firstVariable(environment, names);
  const files = (name: string, ...names: readonly string[]): readonly string[] => {
    const variableValue = variable(...names);
    const listed = args.texts(name) ?? (variableValue === undefined ? [] : [variableValue]);
    return listed.map((path) => expandPath(path, environment));
  };
  const flag = (name: string, variableName: string): boolean =>
    args.flag(name) ?? (variable(variableName) ?? profile[name])?.toLowerCase() === 'true';
  const ca = args.text('custom_ca_bundle') ?? variable('AWS_CA_BUNDLE');
  const web = args.blocks('assume_role_with_web_identity')[0];
  return {
    ...optionalMember('stsRegion', notEmpty(args.text('sts_region'))),
    ...optionalMember('keys', keysOf(args)),
    ...optionalMember('profile', notEmpty(args.text('profile'))),
    configFiles: files('shared_config_files', ...variables.configFile),
    credentialsFiles: files('shared_credentials_files', 'AWS_SHARED_CREDENTIALS_FILE'),
    assumeRoles: args.blocks('assume_role').map(assumedRole),
    ...optionalMember('webIdentity', web === undefined ? undefined : webIdentity(web, environment)),
    ...optionalMember(
      'metadataEndpoint',
      args.text('ec2_metadata_service_endpoint') ?? variable(...variables.metadataEndpoint),
    ),
    ...optionalMember(
      'metadataMode',
      args.text('ec2_metadata_service_endpoint_mode') ??
        variable('AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE'),
    ),
    metadataDisabled: flag('skip_metadata_api_check', 'AWS_EC2_METADATA_DISABLED'),
    validateCredentials: args.flag('skip_credentials_validation') !== true,
    requestAccountId: args.flag('skip_requesting_account_id') !== true,
    allowedAccounts: args.texts('allowed_account_ids') ?? [],
    forbiddenAccounts: args.texts('forbidden_account_ids') ?? [],
    fips: flag('use_fips_endpoint', 'AWS_USE_FIPS_ENDPOINT'),
    dualstack: flag('use_dualstack_endpoint', 'AWS_USE_DUALSTACK_ENDPOINT'),
    ...optionalMember('httpProxy', args.text('http_proxy')),
    ...optionalMember('httpsProxy', args.text('https_proxy')),
    ...optionalMember('noProxy', notEmpty(args.text('no_proxy'))),
    ...optionalMember('caFile', ca === undefined ? undefined : expandPath(ca, environment)),
    insecure: args.flag('insecure') ?? false,
  };
}

/** The first of some environment variables that is set and not empty. */
export function firstVariable(
  environment: Pick<Environment, 'get'>,
  names: readonly string[],
): string | undefined {
  return names.map((name) => environment.get(name) ?? '').find((value) => value !== '');
}

/** Expands `~` and environment variables in a path. */
export function expandPath(path: string, environment: Environment): string {
  const expanded = path.replace(
    /\$(?:\{([^}]*)\}|([A-Za-z_]\w*))/g,
    (_, braced: string | undefined, plain: string | undefined) =>
      environment.get(braced ?? plain ?? '') ?? '',
  );
  return /^~(?=\/|$)/.test(expanded)
    ? `${environment.homeDirectory ?? '~'}${expanded.slice(1)}`
    : expanded;
}

/** Returns an object with one member, or an empty object if the value is undefined. */
export function optionalMember<K extends string, V>(
  name: K,
  value: V | undefined,
): Partial<Record<K, V>> {
  // The result is a record of this one name.
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

function notEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Returns the static keys. If any of the three is configured, no other source is used. */
function keysOf(args: AwsArguments): AwsConnection['keys'] {
  const accessKeyId = args.text('access_key') ?? '';
  const secretAccessKey = args.text('secret_key') ?? '';
  const sessionToken = args.text('token') ?? '';
  if (accessKeyId === '' && secretAccessKey === '' && sessionToken === '') return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
}

function assumedRole(role: AwsArguments): AssumedRole {
  return {
    ...roleOf(role),
    ...optionalMember('externalId', notEmpty(role.text('external_id'))),
    ...optionalMember('sourceIdentity', notEmpty(role.text('source_identity'))),
    tags: role.map('tags'),
    transitiveTagKeys: role.texts('transitive_tag_keys') ?? [],
  };
}

function webIdentity(role: AwsArguments, environment: Environment): WebIdentityRole {
  const token = notEmpty(role.text('web_identity_token'));
  const configuredFile = notEmpty(role.text('web_identity_token_file'));
  const preferredSource =
    token ?? configuredFile ?? firstVariable(environment, ['AWS_WEB_IDENTITY_TOKEN_FILE']);
  const file = token === undefined ? preferredSource : configuredFile;
  return {
    ...roleOf(role),
    ...optionalMember('token', token),
    ...optionalMember('tokenFile', file === undefined ? undefined : expandPath(file, environment)),
  };
}

function roleOf(role: AwsArguments): Role {
  const ms = parseDuration(role.text('duration') ?? '');
  return {
    arn: role.text('role_arn') ?? '',
    ...optionalMember('sessionName', notEmpty(role.text('session_name'))),
    ...optionalMember('seconds', ms === undefined ? undefined : Math.floor(ms / 1000)),
    ...optionalMember('policy', notEmpty(role.text('policy')?.trim())),
    policyArns: role.texts('policy_arns') ?? [],
  };
}
