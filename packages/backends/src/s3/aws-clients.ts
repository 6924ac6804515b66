import { importOptional } from '@terrane/host';
import {
  type CredentialPorts,
  type CredentialSource,
  credentialSource,
  isAllowedAccount,
  requestOptions,
  stsOptions,
} from '@terrane/aws-access';
import type { BackendPorts } from '../backend.ts';
import { awsFailure } from './aws-error.ts';
import type * as Libraries from './libraries/aws.ts';
import type { AwsSettings } from './s3-settings.ts';

/** The libraries, once they are loaded. */
export type AwsLibraries = typeof Libraries;

/** Configured and verified clients of the services. */
export interface AwsClients {
  readonly aws: AwsLibraries;
  readonly s3: InstanceType<AwsLibraries['S3Client']>;
  readonly dynamodb: InstanceType<AwsLibraries['DynamoDBClient']>;
}

/** Loads the SDK, resolves credentials and, unless skipped, requests their account. */
export async function awsClients(
  settings: AwsSettings,
  { host, userAgent, signal }: BackendPorts,
): Promise<AwsClients> {
  const aws = await importOptional(
    'The backend "s3"',
    [
      '@aws-sdk/client-s3',
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-sts',
      '@aws-sdk/credential-providers',
      '@aws-sdk/core',
      '@smithy/core',
    ],
    () => import('./libraries/aws.ts'),
  );
  // Suppresses the SDK's warning about the Node version on each run.
  aws.sdkState.warningEmitted = true;
  const [program = '', version = ''] = userAgent.split('/');
  const shared = await requestOptions(settings, host, aws.HttpResponse, {
    maxAttempts: settings.attempts,
    ...(settings.retryMode === undefined ? {} : { retryMode: settings.retryMode }),
    customUserAgent: [[program, version]],
    ...(signal === undefined ? {} : { signal }),
  });
  const ports: CredentialPorts = {
    aws,
    host,
    connection: settings,
    region: settings.region,
    shared,
    helpUrl: 'https://developer.hashicorp.com/terraform/language/backend/s3',
  };
  const credentials = await credentialSource(ports);
  await checkAccount(aws, settings, ports, credentials);
  const common = { ...shared, region: settings.region, credentials };
  const { s3, dynamodb } = settings.endpoints;
  return {
    aws,
    s3: new aws.S3Client({
      ...common,
      forcePathStyle: settings.pathStyle,
      // Requests contain an explicit checksum, and older servers support no other.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      expectContinueHeader: false,
      ...(s3 === undefined ? {} : { endpoint: endpointOf(s3) }),
    }),
    dynamodb: new aws.DynamoDBClient({
      ...common,
      ...(dynamodb === undefined ? {} : { endpoint: endpointOf(dynamodb) }),
    }),
  };
}

function endpointOf(text: string): string {
  return text.includes('://') ? text : `https://${text}`;
}

async function checkAccount(
  aws: AwsLibraries,
  settings: AwsSettings,
  ports: CredentialPorts,
  credentials: CredentialSource,
): Promise<void> {
  const { allowedAccounts, forbiddenAccounts } = settings;
  const isAccountChecked = allowedAccounts.length > 0 || forbiddenAccounts.length > 0;
  const requestsAccount =
    settings.validateCredentials || (settings.requestAccountId && isAccountChecked);
  let account = '';
  if (requestsAccount) {
    const client = new aws.STSClient({ ...stsOptions(ports), credentials });
    try {
      account = (await client.send(new aws.GetCallerIdentityCommand({}))).Account ?? '';
    } catch (error) {
      const reason = awsFailure('STS', 'GetCallerIdentity', error);
      throw new Error(
        `validating provider credentials: retrieving caller identity from STS: ${reason}`,
        { cause: error },
      );
    } finally {
      client.destroy();
    }
  }
  if (!isAllowedAccount(account, settings)) {
    throw new Error(`Invalid account ID\n\nAWS account ID not allowed: ${account}`);
  }
}
