import { assumedRole, sessionName, stsOptions } from './assume-role.ts';
import type { AssumedRole } from './connection.ts';
import type { CredentialPorts, CredentialSource } from './credential-ports.ts';
import { optionalMember } from './read-connection.ts';
import { type Section, sharedFiles } from './shared-files.ts';

/** Credentials of a profile of the shared files, with the roles, sign-ons and programs that it names. */
export function profileSource(ports: CredentialPorts, profile: string): CredentialSource {
  const { aws, shared, connection } = ports;
  return async () => {
    const { filepath, configFilepath, profiles } = await sharedFiles(ports);
    const { sso } = connection.endpoints;
    const options = {
      filepath,
      configFilepath,
      ignoreCache: true,
      parentClientConfig: { region: ports.region, requestHandler: shared.requestHandler },
      clientConfig: { ...shared, ...(sso === undefined ? {} : { endpoint: sso }) },
    };
    const section = profiles.get(profile) ?? {};
    // The library ignores custom file paths if the profile, or its source profile, uses single sign-on.
    if (isSignOn(section)) return await aws.fromSSO({ profile, ...options })();
    const base = section['source_profile'];
    if (base !== undefined && section['mfa_serial'] === undefined && isSignOn(profiles.get(base))) {
      return await assumedRole(ports, profileSource(ports, base), roleOf(section))();
    }
    return await aws.fromIni({
      profile,
      ...options,
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

/** Keys that take precedence over single sign-on in one profile. */
const KEYS_BEFORE_SIGN_ON = [
  'aws_access_key_id',
  'credential_process',
  'role_arn',
  'web_identity_token_file',
];

/** Returns true if credentials of a profile are those of a sign-on (SSO). */
function isSignOn(section: Section = {}): boolean {
  const signsOn = section['sso_session'] !== undefined || section['sso_start_url'] !== undefined;
  return signsOn && KEYS_BEFORE_SIGN_ON.every((name) => section[name] === undefined);
}

function roleOf(section: Section): AssumedRole {
  const seconds = Number(section['duration_seconds']);
  return {
    arn: section['role_arn'] ?? '',
    policyArns: [],
    tags: [],
    transitiveTagKeys: [],
    ...optionalMember('sessionName', section['role_session_name']),
    ...optionalMember('externalId', section['external_id']),
    ...(seconds > 0 && { seconds }),
  };
}
