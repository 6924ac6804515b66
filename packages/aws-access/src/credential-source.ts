import { userErrorText } from '@terrane/host';
import { assumedRole, webIdentityRole } from './assume-role.ts';
import { cacheCredentials } from './cached-credentials.ts';
import type { AssumedRole, WebIdentityRole } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { outsideSource } from './outside-credentials.ts';
import { failureText, sdkFailure } from './sdk-failure.ts';
import { textFile } from './shared-files.ts';

/**
 * Resolves the credentials source in Terraform's order: arguments, a named profile, the environment, the default
 * profile, the container, the instance; then the roles to assume. The credentials have been
 * obtained once when the promise resolves.
 */
export async function credentialSource(ports: CredentialPorts): Promise<CredentialSource> {
  let source = await firstSource(ports);
  const { assumeRoles } = ports.connection;
  for (const [index, role] of assumeRoles.entries()) {
    if (role.arn === '') {
      const position = `${index + 1} of ${assumeRoles.length}`;
      throw new Error(`Cannot assume IAM Role\n\nIAM Role ARN not set in assume role ${position}`);
    }
    source = await roleSource(ports, source, role);
  }
  return source;
}

async function firstSource(ports: CredentialPorts): Promise<CredentialSource> {
  const { keys, webIdentity, profile } = ports.connection;
  if (keys !== undefined) {
    if (keys.accessKeyId === '' || keys.secretAccessKey === '') {
      throw new Error('retrieving credentials: static credentials are empty');
    }
    return () => Promise.resolve({ ...keys });
  }
  if (webIdentity !== undefined) return await webSource(ports, webIdentity);
  const warning = profile !== undefined && hasKeys(ports) ? KEYS_NOT_USED : '';
  return await verifiedSource(
    cacheCredentials(ports.host.clock, outsideSource(ports)),
    (problem) => `No valid credential sources found

Please see ${ports.helpUrl}
for more information about providing credentials.

Error: ${warning}${userErrorText(problem)}`,
  );
}

const KEYS_NOT_USED = `A Profile was specified along with the environment variables "AWS_ACCESS_KEY_ID" and "AWS_SECRET_ACCESS_KEY". The Profile is now used instead of the environment variable credentials.

AWS Error: `;

function hasKeys({ host: { environment } }: CredentialPorts): boolean {
  const has = (name: string): boolean => (environment.get(name) ?? '') !== '';
  return has('AWS_ACCESS_KEY_ID') && has('AWS_SECRET_ACCESS_KEY');
}

async function webSource(ports: CredentialPorts, role: WebIdentityRole): Promise<CredentialSource> {
  const { host } = ports;
  const missing =
    role.arn === ''
      ? 'Role ARN was not set'
      : role.token === undefined && role.tokenFile === undefined
        ? 'One of WebIdentityToken, WebIdentityTokenFile must be set: web_identity_token, web_identity_token_file or AWS_WEB_IDENTITY_TOKEN_FILE in the environment.'
        : undefined;
  if (missing !== undefined) throw new Error(`Assume Role With Web Identity\n\n${missing}`);
  const token = async (): Promise<string> =>
    role.token ?? (await textFile(host, role.tokenFile ?? ''));
  return await verifiedSource(
    cacheCredentials(host.clock, webIdentityRole(ports, role, token)),
    (problem) => `Cannot assume IAM Role with web identity

IAM Role (${role.arn}) cannot be assumed with web identity token.

There are a number of possible causes of this - the most common are:
  * The web identity token used in order to assume the role is invalid
  * The web identity token does not have appropriate permission to assume the role
  * The role ARN is not valid

Error: ${failureText('STS', 'AssumeRoleWithWebIdentity', sdkFailure(problem))}`,
  );
}

async function roleSource(
  ports: CredentialPorts,
  base: CredentialSource,
  role: AssumedRole,
): Promise<CredentialSource> {
  return await verifiedSource(
    cacheCredentials(ports.host.clock, assumedRole(ports, base, role)),
    (problem) => `Cannot assume IAM Role

IAM Role (${role.arn}) cannot be assumed.

There are a number of possible causes of this - the most common are:
  * The credentials used in order to assume the role are invalid
  * The credentials do not have appropriate permission to assume the role
  * The role ARN is not valid

Error: ${failureText('STS', 'AssumeRole', sdkFailure(problem))}`,
  );
}

/** Obtains credentials once, so that failures are reported immediately, and returns the source. */
async function verifiedSource(
  source: CredentialSource,
  message: (problem: unknown) => string,
): Promise<CredentialSource> {
  try {
    await source();
  } catch (problem) {
    throw new Error(message(problem), { cause: problem });
  }
  return source;
}
