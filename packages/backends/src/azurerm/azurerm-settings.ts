import { createHash } from 'node:crypto';
import type { Value } from '@terrane/cty';
import type { Environment } from '@terrane/host';
import { BackendArguments } from '../backend-arguments.ts';

/** Settings of the `azurerm` backend from the configuration and the environment. */
export interface AzurermSettings {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  readonly account: string;
  readonly container: string;
  readonly key: string;
  readonly looksUpEndpoint: boolean;
  readonly snapshots: boolean;
  readonly environment: string;
  readonly metadataHost: string;
  readonly accessKey: string;
  readonly sasToken: string;
  readonly usesDirectory: boolean;
  readonly identity: AzureIdentitySettings;
  readonly encryption: BlobEncryption;
  /** the most that a request may take */
  readonly timeoutMs: number;
}

/** Blob encryption: service-managed keys alone, an encryption scope, or a customer-provided key. */
export interface BlobEncryption {
  readonly encryptionScope?: string;
  readonly customerProvidedKey?: {
    readonly encryptionKey: string;
    readonly encryptionKeySha256: string;
    readonly encryptionAlgorithm: 'AES256';
  };
}

/** The identity for requests and its credentials. Empty strings represent absent settings. */
export interface AzureIdentitySettings {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientIdFile: string;
  readonly certificate: string;
  readonly certificateFile: string;
  readonly certificatePassword: string;
  readonly secret: string;
  readonly secretFile: string;
  readonly usesOidc: boolean;
  readonly pipelineConnection: string;
  readonly oidcRequestToken: string;
  readonly oidcRequestUrl: string;
  readonly oidcToken: string;
  readonly oidcTokenFile: string;
  readonly usesManagedIdentity: boolean;
  readonly managedIdentityEndpoint: string;
  readonly usesCli: boolean;
  readonly usesWorkloadIdentity: boolean;
  /** variables of a Kubernetes workload identity: `AZURE_FEDERATED_TOKEN_FILE`, `AZURE_CLIENT_ID`, `AZURE_TENANT_ID` */
  readonly workload: {
    readonly tokenFile: string;
    readonly clientId: string;
    readonly tenantId: string;
  };
}

/** The required arguments. */
export const REQUIRED: readonly string[] = ['storage_account_name', 'container_name', 'key'];

/** Decodes a configuration. Throws an error with Terraform's message if it is invalid. */
export function azurermSettings(config: Value, environment: Environment): AzurermSettings {
  const args = new BackendArguments(config, environment);
  const text: ReadText = (name, ...variables) => {
    const argument = args.text(name);
    if (argument !== undefined) return argument;
    return variables.map((variable) => args.variable(variable)).find(Boolean) ?? '';
  };
  const truth: ReadTruth = (name, variable, otherwise) => {
    try {
      return args.truth(name, variable, otherwise);
    } catch (error) {
      throw new Error(`error setting default for ${JSON.stringify(name)}: a bool is required`, {
        cause: error,
      });
    }
  };
  const settings: AzurermSettings = {
    subscriptionId: text('subscription_id', 'ARM_SUBSCRIPTION_ID'),
    resourceGroup: text('resource_group_name'),
    account: text('storage_account_name'),
    container: text('container_name'),
    key: text('key'),
    looksUpEndpoint: truth('lookup_blob_endpoint', 'ARM_USE_DNS_ZONE_ENDPOINT', false),
    snapshots: truth('snapshot', 'ARM_SNAPSHOT', false),
    environment: text('environment', 'ARM_ENVIRONMENT') || 'public',
    metadataHost: text('metadata_host', 'ARM_METADATA_HOSTNAME', 'ARM_METADATA_HOST'),
    accessKey: text('access_key', 'ARM_ACCESS_KEY'),
    sasToken: text('sas_token', 'ARM_SAS_TOKEN'),
    usesDirectory: truth('use_azuread_auth', 'ARM_USE_AZUREAD', false),
    encryption: encryptionOf(
      text('encryption_scope', 'ARM_ENCRYPTION_SCOPE', 'ARM_ENCYRPTION_SCOPE'),
      text('customer_provided_key', 'ARM_CUSTOMER_PROVIDED_KEY'),
    ),
    timeoutMs: 1000 * timeoutOf(args),
    identity: identityOf(text, truth, args),
  };
  checkAccess(settings);
  return settings;
}

type ReadText = (name: string, ...variables: readonly string[]) => string;
type ReadTruth = (name: string, variable: string, otherwise: boolean) => boolean;

