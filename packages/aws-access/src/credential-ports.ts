import type * as Providers from '@aws-sdk/credential-providers';
import type * as Config from '@smithy/core/config';
import type { AwsCredentialIdentity } from '@smithy/types';
import type { AwsHost } from './aws-host.ts';
import type { AwsConnection } from './connection.ts';
import type { RequestOptions } from './request-options.ts';

/** The parts of the AWS SDK that resolve credentials; the caller loads them in a bundle with the rest of the SDK. */
export interface CredentialLibraries
  extends
    Pick<
      typeof Providers,
      'fromHttp' | 'fromIni' | 'fromSSO' | 'fromTemporaryCredentials' | 'fromWebToken'
    >,
    Pick<typeof Config, 'externalDataInterceptor' | 'loadSharedConfigFiles'> {}

/** A credentials provider; called again after the credentials expire. */
export type CredentialSource = () => Promise<AwsCredentialIdentity>;

/** Dependencies of credential resolution. */
export interface CredentialPorts {
  readonly aws: CredentialLibraries;
  readonly host: AwsHost;
  readonly connection: AwsConnection;
  readonly region: string;
  /** for requests to Amazon's other services */
  readonly shared: RequestOptions;
  /** URL of the documentation about credentials, for messages */
  readonly helpUrl: string;
}
