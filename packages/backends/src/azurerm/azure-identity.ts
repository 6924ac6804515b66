import { bodyText, type Host, userErrorText } from '@terrane/host';
import type { BackendPorts } from '../backend.ts';
import { loadIdentityLibrary } from './azure-libraries.ts';
import type { AzureEnvironment } from './azure-environment.ts';
import type { AzureHttpClients } from './azure-http-client.ts';
import type { AzureIdentitySettings } from './azurerm-settings.ts';
import type { TokenCredential } from './libraries/azure-identity.ts';

/** An Azure identity. */
export interface AzureIdentity {
  readonly credential: TokenCredential;
  /** the default subscription of the user who is logged in with the Azure CLI */
  subscription?(): Promise<string>;
}

const MANAGED_IDENTITY_ENDPOINT = 'http://169.254.169.254/metadata/identity/oauth2/token';
const TOKEN_AUDIENCE = 'api://AzureADTokenExchange';

/**
 * Resolves the identity: the first of a certificate, a secret, a federated token (including those of GitHub and Azure
 * DevOps pipelines), the managed identity of this machine and the login of `az`, in Terraform's order.
 */
export async function azureIdentity(
  settings: AzureIdentitySettings,
  environment: AzureEnvironment,
  clients: AzureHttpClients,
  { host, signal }: BackendPorts,
): Promise<AzureIdentity> {
  const { tenantId, clientId, secret, oidcToken } = await resolveIdentity(settings, host);
  const options = {
    authorityHost: environment.authority,
    httpClient: clients.current,
    // Instance discovery fails for private clouds.
    disableInstanceDiscovery: true,
  };
  if (settings.certificate !== '' || settings.certificateFile !== '') {
    const certificate = await pemOf(settings, host);
    const { ClientCertificateCredential } = await loadIdentityLibrary();
    return {
      credential: new ClientCertificateCredential(tenantId, clientId, { certificate }, options),
    };
  }
  if (secret !== '') {
    const { ClientSecretCredential } = await loadIdentityLibrary();
    return { credential: new ClientSecretCredential(tenantId, clientId, secret, options) };
  }
  const assertion = assertionOf(settings, oidcToken, host, signal);
  if (assertion !== undefined) {
    const { ClientAssertionCredential } = await loadIdentityLibrary();
    return {
      credential: new ClientAssertionCredential(tenantId, clientId, assertion, options),
    };
  }
  if (settings.usesManagedIdentity) {
    const endpoint = settings.managedIdentityEndpoint || MANAGED_IDENTITY_ENDPOINT;
    return { credential: managedIdentity(endpoint, clientId, host, signal) };
  }
  if (settings.usesCli) {
    return {
      credential: loggedIn(tenantId, host, signal),
      subscription: async () => {
        const account = await azureCli(['account', 'show'], host, signal);
        return textOf(account, 'id');
      },
    };
  }
  throw new Error('no Authorizer could be configured, please check your configuration');
}

interface Resolved {
  readonly tenantId: string;
  readonly clientId: string;
  readonly secret: string;
  readonly oidcToken: string;
}

async function resolveIdentity(settings: AzureIdentitySettings, host: Host): Promise<Resolved> {
  const { workload, usesWorkloadIdentity } = settings;
  let clientId = await reusableToken(
    settings.clientId,
    settings.clientIdFile,
    'Client ID',
    'Client ID',
    host,
  );
  const secret = await reusableToken(
    settings.secret,
    settings.secretFile,
    'Client Secret',
    'Client Secret',
    host,
  );
  let oidcToken = await reusableToken(
    settings.oidcToken,
    settings.oidcTokenFile,
    'OIDC Token',
    'OIDC token',
    host,
  );
  let tenantId = settings.tenantId.trim();
  if (usesWorkloadIdentity) {
    if (workload.tokenFile !== '') {
      const token = await fileText(workload.tokenFile, host, (reason) => {
        return `reading OIDC Token from file ${JSON.stringify(workload.tokenFile)} provided by AKS Workload Identity: ${reason}`;
      });
      if (oidcToken !== '' && oidcToken !== token) {
        throw new Error(
          'mismatch between supplied OIDC token and OIDC token file contents provided by AKS Workload Identity - please either remove one, ensure they match, or disable use_aks_workload_identity',
        );
      }
      oidcToken = token;
    }
    clientId = sameAsWorkload(clientId, workload.clientId, 'Client ID');
    tenantId = sameAsWorkload(tenantId, workload.tenantId, 'Tenant ID');
  }
  return { tenantId, clientId, secret, oidcToken };
}

