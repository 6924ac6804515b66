import type { Value } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts, BackendProblem } from '../backend.ts';
import { objectSideStorage } from '../object-side-storage.ts';
import { azureContainer } from './azure-access.ts';
import { namedEnvironment } from './azure-environment.ts';
import { azureError, errorCode } from './azure-error.ts';
import { AZURERM_SCHEMA } from './azurerm-schema.ts';
import { azurermSettings, REQUIRED, type AzurermSettings } from './azurerm-settings.ts';
import { blobStorage } from './blob-storage.ts';
import { sideBlobs } from './side-blobs.ts';
import type { ContainerClient } from './libraries/azure-blob.ts';

const WORKSPACE = 'env:';
const DEFAULT = 'default';

/** Stores states in blobs of Azure Storage, as Terraform's `azurerm` backend. */
export const AZURERM: BackendKind = {
  type: 'azurerm',
  schema: AZURERM_SCHEMA,
  additional: [
    'ado_service_connection_id',
    'timeout_seconds',
    'encryption_scope',
    'customer_provided_key',
  ],
  asked: () => ['storage_account_name', 'container_name', 'key'],
  check(config, { host }) {
    const problems: BackendProblem[] = REQUIRED.filter((name) => config.attr(name).isNull).map(
      (name) => ({
        severity: 'error',
        summary: `${JSON.stringify(name)}: required field is not set`,
        detail: '',
        argument: [name],
      }),
    );
    if (!config.attr('endpoint').isNull) {
      problems.push({
        severity: 'warning',
        summary:
          '"endpoint": [DEPRECATED] `endpoint` is deprecated in favor of `msi_endpoint`, it will be removed in a future version of Terraform',
        detail: '',
        argument: ['endpoint'],
      });
    }
    if (problems.some(({ severity }) => severity === 'error')) return problems;
    try {
      const { environment, metadataHost } = azurermSettings(config, host.environment);
      if (metadataHost === '' && namedEnvironment(environment) === undefined) {
        throw new Error(`no environment was found with the name ${JSON.stringify(environment)}`);
      }
    } catch (error) {
      problems.push({ severity: 'error', summary: userErrorText(error), detail: '' });
    }
    return problems;
  },
  open: openAzurerm,
};

async function openAzurerm(config: Value, ports: BackendPorts): Promise<Backend> {
  const settings = azurermSettings(config, ports.host.environment);
  const container = await azureContainer(settings, ports);
  const { signal } = ports;
  const abort = signal === undefined ? {} : { abortSignal: signal };
  const keyOf = (workspace: string): string =>
    workspace === DEFAULT ? settings.key : `${settings.key}${WORKSPACE}${workspace}`;
  return {
    workspaces: {
      names: () => workspaceNames(container, settings, signal),
      async delete(name) {
        if (name === DEFAULT || name === '') throw new Error("can't delete default state");
        const key = keyOf(name);
        try {
          await container.getBlockBlobClient(key).delete({ ...abort, deleteSnapshots: 'include' });
        } catch (error) {
          if (errorCode(error) === 'BlobNotFound') return;
          throw azureError(`deleting the blob ${JSON.stringify(key)}`, error, signal);
        }
      },
    },
    sideStorage: (workspace) =>
      Promise.resolve(
        objectSideStorage(sideBlobs(container, settings.encryption, signal), keyOf(workspace)),
      ),
    storage(workspace) {
      const key = keyOf(workspace);
      return Promise.resolve(
        blobStorage({
          blob: container.getBlockBlobClient(key),
          account: settings.account,
          container: settings.container,
          key,
          snapshots: settings.snapshots,
          encryption: settings.encryption,
          signal,
        }),
      );
    },
  };
}

async function workspaceNames(
  container: ContainerClient,
  { key }: AzurermSettings,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const prefix = `${key}${WORKSPACE}`;
  const names: string[] = [];
  const abort = signal === undefined ? {} : { abortSignal: signal };
  try {
    for await (const { name } of container.listBlobsFlat({ ...abort, prefix })) {
      const workspace = name.slice(prefix.length);
      if (name.startsWith(prefix) && workspace !== '' && !workspace.includes('/')) {
        names.push(workspace);
      }
    }
  } catch (error) {
    throw azureError('listing blobs', error, signal);
  }
  return [DEFAULT, ...names.sort()];
}
