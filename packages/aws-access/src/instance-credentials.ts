import type { AwsCredentialIdentity } from '@smithy/types';
import { bodyText, type Http } from '@terrane/host';
import type { AwsConnection } from './connection.ts';

const TIMEOUT_MS = 1_000;
const TOKEN_SECONDS = '21600';
const ROLES = '/latest/meta-data/iam/security-credentials/';

/**
 * Credentials of the role that a machine of EC2 has, from its metadata service (IMDSv2, and the older one where that is
 * all there is). The SDK asks only at the address that the process's own environment says.
 */
export async function instanceCredentials(
  http: Pick<Http, 'request'>,
  { metadataEndpoint, metadataMode }: Pick<AwsConnection, 'metadataEndpoint' | 'metadataMode'>,
): Promise<AwsCredentialIdentity> {
  const usual =
    metadataMode?.toLowerCase() === 'ipv6' ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254';
  const base = (metadataEndpoint ?? usual).replace(/\/+$/, '');
  const ask = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    method = 'GET',
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await http.request(`${base}${path}`, {
      method,
      headers,
      proxy: '',
      timeoutMs: TIMEOUT_MS,
    });
    return { status: answer.status, text: await bodyText(answer, 1 << 20) };
  };
  const failed = (what: string): Error =>
    new Error(
      `failed to refresh cached credentials, no EC2 IMDS role found, operation error ec2imds: GetMetadata, ${what}`,
    );
  try {
    const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS };
    const token = await ask('/latest/api/token', ttl, 'PUT');
    const headers: Readonly<Record<string, string>> =
      token.status === 200 ? { 'x-aws-ec2-metadata-token': token.text } : {};
    const roles = await ask(ROLES, headers);
    const [role = ''] = roles.text.split('\n');
    if (roles.status !== 200 || role === '') throw failed(`status ${roles.status}`);
    const { status, text } = await ask(`${ROLES}${encodeURIComponent(role)}`, headers);
    if (status !== 200) throw failed(`status ${status}`);
    const found: unknown = JSON.parse(text);
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = texts(found);
    if (AccessKeyId === undefined || SecretAccessKey === undefined) {
      throw failed(`there are no credentials of the role ${role}`);
    }
    return {
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      ...(Token === undefined ? {} : { sessionToken: Token }),
      ...(Expiration === undefined ? {} : { expiration: new Date(Expiration) }),
    };
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('failed to refresh')) throw error;
    throw failed(`request send failed, ${error instanceof Error ? error.message : String(error)}`);
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
