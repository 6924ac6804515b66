import type { Value } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts } from '../backend.ts';
import { objectSideStorage } from '../object-side-storage.ts';
import { GcsObjects, GcsRefusal, reasonOf } from './gcs-objects.ts';
import { GCS_SCHEMA } from './gcs-schema.ts';
import { gcsSettings, suppliedKey } from './gcs-settings.ts';
import { gcsStorage } from './gcs-storage.ts';
import { googleIdentity } from './google-identity.ts';

const DEFAULT = 'default';
const STATE = '.tfstate';
const BINARY = 'application/octet-stream';

/** Stores states in a bucket of Google Cloud Storage, as Terraform's `gcs` backend. */
export const GCS: BackendKind = {
  type: 'gcs',
  schema: GCS_SCHEMA,
  additional: ['universe_domain'],
  asked: () => ['bucket'],
  check(config, { host }) {
    try {
      gcsSettings(config, host.environment);
      return [];
    } catch (error) {
      return [{ severity: 'error', summary: userErrorText(error), detail: '' }];
    }
  },
  open: openGcs,
};

async function openGcs(config: Value, ports: BackendPorts): Promise<Backend> {
  const { host, signal } = ports;
  const settings = gcsSettings(config, host.environment);
  const key = await suppliedKey(settings, host.files, host.environment);
  const identity = await googleIdentity(settings, ports);
  const objects = new GcsObjects(settings, key, identity, ports);
  const pathOf = (workspace: string): string => `${settings.prefix}${workspace}`;
  const withFailure = async <T>(
    verb: string,
    path: string,
    action: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const reason = reasonOf(error, signal);
      throw new Error(`Failed to ${verb} ${objects.url(path)}: ${reason}`, { cause: error });
    }
  };
  return {
    workspaces: {
      defaultIsMade: true,
      names: () => workspaceNames(objects, settings.prefix, signal),
      async delete(name) {
        if (name === DEFAULT) throw new Error('cowardly refusing to delete the "default" state');
        const path = `${pathOf(name)}${STATE}`;
        await withFailure('delete state file', path, () => deleteIfPresent(objects, path));
      },
    },
    storage: (workspace) => Promise.resolve(gcsStorage(objects, pathOf(workspace), signal)),
    sideStorage: (workspace) =>
      Promise.resolve(
        objectSideStorage(
          {
            get: (path) =>
              withFailure('read', path, async () => (await objects.read(path, true))?.content),
            put: (path, content) =>
              withFailure('write', path, () =>
                objects.write(path, content, undefined, { encrypted: true, type: BINARY }),
              ),
            delete: (path) => withFailure('delete', path, () => deleteIfPresent(objects, path)),
          },
          pathOf(workspace),
        ),
      ),
  };
}

async function workspaceNames(
  objects: GcsObjects,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const objectName of objects.list(prefix)) {
      const file = objectName.slice(prefix.length);
      if (!file.endsWith(STATE)) continue;
      const workspace = file.slice(0, -STATE.length);
      if (workspace !== DEFAULT && workspace !== '') names.push(workspace);
    }
  } catch (error) {
    const reason = reasonOf(error, signal);
    throw new Error(`querying Cloud Storage failed: ${reason}`, { cause: error });
  }
  return [DEFAULT, ...names.sort()];
}

async function deleteIfPresent(objects: GcsObjects, path: string): Promise<void> {
  try {
    await objects.delete(path);
  } catch (error) {
    if (!(error instanceof GcsRefusal) || error.status !== 404) throw error;
  }
}
