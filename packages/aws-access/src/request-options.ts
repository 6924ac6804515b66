import type { HttpResponse } from '@smithy/core/transport';
import { userErrorText } from '@terrane/host';
import type { AwsConnection } from './connection.ts';
import type { AwsHost } from './aws-host.ts';
import { requestHandler, type SdkRequestHandler } from './request-handler.ts';

/** Options common to the clients of all services. */
export interface RequestOptions {
  readonly requestHandler: SdkRequestHandler;
  /** the maximum number of attempts, including the first */
  readonly maxAttempts: number;
  readonly retryMode?: string;
  readonly useFipsEndpoint: boolean;
  readonly useDualstackEndpoint: boolean;
  /** names and versions of programs for the User-Agent header */
  readonly customUserAgent: [string, string][];
}

/** Settings of a client in addition to the connection. */
export interface RequestMatters extends Pick<
  RequestOptions,
  'maxAttempts' | 'retryMode' | 'customUserAgent'
> {
  /** aborts requests in progress */
  readonly signal?: AbortSignal;
}

/** Reads the certificates of a connection and creates the options of its requests. */
export async function requestOptions(
  connection: AwsConnection,
  host: AwsHost,
  Response: typeof HttpResponse,
  { signal, ...matters }: RequestMatters,
): Promise<RequestOptions> {
  const { caFile, fips, dualstack } = connection;
  const ca = caFile === undefined ? undefined : await certificates(host, caFile);
  return {
    requestHandler: requestHandler(host, connection, ca, Response, signal),
    useFipsEndpoint: fips,
    useDualstackEndpoint: dualstack,
    ...matters,
  };
}

async function certificates({ files }: AwsHost, path: string): Promise<string> {
  try {
    return new TextDecoder().decode(await files.readFile(path));
  } catch (error) {
    const reason = userErrorText(error);
    throw new Error(`reading custom CA bundle: ${reason}`, { cause: error });
  }
}
