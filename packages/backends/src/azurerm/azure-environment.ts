import { bodyText, type Http, userErrorText } from '@terrane/host';

/** A cloud of Azure: where its services are. */
export interface AzureEnvironment {
  /** the login endpoint, without a trailing slash */
  readonly authority: string;
  /** the management of resources, without a slash at the end */
  readonly resourceManager: string;
  /** the token scope of the management API */
  readonly managementScope: string;
  /** the domain suffix of blob services: `core.windows.net` */
  readonly storageSuffix: string;
}

const PUBLIC: AzureEnvironment = {
  authority: 'https://login.microsoftonline.com',
  resourceManager: 'https://management.azure.com',
  managementScope: 'https://management.azure.com/.default',
  storageSuffix: 'core.windows.net',
};
const US_GOVERNMENT: AzureEnvironment = {
  authority: 'https://login.microsoftonline.us',
  resourceManager: 'https://management.usgovcloudapi.net',
  managementScope: 'https://management.usgovcloudapi.net/.default',
  storageSuffix: 'core.usgovcloudapi.net',
};
const CHINA: AzureEnvironment = {
  authority: 'https://login.chinacloudapi.cn',
  resourceManager: 'https://management.chinacloudapi.cn',
  managementScope: 'https://management.chinacloudapi.cn/.default',
  storageSuffix: 'core.chinacloudapi.cn',
};

const NAMED: ReadonlyMap<string, AzureEnvironment> = new Map([
  ['public', PUBLIC],
  ['global', PUBLIC],
  ['canary', PUBLIC],
  ['usgovernment', US_GOVERNMENT],
  ['usgovernmentl4', US_GOVERNMENT],
  ['dod', US_GOVERNMENT],
  ['usgovernmentl5', US_GOVERNMENT],
  ['china', CHINA],
]);

/** Returns the cloud with a name, in any case; `undefined` if it is unknown. */
export function namedEnvironment(name: string): AzureEnvironment | undefined {
  return NAMED.get(name.toLowerCase());
}

/** Returns the cloud that a metadata service describes, such as an Azure Stack. */
export async function describedEnvironment(
  http: Http,
  metadataHost: string,
  signal: AbortSignal | undefined,
): Promise<AzureEnvironment> {
  const url = `https://${metadataHost}/metadata/endpoints?api-version=2022-09-01`;
  let described: unknown;
  try {
    const answer = await http.request(url, signal === undefined ? {} : { signal });
    const text = await bodyText(answer, 1024 * 1024);
    if (answer.status !== 200) throw new Error(`it answered with the status ${answer.status}`);
    described = JSON.parse(text);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(
      `The metadata service ${metadataHost} does not say where its cloud is: ${userErrorText(error)}`,
      { cause: error },
    );
  }
  const record = Array.isArray(described) ? described[0] : described;
  const authentication = member(record, 'authentication');
  const audiences = member(authentication, 'audiences');
  const resourceManager = textMember(record, 'resourceManager');
  const authority = textMember(authentication, 'loginEndpoint');
  const storageSuffix = textMember(member(record, 'suffixes'), 'storage');
  if (resourceManager === '' || authority === '' || storageSuffix === '') {
    throw new Error(
      `The metadata service ${metadataHost} does not say where its cloud is: it names no "resourceManager", "loginEndpoint" or "storage".`,
    );
  }
  const audience = Array.isArray(audiences) ? audiences.find((a) => typeof a === 'string') : '';
  return {
    authority: withoutSlash(authority),
    resourceManager: withoutSlash(resourceManager),
    managementScope: `${withoutSlash(audience || resourceManager)}/.default`,
    storageSuffix,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}

function textMember(value: unknown, name: string): string {
  const text = member(value, name);
  return typeof text === 'string' ? text : '';
}
