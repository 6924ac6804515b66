import { bodyText, type Http } from '@terrane/host';
import type { AwsConnection } from './connection.ts';

const TIMEOUT_MS = 1_000;
const TOKEN_SECONDS = '21600';

/** Reads a path of the EC2 instance metadata service. */
export type Metadata = (path: string) => Promise<string>;

/**
 * Connects to the EC2 instance metadata service, with a session token (IMDSv2) or, if none is available, without one.
 * The SDK's own client is not used: it takes the endpoint only from the environment of the process.
 */
export async function instanceMetadata(
  http: Pick<Http, 'request'>,
  { metadataEndpoint, metadataMode }: Pick<AwsConnection, 'metadataEndpoint' | 'metadataMode'>,
): Promise<Metadata> {
  const defaultEndpoint =
    metadataMode?.toLowerCase() === 'ipv6' ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254';
  const base = (metadataEndpoint ?? defaultEndpoint).replace(/\/+$/, '');
  const request = async (
    path: string,
    headers: Readonly<Record<string, string>>,
    method = 'GET',
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await http.request(`${base}${path}`, {
      method,
      headers,
      proxy: '',
      timeoutMs: TIMEOUT_MS,
    });
    return { status: response.status, text: await bodyText(response, 1 << 20) };
  };
  const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': TOKEN_SECONDS };
  // Behind a bridge, as in containers, the response with the token may never arrive.
  const token = await request('/latest/api/token', ttl, 'PUT').catch(() => undefined);
  const headers: Readonly<Record<string, string>> =
    token?.status === 200 ? { 'x-aws-ec2-metadata-token': token.text } : {};
  return async (path) => {
    const { status, text } = await request(`/latest/${path}`, headers);
    if (status !== 200) throw new MetadataError(`status ${status}`);
    return text;
  };
}

/** An incomplete response of the metadata service. */
export class MetadataError extends Error {}
