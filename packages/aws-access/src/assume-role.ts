import type { AssumedRole, Role } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import type { RequestOptions } from './request-options.ts';

/** Options of a client of the Security Token Service (STS). */
export interface StsOptions extends RequestOptions {
  readonly region: string;
  readonly endpoint?: string;
}

/** Returns the client options for the Security Token Service. */
export function stsOptions({
  connection,
  shared,
  region,
}: Pick<CredentialPorts, 'connection' | 'shared' | 'region'>): StsOptions {
  const { sts } = connection.endpoints;
  return {
    ...shared,
    region: connection.stsRegion ?? region,
    ...(sts === undefined ? {} : { endpoint: sts }),
  };
}

/** Returns the credentials of a role that is assumed with the credentials of `base`. */
export function assumedRole(
  ports: CredentialPorts,
  base: CredentialSource,
  { externalId, sourceIdentity, tags, transitiveTagKeys, ...role }: AssumedRole,
): CredentialSource {
  return ports.aws.fromTemporaryCredentials({
    masterCredentials: base,
    clientConfig: stsOptions(ports),
    params: {
      RoleArn: role.arn,
      RoleSessionName: role.sessionName ?? sessionName(ports),
      ...(role.seconds === undefined ? {} : { DurationSeconds: role.seconds }),
      ...(role.policy === undefined ? {} : { Policy: role.policy }),
      ...(role.policyArns.length === 0
        ? {}
        : { PolicyArns: role.policyArns.map((arn) => ({ arn })) }),
      ...(externalId === undefined ? {} : { ExternalId: externalId }),
      ...(sourceIdentity === undefined ? {} : { SourceIdentity: sourceIdentity }),
      ...(tags.length === 0 ? {} : { Tags: tags.map(([Key, Value]) => ({ Key, Value })) }),
      ...(transitiveTagKeys.length === 0 ? {} : { TransitiveTagKeys: [...transitiveTagKeys] }),
    },
  });
}

/** Returns the credentials of a role that is assumed with a web identity token. The token is read for each request. */
export function webIdentityRole(
  ports: CredentialPorts,
  role: Role,
  token: () => Promise<string>,
): CredentialSource {
  return async () =>
    await ports.aws.fromWebToken({
      roleArn: role.arn,
      roleSessionName: role.sessionName ?? sessionName(ports),
      webIdentityToken: await token(),
      clientConfig: stsOptions(ports),
      ...(role.seconds === undefined ? {} : { durationSeconds: role.seconds }),
      ...(role.policy === undefined ? {} : { policy: role.policy }),
      ...(role.policyArns.length === 0
        ? {}
        : { policyArns: role.policyArns.map((arn) => ({ arn })) }),
    })();
}

/** The default name of a session. */
export function sessionName({ host }: Pick<CredentialPorts, 'host'>): string {
  return `terrane-${host.clock.now().getTime()}`;
}