async function reusableToken(
  configured: string,
  path: string,
  title: string,
  name: string,
  host: Host,
): Promise<string> {
  if (path === '') return configured;
  const stored = await fileText(
    path,
    host,
    (reason) => `reading ${title} from file ${JSON.stringify(path)}: ${reason}`,
  );
  if (configured !== '' && configured !== stored) {
    throw new Error(
      `mismatch between supplied ${name} and supplied ${name} file contents - please either remove one or ensure they match`,
    );
  }
  return stored;
}

function sameAsWorkload(configured: string, workload: string, name: string): string {
  if (workload === '') return configured;
  if (configured !== '' && configured !== workload) {
    throw new Error(
      `mismatch between supplied ${name} and that provided by AKS Workload Identity - please remove, ensure they match, or disable use_aks_workload_identity`,
    );
  }
  return workload;
}

async function fileText(
  path: string,
  { files }: Host,
  message: (reason: string) => string,
): Promise<string> {
  try {
    return (await files.readText(path)).trim();
  } catch (error) {
    throw new Error(message(userErrorText(error)), { cause: error });
  }
}

/** Converts the PKCS#12 that Terraform accepts to certificate and key in PEM, which Azure's library requires. */
async function pemOf(settings: AzureIdentitySettings, { files }: Host): Promise<string> {
  const { certificate, certificateFile, certificatePassword } = settings;
  let bundle: Uint8Array;
  if (certificate === '') {
    try {
      bundle = await files.readFile(certificateFile);
    } catch (error) {
      throw new Error(
        `could not read the client certificate ${JSON.stringify(certificateFile)}: ${userErrorText(error)}`,
        { cause: error },
      );
    }
  } else {
    if (!/^[A-Za-z0-9+/\r\n]*={0,2}\s*$/.test(certificate)) {
      throw new Error('could not decode client certificate data: it is not in base64');
    }
    bundle = Buffer.from(certificate, 'base64');
  }
  const text = Buffer.from(bundle).toString('latin1');
  if (text.includes('-----BEGIN')) return text;
  const { forge } = await loadIdentityLibrary();
  try {
    const pkcs12 = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(text), certificatePassword);
    const bags = (type = ''): NonNullable<ReturnType<typeof pkcs12.getBags>[string]> =>
      pkcs12.getBags({ bagType: type })[type] ?? [];
    const { pki } = forge;
    const keys = [...bags(pki.oids['pkcs8ShroudedKeyBag']), ...bags(pki.oids['keyBag'])].flatMap(
      ({ key }) => (key == null ? [] : [pki.privateKeyToPem(key)]),
    );
    const certificates = bags(pki.oids['certBag']).flatMap(({ cert }) =>
      cert === undefined ? [] : [pki.certificateToPem(cert)],
    );
    if (keys.length === 0 || certificates.length === 0) {
      throw new Error('it holds no certificate with an RSA key');
    }
    return [...keys, ...certificates].join('\n');
  } catch (error) {
    throw new Error(`could not decode the client certificate: ${userErrorText(error)}`, {
      cause: error,
    });
  }
}

/** Returns the client assertion: a token of a pipeline or of Kubernetes. */
function assertionOf(
  settings: AzureIdentitySettings,
  token: string,
  host: Host,
  signal: AbortSignal | undefined,
): (() => Promise<string>) | undefined {
  if (!settings.usesOidc && !settings.usesWorkloadIdentity) return undefined;
  if (token !== '') return () => Promise.resolve(token);
  const { oidcRequestUrl, oidcRequestToken, pipelineConnection } = settings;
  if (oidcRequestUrl === '' || oidcRequestToken === '') return undefined;
  const authorization = `Bearer ${oidcRequestToken}`;
  return async () => {
    const url = new URL(oidcRequestUrl);
    if (pipelineConnection === '') {
      url.searchParams.set('audience', TOKEN_AUDIENCE);
      const response = await askJson(url, {
        headers: { authorization, accept: 'application/json' },
      });
      return textOf(response, 'value');
    }
    url.searchParams.set('api-version', '7.1');
    url.searchParams.set('serviceConnectionId', pipelineConnection);
    const response = await askJson(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
    });
    return textOf(response, 'oidcToken');
  };

  async function askJson(
    url: URL,
    request: { method?: string; headers: Readonly<Record<string, string>> },
  ): Promise<unknown> {
    return await json(host, url, request, 'an OIDC token', signal);
  }
}

