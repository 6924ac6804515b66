import { isAllowedAccount, isRegion } from '@terrane/aws-access';
import { type Log, ProviderError } from '@terrane/provider/sdk';
import type { AwsSettings } from '../configuration/settings.ts';
import { Aws } from './aws.ts';
import { ClientFactory, type ClientHost } from './client-factory.ts';

/** Finds region and credentials, and asks whose those are unless that is to be skipped. */
export async function openAws(settings: AwsSettings, host: ClientHost, log: Log): Promise<Aws> {
  const clients = await opened(settings, host, log);
  const { region } = clients;
  if (region === '') {
    throw new ProviderError(
      'Missing region',
      'No AWS region is configured. Set the argument region of the provider block, AWS_REGION or AWS_DEFAULT_REGION in the environment, or region in the profile.',
      'region',
    );
  }
  if (settings.validateRegion && !isRegion(region)) {
    throw new ProviderError(
      'Invalid region value',
      `invalid AWS Region: ${region}. If it is a new one, set skip_region_validation = true.`,
      'region',
    );
  }
  const accountId = await accountOf(settings, clients);
  if (!isAllowedAccount(accountId, settings)) {
    throw new ProviderError('Invalid account ID', `AWS account ID not allowed: ${accountId}`);
  }
  const { clock, random, files } = host;
  return new Aws({ clients, settings, accountId, clock, random, files, log });
}

async function opened(settings: AwsSettings, host: ClientHost, log: Log): Promise<ClientFactory> {
  try {
    return await ClientFactory.open(settings, host, log);
  } catch (error) {
    const [summary = '', ...detail] = messageOf(error).split('\n\n');
    throw new ProviderError(summary, detail.join('\n\n'), undefined, { cause: error });
  }
}

async function accountOf(settings: AwsSettings, clients: ClientFactory): Promise<string> {
  if (!settings.validateCredentials && !settings.requestAccountId) return '';
  const { sts } = clients.services(clients.region, new AbortController().signal);
  try {
    return (await sts.getCallerIdentity({})).Account ?? '';
  } catch (error) {
    const [summary, doing] = settings.validateCredentials
      ? ['validating provider credentials', 'retrieving caller identity from STS']
      : ['retrieving AWS account details', 'retrieving caller identity from STS'];
    throw new ProviderError(summary, `${doing}: ${messageOf(error)}`, undefined, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
