import { parsePlainJson } from '@terrane/cty';
import { bodyText, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { loadBlobLibrary } from './azure-libraries.ts';
import {
  describedEnvironment,
  namedEnvironment,
  type AzureEnvironment,
} from './azure-environment.ts';
import { azureHttpClients } from './azure-http-client.ts';
import { azureIdentity, type AzureIdentity } from './azure-identity.ts';
import type { AzurermSettings } from './azurerm-settings.ts';
import type { ContainerClient, StoragePipelineOptions } from './libraries/azure-blob.ts';

const API_VERSION = '2023-01-01';

/** Opens the container of the states with the configured credentials: an access key, a SAS token, or an identity. */
export async function azureContainer(
  settings: AzurermSettings,
  ports: BackendPorts,
): Promise<ContainerClient> {
  const { host, signal, userAgent } = ports;
  const { account, accessKey, sasToken, usesDirectory } = settings;
  const environment =
    settings.metadataHost === ''
      ? namedEnvironment(settings.environment)
      : await describedEnvironment(host.http, settings.metadataHost, signal);
  if (environment === undefined) {
    throw new Error(
      `no environment was found with the name ${JSON.stringify(settings.environment)}`,
    );
  }
  const clients = await azureHttpClients(host.http, settings.timeoutMs);
  const asksKey = accessKey === '' && sasToken === '' && !usesDirectory;
  const identity =
    asksKey || settings.looksUpEndpoint || (accessKey === '' && sasToken === '')
      ? await explainAccessErrors(
          asksKey || settings.looksUpEndpoint ? 'Resource Manager' : 'Storage',
          () => azureIdentity(settings.identity, environment, clients, ports),
        )
      : undefined;
  const management =
    identity !== undefined && (asksKey || settings.looksUpEndpoint)
      ? await StorageManagement.of(settings, environment, identity, ports)
      : undefined;
  const endpoint =
    (await management?.blobEndpoint()) ?? `https://${account}.blob.${environment.storageSuffix}`;
  const { AnonymousCredential, BlobServiceClient, StorageSharedKeyCredential, newPipeline } =
    await loadBlobLibrary();
  const options: StoragePipelineOptions = {
    httpClient: clients.blob,
    userAgentOptions: { userAgentPrefix: userAgent },
    retryOptions: { maxTries: 4, retryDelayInMs: 1000 },
  };
  const service = (): InstanceType<typeof BlobServiceClient> => {
    if (accessKey !== '') {
      const shared = new StorageSharedKeyCredential(account, accessKey);
      return new BlobServiceClient(endpoint, newPipeline(shared, options));
    }
    if (sasToken !== '') {
      if (sasToken.trim() === '') throw new Error('sasToken cannot be empty');
      const signed = `${endpoint}?${sasToken.trim().replace(/^\?/, '')}`;
      return new BlobServiceClient(signed, newPipeline(new AnonymousCredential(), options));
    }
    if (identity === undefined) throw new Error('no identity is configured');
    return new BlobServiceClient(endpoint, newPipeline(identity.credential, options));
  };
  if (management !== undefined && asksKey) {
    const shared = new StorageSharedKeyCredential(account, await management.accountKey());
    const keyed = new BlobServiceClient(endpoint, newPipeline(shared, options));
    return keyed.getContainerClient(settings.container);
  }
  return service().getContainerClient(settings.container);
}

async function explainAccessErrors<T>(api: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw new Error(`unable to build authorizer for ${api} API: ${userErrorText(error)}`, {
      cause: error,
    });
  }
}

/** The management API of a storage account, which returns its endpoint and its keys. */
class StorageManagement {
  readonly #url: string;
  readonly #name: string;
  readonly #scope: string;
  readonly #identity: AzureIdentity;
  readonly #ports: BackendPorts;

  constructor(
    url: string,
    name: string,
    scope: string,
    identity: AzureIdentity,
    ports: BackendPorts,
  ) {
    this.#url = url;
    this.#name = name;
    this.#scope = scope;
    this.#identity = identity;
    this.#ports = ports;
  }

  static async of(
    settings: AzurermSettings,
    environment: AzureEnvironment,
    identity: AzureIdentity,
    ports: BackendPorts,
  ): Promise<StorageManagement> {
    const { account, resourceGroup } = settings;
    const subscription = settings.subscriptionId || (await identity.subscription?.());
    if (subscription === undefined || subscription === '') {
      throw new Error('subscription id not specified');
    }
    const path = `subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(resourceGroup)}/providers/Microsoft.Storage/storageAccounts/${encodeURIComponent(account)}`;
    const name = `Storage Account (Subscription: ${JSON.stringify(subscription)}\nResource Group Name: ${JSON.stringify(resourceGroup)}\nStorage Account Name: ${JSON.stringify(account)})`;
    const scope = environment.managementScope;
    return new StorageManagement(
      `${environment.resourceManager}/${path}`,
      name,
      scope,
      identity,
      ports,
    );
  }

  async blobEndpoint(): Promise<string> {
    const account = await this.#ask('GET', '', `retrieving ${this.#name}`);
    const endpoint = member(member(member(account, 'properties'), 'primaryEndpoints'), 'blob');
    if (typeof endpoint !== 'string') {
      throw new Error(`determining blob endpoint for ${this.#name}: missing primary endpoint`);
    }
    return endpoint.replace(/\/$/, '');
  }

  async accountKey(): Promise<string> {
    const response = await this.#ask('POST', '/listKeys', `listing Keys for ${this.#name}`);
    const keys = member(response, 'keys');
    for (const key of Array.isArray(keys) ? keys : []) {
      const value = member(key, 'value');
      const permissions = member(key, 'permissions');
      if (typeof value !== 'string' || typeof permissions !== 'string') continue;
      if (permissions.toLowerCase() === 'full') return value;
    }
    throw new Error(`unable to determine the Write Key for ${this.#name}`);
  }

  async #ask(method: string, action: string, doing: string): Promise<unknown> {
    const { host, signal, userAgent } = this.#ports;
    const expand = action === '' ? '' : '&$expand=kerb';
    try {
      const token = await this.#identity.credential.getToken(this.#scope);
      if (token === null) throw new Error('there is no token');
      const answer = await host.http.request(
        `${this.#url}${action}?api-version=${API_VERSION}${expand}`,
        {
          method,
          headers: {
            authorization: `Bearer ${token.token}`,
            accept: 'application/json',
            'user-agent': userAgent,
          },
          ...(method === 'POST' && { body: '' }),
          ...(signal !== undefined && { signal }),
        },
      );
      const text = await bodyText(answer, 1024 * 1024);
      if (answer.status === 200) return parsePlainJson(text);
      throw new Error(`unexpected status ${answer.status}${reasonOf(text)}`);
    } catch (error) {
      signal?.throwIfAborted();
      throw new Error(`${doing}: ${firstLine(userErrorText(error))}`, { cause: error });
    }
  }
}

function reasonOf(text: string): string {
  try {
    const error = member(JSON.parse(text), 'error');
    const code = member(error, 'code');
    const message = member(error, 'message');
    return typeof code === 'string' ? ` with error: ${code}: ${String(message)}` : '';
  } catch {
    return '';
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