function managedIdentity(
  endpoint: string,
  clientId: string,
  host: Host,
  signal: AbortSignal | undefined,
): TokenCredential {
  return cacheTokens(host, async (scope) => {
    const url = new URL(endpoint);
    url.searchParams.set('api-version', '2018-02-01');
    url.searchParams.set('resource', resourceOf(scope));
    if (clientId !== '') url.searchParams.set('client_id', clientId);
    const subject = 'a token of the managed identity';
    const response = await json(host, url, { headers: { Metadata: 'true' } }, subject, signal);
    const seconds = Number(fieldsOf(response).get('expires_on'));
    return { token: textOf(response, 'access_token'), expiresOnTimestamp: seconds * 1000 };
  });
}

function loggedIn(tenantId: string, host: Host, signal: AbortSignal | undefined): TokenCredential {
  return cacheTokens(host, async (scope) => {
    const tenant = tenantId === '' ? [] : ['--tenant', tenantId];
    const args = ['account', 'get-access-token', '--scope', scope, ...tenant];
    const response = await azureCli(args, host, signal);
    const seconds = Number(fieldsOf(response).get('expires_on'));
    const expires = Number.isFinite(seconds)
      ? seconds * 1000
      : Date.parse(textOf(response, 'expiresOn'));
    return { token: textOf(response, 'accessToken'), expiresOnTimestamp: expires };
  });
}

async function azureCli(
  args: readonly string[],
  { spawn }: Host,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  let execution: { readonly code: number; readonly stdout: string; readonly stderr: string };
  try {
    const options = signal === undefined ? {} : { signal };
    execution = await spawn.run('az', [...args, '--output', 'json'], options);
  } catch (error) {
    throw new Error(
      `could not configure AzureCli Authorizer: launching Azure CLI: ${userErrorText(error)}`,
      {
        cause: error,
      },
    );
  }
  if (execution.code !== 0) {
    throw new Error(`could not configure AzureCli Authorizer: ${execution.stderr.trim()}`);
  }
  try {
    return JSON.parse(execution.stdout);
  } catch (error) {
    // Other output may be a token.
    throw new Error('could not configure AzureCli Authorizer: what it says is not JSON', {
      cause: error,
    });
  }
}

/** Caches tokens until five minutes before they expire. */
function cacheTokens(
  { clock }: Host,
  ask: (scope: string) => Promise<{ token: string; expiresOnTimestamp: number }>,
): TokenCredential {
  const known = new Map<string, { token: string; expiresOnTimestamp: number }>();
  return {
    async getToken(scopes) {
      const scope = typeof scopes === 'string' ? scopes : scopes.join(' ');
      const cachedToken = known.get(scope);
      if (
        cachedToken !== undefined &&
        cachedToken.expiresOnTimestamp - 300_000 > clock.now().getTime()
      ) {
        return cachedToken;
      }
      const token = await ask(scope);
      known.set(scope, token);
      return token;
    },
  };
}

function resourceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '');
}

async function json(
  { http }: Host,
  url: URL,
  request: { readonly method?: string; readonly headers: Readonly<Record<string, string>> },
  subject: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const problem = (reason: string, cause?: unknown): Error =>
    new Error(`${subject} could not be had from ${url.origin}: ${reason}`, { cause });
  let status: number;
  let text: string;
  try {
    const answer = await http.request(url.href, {
      ...request,
      ...(signal !== undefined && { signal }),
    });
    status = answer.status;
    text = await bodyText(answer, 1024 * 1024);
  } catch (error) {
    signal?.throwIfAborted();
    throw problem(userErrorText(error), error);
  }
  if (status !== 200) throw problem(`it answered with the status ${status}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problem('its answer is not JSON', error);
  }
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

function textOf(value: unknown, name: string): string {
  const text = fieldsOf(value).get(name);
  return typeof text === 'string' ? text : '';
}
