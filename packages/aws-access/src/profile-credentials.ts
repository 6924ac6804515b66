import { sessionName, stsOptions } from './assume-role.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { sharedFiles } from './shared-files.ts';

/** Credentials of a profile of the shared files, with the roles, sign-ons and programs that it names. */
export function profileSource(ports: CredentialPorts, profile: string): CredentialSource {
  const { aws, shared, connection } = ports;
  return async () => {
    const { filepath, configFilepath, profiles } = await sharedFiles(ports);
    if (!profiles.has(profile)) {
      throw new Error(`failed to get shared config profile, ${profile}`);
    }
    const { sso } = connection.endpoints;
    return await aws.fromIni({
      profile,
      filepath,
      configFilepath,
      ignoreCache: true,
      parentClientConfig: { region: ports.region, requestHandler: shared.requestHandler },
      clientConfig: { ...shared, ...(sso === undefined ? {} : { endpoint: sso }) },
      async roleAssumer(source, parameters) {
        return await aws.fromTemporaryCredentials({
          masterCredentials: source,
          clientConfig: stsOptions(ports),
          params: {
            ...parameters,
            RoleSessionName: parameters.RoleSessionName ?? sessionName(ports),
          },
        })();
      },
      async roleAssumerWithWebIdentity({ RoleArn, RoleSessionName, WebIdentityToken }) {
        return await aws.fromWebToken({
          roleArn: RoleArn ?? '',
          roleSessionName: RoleSessionName ?? sessionName(ports),
          webIdentityToken: WebIdentityToken ?? '',
          clientConfig: stsOptions(ports),
        })();
      },
    })();
  };
}
