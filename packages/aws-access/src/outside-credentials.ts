import { webIdentityRole } from './assume-role.ts';
import type { Role } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { instanceCredentials } from './instance-credentials.ts';
import { profileSource } from './profile-credentials.ts';
import { firstVariable } from './read-connection.ts';
import { sharedFiles, textFile } from './shared-files.ts';

/** The first of the places outside the configuration that has credentials, or of the profile that it names. */
export function outsideSource(ports: CredentialPorts): CredentialSource {
  const { connection, host } = ports;
  if (connection.profile !== undefined) return profileSource(ports, connection.profile);
  return (
    variableSource(ports) ??
    tokenSource(ports) ??
    (async () => {
      const named = variable(ports, 'AWS_PROFILE', 'AWS_DEFAULT_PROFILE');
      const profile = named === '' ? 'default' : named;
      const { profiles } = await sharedFiles(ports);
      if (named !== '' || profiles.has(profile)) return await profileSource(ports, profile)();
      const container = containerSource(ports);
      if (container !== undefined) return await container();
      if (connection.metadataDisabled) {
        throw new Error(
          'failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, access disabled to EC2 IMDS via client option, or "AWS_EC2_METADATA_DISABLED" environment variable',
        );
      }
      return await instanceCredentials(host.http, connection);
    })
  );
}

/** Keys of the environment. */
function variableSource(ports: CredentialPorts): CredentialSource | undefined {
  const accessKeyId = variable(ports, 'AWS_ACCESS_KEY_ID', 'AWS_ACCESS_KEY');
  const secretAccessKey = variable(ports, 'AWS_SECRET_ACCESS_KEY', 'AWS_SECRET_KEY');
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  const sessionToken = variable(ports, 'AWS_SESSION_TOKEN');
  const keys = { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) };
  return () => Promise.resolve(keys);
}

/** A role for the token that a file holds, as the environment says. */
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

/** What the container gives in which this runs. */
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
