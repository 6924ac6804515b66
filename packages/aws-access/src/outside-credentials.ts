import { webIdentityRole } from './assume-role.ts';
import type { Role } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { instanceCredentials } from './instance-credentials.ts';
import { profileSource } from './profile-credentials.ts';
import { firstVariable } from './read-connection.ts';
import { namedProfile, sharedFiles, textFile } from './shared-files.ts';

/** Keys of a profile that contain credentials or refer to them. */
const CREDENTIALS = [
  'aws_access_key_id',
  'aws_secret_access_key',
  'credential_process',
  'credential_source',
  'login_session',
  'role_arn',
  'source_profile',
  'sso_account_id',
  'sso_role_name',
  'sso_session',
  'sso_start_url',
  'web_identity_token_file',
];

/**
 * Returns the first source of credentials outside the configuration. A profile that the configuration names has
 * precedence over the environment. A profile without credentials is skipped.
 */
export function outsideSource(ports: CredentialPorts): CredentialSource {
  const { connection, host } = ports;
  if (connection.profile === undefined) {
    const environmentSource = variableSource(ports) ?? tokenSource(ports);
    if (environmentSource !== undefined) return environmentSource;
  }
  return async () => {
    const explicitProfile = namedProfile(ports);
    const profile = explicitProfile ?? 'default';
    const section = (await sharedFiles(ports)).profiles.get(profile);
    if (explicitProfile !== undefined && section === undefined) {
      throw new Error(`failed to get shared config profile, ${profile}`);
    }
    if (section !== undefined && CREDENTIALS.some((name) => section[name] !== undefined)) {
      return await profileSource(ports, profile)();
    }
    const container = containerSource(ports);
    if (container !== undefined) return await container();
    if (connection.metadataDisabled) {
      throw new Error(
        'failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, access disabled to EC2 IMDS via client option, or "AWS_EC2_METADATA_DISABLED" environment variable',
      );
    }
    return await instanceCredentials(host.http, connection);
  };
}

/** The source for access keys in environment variables. */
function variableSource(ports: CredentialPorts): CredentialSource | undefined {
  const accessKeyId = variable(ports, 'AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY');
  const secretAccessKey = variable(ports, 'AWS_SECRET_ACCESS_KEY', 'AWS_SECRET_KEY');
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  const sessionToken = variable(ports, 'AWS_SESSION_TOKEN');
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
  return () => Promise.resolve(keys);
}

/** Returns the source that assumes a role with a token file, as configured in the environment. */
function tokenSource(ports: CredentialPorts): CredentialSource | undefined {
  const file = variable(ports, 'AWS_WEB_IDENTITY_TOKEN_FILE');
  if (file === '') return undefined;
  const sessionName = variable(ports, 'AWS_ROLE_SESSION_NAME');
  const role: Role = {
    arn: variable(ports, 'AWS_ROLE_ARN'),
    policyArns: [],
    ...(sessionName !== '' && { sessionName }),
  };
  return webIdentityRole(ports, role, () => textFile(ports.host, file));
}

/** The credentials source of an ECS or EKS container. */
function containerSource(ports: CredentialPorts): CredentialSource | undefined {
  const relative = variable(ports, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  const full = variable(ports, 'AWS_CONTAINER_CREDENTIALS_FULL_URI');
  if (relative === '' && full === '') return undefined;
  const token = variable(ports, 'AWS_CONTAINER_AUTHORIZATION_TOKEN');
  const file = variable(ports, 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE');
  return ports.aws.fromHttp({
    ...(relative !== '' && { awsContainerCredentialsRelativeUri: relative }),
    ...(full !== '' && { awsContainerCredentialsFullUri: full }),
    ...(token !== '' && { awsContainerAuthorizationToken: token }),
    ...(file !== '' && { awsContainerAuthorizationTokenFile: file }),
  });
}

function variable({ host }: CredentialPorts, ...names: readonly string[]): string {
  return firstVariable(host.environment, names) ?? '';
}
