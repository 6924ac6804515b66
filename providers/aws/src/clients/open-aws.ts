import { isAllowedAccount, isRegion } from '@terrane/aws-access';
import { userErrorText } from '@terrane/host';
import { type Log, ProviderError } from '@terrane/provider/sdk';
import type { AwsSettings } from '../configuration/settings.ts';
import { Aws } from './aws.ts';
import { ClientFactory, type ClientHost } from './client-factory.ts';

/** Determines region and credentials, and requests the account ID unless that is disabled. */
export async function openAws(settings: AwsSettings, host: ClientHost, log: Log): Promise<Aws> {
  const clients = await openClients(settings, host, log);
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

async function openClients(
  settings: AwsSettings,
  host: ClientHost,
  log: Log,
): Promise<ClientFactory> {
  try {
    return await ClientFactory.open(settings, host, log);
  } catch (error) {
    const [summary = '', ...detail] = userErrorText(error).split('\n\n');
    throw new ProviderError(summary, detail.join('\n\n'), undefined, { cause: error });
  }
}

async function accountOf(settings: AwsSettings, clients: ClientFactory): Promise<string> {
  if (!settings.validateCredentials && !settings.requestAccountId) return '';
  const { sts, iam } = clients.services(clients.region, { signal: new AbortController().signal });
  const identity = async (): Promise<string | undefined> =>
    (await sts.getCallerIdentity({})).Account;
  if (settings.validateCredentials) {
    try {
      return (await identity()) ?? '';
    } catch (error) {
      const detail = `retrieving caller identity from STS: ${userErrorText(error)}`;
      throw new ProviderError('validating provider credentials', detail, undefined, {
        cause: error,
      });
    }
  }
  // S3-compatible services need not support all of these.
  const ways: readonly (readonly [string, () => Promise<string | undefined>])[] = [
    ['via sts:GetCallerIdentity', identity],
    ['via iam:GetUser', async () => accountIn((await iam.getUser({})).User?.Arn)],
    [
      'via iam:ListRoles',
      async () => accountIn((await iam.listRoles({ MaxItems: 1 })).Roles?.[0]?.Arn),
    ],
  ];
  const problems: string[] = [];
  for (const [way, ask] of ways) {
    try {
      const account = await ask();
      if (account !== undefined && account !== '') return account;
      problems.push(`retrieving account information ${way}: empty response`);
    } catch (error) {
      problems.push(`retrieving account information ${way}: ${userErrorText(error)}`);
    }
  }
  throw new ProviderError(
    'retrieving AWS account details',
    `AWS account ID not previously found and failed retrieving via all available methods.\n\nSet skip_requesting_account_id = true to do without it: ARNs that are made of it lack it then. Errors:\n${problems.map((problem) => `  * ${problem}`).join('\n')}`,
    'skip_requesting_account_id',
  );
}

/** Returns the account in an ARN. */
function accountIn(arn = ''): string | undefined {
  return arn.split(':')[4];
}
