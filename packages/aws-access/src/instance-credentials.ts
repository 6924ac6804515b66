import type { AwsCredentialIdentity } from '@smithy/types';
import { type Http, userErrorText } from '@terrane/host';
import type { AwsConnection } from './connection.ts';
import { instanceMetadata, MetadataError } from './instance-metadata.ts';

const ROLES = 'meta-data/iam/security-credentials/';

type MetadataSettings = Pick<AwsConnection, 'metadataEndpoint' | 'metadataMode'>;

const INSTANCE_CREDENTIALS = new WeakSet<AwsCredentialIdentity>();

/** Returns the credentials of the role of the EC2 instance, from the metadata service. */
export async function instanceCredentials(
  http: Pick<Http, 'request'>,
  settings: MetadataSettings,
): Promise<AwsCredentialIdentity> {
  try {
    const read = await instanceMetadata(http, settings);
    const [role = ''] = (await read(ROLES)).split('\n');
    if (role === '') throw new MetadataError('there is no role');
    const response: unknown = JSON.parse(await read(`${ROLES}${encodeURIComponent(role)}`));
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = texts(response);
    if (AccessKeyId === undefined || SecretAccessKey === undefined) {
      throw new MetadataError(`there are no credentials of the role ${role}`);
    }
    const credentials = {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(Token === undefined ? {} : { sessionToken: Token }),
      ...(Expiration === undefined ? {} : { expiration: new Date(Expiration) }),
    };
    INSTANCE_CREDENTIALS.add(credentials);
    return credentials;
  } catch (error) {
    const reason = userErrorText(error);
    throw new Error(
      `failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, ${error instanceof MetadataError ? '' : 'request send failed, '}${reason}`,
      { cause: error },
    );
  }
}

/** Returns the region of the EC2 instance, if it provides the credentials; undefined if it is not available. */
export async function instanceRegion(
  http: Pick<Http, 'request'>,
  settings: MetadataSettings,
  credentials: AwsCredentialIdentity,
): Promise<string | undefined> {
  if (!INSTANCE_CREDENTIALS.has(credentials)) return undefined;
  try {
    const read = await instanceMetadata(http, settings);
    return (await read('meta-data/placement/region')).trim();
  } catch {
    return undefined;
  }
}

function texts(value: unknown): Readonly<Partial<Record<string, string>>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
