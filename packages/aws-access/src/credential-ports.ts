import type * as Providers from '@aws-sdk/credential-providers';
import type * as Config from '@smithy/core/config';
import type { AwsCredentialIdentity } from '@smithy/types';
import type { AwsHost } from './aws-host.ts';
import type { AwsConnection } from './connection.ts';
import type { RequestOptions } from './request-options.ts';

/** What is used of Amazon's SDK to find credentials: whoever asks loads it, in a bundle with the rest of the SDK. */
export interface CredentialLibraries
  extends
    Pick<
      typeof Providers,
      'fromHttp' | 'fromIni' | 'fromSSO' | 'fromTemporaryCredentials' | 'fromWebToken'
    >,
    Pick<typeof Config, 'externalDataInterceptor' | 'loadSharedConfigFiles'> {}

/** Gives credentials; called again when they have run out. */
export type CredentialSource = () => Promise<AwsCredentialIdentity>;

/** What finding credentials needs. */
export interface CredentialPorts {
  readonly aws: CredentialLibraries;
  readonly host: AwsHost;
  readonly connection: AwsConnection;
  readonly region: string;
  /** for requests to Amazon's other services */
  readonly shared: RequestOptions;
  /** where users read how credentials are given */
  readonly helpUrl: string;
}