function identityOf(
  text: ReadText,
  truth: ReadTruth,
  args: BackendArguments,
): AzurermSettings['identity'] {
  return {
    tenantId: text('tenant_id', 'ARM_TENANT_ID'),
    clientId: text('client_id', 'ARM_CLIENT_ID').trim(),
    clientIdFile: text('client_id_file_path', 'ARM_CLIENT_ID_FILE_PATH'),
    certificate: text('client_certificate', 'ARM_CLIENT_CERTIFICATE'),
    certificateFile: text('client_certificate_path', 'ARM_CLIENT_CERTIFICATE_PATH'),
    certificatePassword: text('client_certificate_password', 'ARM_CLIENT_CERTIFICATE_PASSWORD'),
    secret: text('client_secret', 'ARM_CLIENT_SECRET').trim(),
    secretFile: text('client_secret_file_path', 'ARM_CLIENT_SECRET_FILE_PATH'),
    usesOidc: truth('use_oidc', 'ARM_USE_OIDC', false),
    pipelineConnection:
      text('ado_service_connection_id') ||
      text(
        'ado_pipeline_service_connection_id',
        'ARM_ADO_PIPELINE_SERVICE_CONNECTION_ID',
        'ARM_OIDC_AZURE_SERVICE_CONNECTION_ID',
        'AZURESUBSCRIPTION_SERVICE_CONNECTION_ID',
      ),
    oidcRequestToken: text(
      'oidc_request_token',
      'ARM_OIDC_REQUEST_TOKEN',
      'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
      'SYSTEM_ACCESSTOKEN',
    ),
    oidcRequestUrl: text(
      'oidc_request_url',
      'ARM_OIDC_REQUEST_URL',
      'ACTIONS_ID_TOKEN_REQUEST_URL',
      'SYSTEM_OIDCREQUESTURI',
    ),
    oidcToken: text('oidc_token', 'ARM_OIDC_TOKEN').trim(),
    oidcTokenFile: text('oidc_token_file_path', 'ARM_OIDC_TOKEN_FILE_PATH'),
    usesManagedIdentity: truth('use_msi', 'ARM_USE_MSI', false),
    managedIdentityEndpoint: text('msi_endpoint', 'ARM_MSI_ENDPOINT'),
    usesCli: truth('use_cli', 'ARM_USE_CLI', true),
    usesWorkloadIdentity: truth(
      'use_aks_workload_identity',
      'ARM_USE_AKS_WORKLOAD_IDENTITY',
      false,
    ),
    workload: {
      tokenFile: args.variable('AZURE_FEDERATED_TOKEN_FILE') ?? '',
      clientId: args.variable('AZURE_CLIENT_ID') ?? '',
      tenantId: args.variable('AZURE_TENANT_ID') ?? '',
    },
  };
}

const TIMEOUT_SECONDS = 300;

function timeoutOf(args: BackendArguments): number {
  const seconds = args.wholeNumber('timeout_seconds', 'ARM_TIMEOUT_SECONDS', TIMEOUT_SECONDS);
  if (seconds < 1) throw new Error('timeout_seconds has to be one second or more');
  return seconds;
}

function encryptionOf(scope: string, key: string): BlobEncryption {
  if (scope !== '' && key !== '') {
    throw new Error('"customer_provided_key": conflicts with encryption_scope');
  }
  if (scope !== '') return { encryptionScope: scope };
  if (key === '') return {};
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(key) || key.length % 4 !== 0)
    throw new Error('customer_provided_key has to be a key in base64');
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) {
    throw new Error(
      `customer_provided_key has to be 32 bytes (AES-256) in base64, and is ${bytes.length} bytes`,
    );
  }
  const encryptionKeySha256 = createHash('sha256').update(bytes).digest('base64');
  return {
    customerProvidedKey: { encryptionKey: key, encryptionKeySha256, encryptionAlgorithm: 'AES256' },
  };
}

function checkAccess(settings: AzurermSettings): void {
  const { accessKey, sasToken, usesDirectory, resourceGroup, looksUpEndpoint } = settings;
  if (resourceGroup !== '') return;
  if (accessKey === '' && sasToken === '' && !usesDirectory) {
    throw new Error(
      'One of `access_key`, `sas_token`, `use_azuread_auth` and `resource_group_name` must be specified',
    );
  }
  if (looksUpEndpoint) {
    throw new Error('`resource_group_name` is required when `lookup_blob_endpoint` is set');
  }
}
