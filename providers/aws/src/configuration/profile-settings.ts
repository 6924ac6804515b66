import { type AwsConnection, type AwsHost, namedProfile, sharedFiles } from '@terrane/aws-access';
import { ProviderError } from '@terrane/provider/sdk';
import type { ProfileSettings } from './settings.ts';

/**
 * Returns the settings of the profile that the configuration or the environment names; by default, of the default
 * profile, if it exists.
 */
export async function profileSettings(
  connection: AwsConnection,
  host: AwsHost,
): Promise<ProfileSettings> {
  const aws = await import('../clients/libraries/aws-credentials.ts');
  const { profiles, services, filepath, configFilepath } = await sharedFiles({
    aws,
    host,
    connection,
  });
  const name = namedProfile({ host, connection });
  const section = profiles.get(name ?? 'default');
  if (section === undefined && name !== undefined) {
    throw new ProviderError(
      `failed to get shared config profile, ${name}`,
      `Neither ${configFilepath} nor ${filepath} has a profile of that name. Correct the argument profile of the provider block, or AWS_PROFILE in the environment, or add the profile.`,
    );
  }
  return { section: section ?? {}, services: services.get(section?.['services'] ?? '') ?? {} };
}
