import { assumedRole, webIdentityRole } from './assume-role.ts';
import { cached } from './cached-credentials.ts';
import type { AssumedRole, WebIdentityRole } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { outsideSource } from './outside-credentials.ts';
import { failureText, sdkFailure } from './sdk-failure.ts';
import { textFile } from './shared-files.ts';

/**
 * Where credentials come from, in the order in which Terraform looks: arguments, a named profile, the environment, the
 * usual profile, the container, the machine; then the roles to be assumed. They have been had once when this resolves.
 */
export async function credentialSource(ports: CredentialPorts): Promise<CredentialSource> {
  let source = await firstSource(ports);
  for (const role of ports.connection.assumeRoles) source = await roleSource(ports, source, role);
  return source;
}

async function firstSource(ports: CredentialPorts): Promise<CredentialSource> {
  const { keys, webIdentity } = ports.connection;
  if (keys !== undefined) {
    if (keys.accessKeyId === '' || keys.secretAccessKey === '') {
      throw new Error('retrieving credentials: static credentials are empty');
    }
    return () => Promise.resolve({ ...keys });
  }
  if (webIdentity !== undefined) return await webSource(ports, webIdentity);
  return await tried(
    cached(ports.host.clock, outsideSource(ports)),
    (problem) => `No valid credential sources found

Please see ${ports.helpUrl}
for more information about providing credentials.

Error: ${problem instanceof Error ? problem.message : String(problem)}`,
  );
}

async function webSource(ports: CredentialPorts, role: WebIdentityRole): Promise<CredentialSource> {
  const { host } = ports;
  const token = async (): Promise<string> =>
    role.token ?? (await textFile(host, role.tokenFile ?? ''));
  return await tried(
    cached(host.clock, webIdentityRole(ports, role, token)),
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
  before: CredentialSource,
  role: AssumedRole,
): Promise<CredentialSource> {
  return await tried(
    cached(ports.host.clock, assumedRole(ports, before, role)),
    (problem) => `Cannot assume IAM Role

IAM Role (${role.arn}) cannot be assumed.

There are a number of possible causes of this - the most common are:
  * The credentials used in order to assume the role are invalid
  * The credentials do not have appropriate permission to assume the role
  * The role ARN is not valid

Error: ${failureText('STS', 'AssumeRole', sdkFailure(problem))}`,
  );
}

/** A source that has given credentials once. */
async function tried(
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
