import { programCommand, userErrorText } from '@terrane/host';
import { BackendFault, type BackendPorts } from '../backend.ts';
import type { CloudFlavour } from './cloud-flavour.ts';
import { CloudClient, isNotFound } from './cloud-client.ts';
import { type CloudSettings, DEFAULT_HOSTNAME } from './cloud-settings.ts';

/** A connection to an organization on a server, with its settings. */
export interface CloudConnection {
  readonly client: CloudClient;
  readonly flavour: CloudFlavour;
  readonly settings: CloudSettings;
  /** the server's product name */
  readonly appName: string;
  /** true if runs are executed locally, regardless of the execution mode of the workspaces */
  readonly isForcedLocal: boolean;
  readonly ports: BackendPorts;
  /** the API version; `undefined` if the server does not send it */
  readonly apiVersion: string | undefined;
  /** the release of Terraform Enterprise, `v202401-1`; `undefined` for other servers */
  readonly release: string | undefined;
}

const MIN_API_VERSION = [2, 5] as const;

/** Connects to the server of an organization and verifies its API version. Rejects with a {@link BackendFault}. */
export async function connect(
  flavour: CloudFlavour,
  settings: CloudSettings,
  ports: BackendPorts,
): Promise<CloudConnection> {
  const { environment } = ports.host;
  const forced = (environment.get('TF_FORCE_LOCAL_BACKEND') ?? '') !== '';
  const service = flavour === 'remote' && forced ? 'state.v2' : 'tfe.v2';
  const base = await discoverService(settings.hostname, service, ports);
  const client = new CloudClient({
    host: ports.host,
    base,
    token: await tokenFor(settings, ports),
    headers: {
      'user-agent': ports.userAgent,
      ...(ports.terraformVersion !== undefined && { 'terraform-version': ports.terraformVersion }),
      ...(flavour === 'cloud' && { 'x-terraform-integration': 'cloud' }),
    },
    signal: ports.signal,
  });
  const { meta, operations } = await organizationOf(client, flavour, settings);
  if (flavour === 'cloud' && !isSupported(meta['tfp-api-version'])) {
    throw new BackendFault(
      'Unsupported Terraform Enterprise version',
      "The 'cloud' option is not supported with this version of Terraform Enterprise.",
    );
  }
  client.persistent = true;
  const name = meta['tfp-appname'];
  return {
    client,
    flavour,
    settings,
    appName: name === 'Terraform Enterprise' ? name : 'HCP Terraform',
    isForcedLocal: forced || !operations,
    ports,
    apiVersion: meta['tfp-api-version'],
    release: meta['x-tfe-version'],
  };
}

/** Reads the properties of the server, and whether the organization may run operations on it. */
async function organizationOf(
  client: CloudClient,
  flavour: CloudFlavour,
  { hostname, organization }: CloudSettings,
): Promise<{ readonly meta: Readonly<Record<string, string>>; readonly operations: boolean }> {
  try {
    const meta = await client.ping();
    const path = `organizations/${encodeURIComponent(organization)}/entitlement-set`;
    const [entitlements] = (await client.ask({ path })).data;
    return { meta, operations: entitlements?.attributes['operations'] === true };
  } catch (error) {
    const summary = `Failed to read organization ${JSON.stringify(organization)} at host ${hostname}`;
    const subject =
      flavour === 'remote'
        ? 'The "remote" backend encountered an unexpected error while reading the organization settings'
        : 'Encountered an unexpected error while reading the organization settings';
    const reason = isNotFound(error)
      ? `organization ${JSON.stringify(organization)} at host ${hostname} not found.\n\nPlease ensure that the organization and hostname are correct and that your API token for ${hostname} is valid.`
      : userErrorText(error);
    const options = { cause: error, argument: 'organization' };
    throw new BackendFault(summary, `${subject}: ${reason}`, options);
  }
}

async function discoverService(
  hostname: string,
  service: string,
  ports: BackendPorts,
): Promise<URL> {
  try {
    if (ports.serviceOf === undefined) throw new Error('services of hosts cannot be found here');
    const url = new URL(await ports.serviceOf(hostname, service));
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  } catch (error) {
    const reason = userErrorText(error);
    const text = reason.charAt(0).toUpperCase() + reason.slice(1);
    throw new BackendFault(text, '', { cause: error, argument: 'hostname' });
  }
}

async function tokenFor({ hostname, token }: CloudSettings, ports: BackendPorts): Promise<string> {
  // Embedding programs may have no credentials source.
  const apiToken = token ?? (await ports.tokenOf?.(hostname).catch(() => undefined));
  if (apiToken !== undefined && apiToken !== '') return apiToken;
  const login =
    hostname === DEFAULT_HOSTNAME
      ? programCommand('login')
      : `${programCommand('login')} ${hostname}`;
  throw new BackendFault(
    'Required token could not be found',
    `Run the following command to generate a token for ${hostname}:\n    ${login}`,
  );
}

function isSupported(version: string | undefined): boolean {
  const parts = (version ?? '').split('.').map(Number);
  const [major = NaN, minor = 0] = parts;
  if (Number.isNaN(major) || Number.isNaN(minor)) return false;
  return (
    major > MIN_API_VERSION[0] || (major === MIN_API_VERSION[0] && minor >= MIN_API_VERSION[1])
  );
}
