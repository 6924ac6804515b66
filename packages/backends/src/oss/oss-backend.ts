import type { Value } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts } from '../backend.ts';
import { cleanPath } from '../clean-path.ts';
import { fieldsOf, textIn } from '../json-fields.ts';
import { isSideObject, objectSideStorage } from '../object-side-storage.ts';
import { aliyunRpc } from './aliyun-rpc.ts';
import { aliyunSignIn, type AliyunSignIn } from './aliyun-sign-in.ts';
import { ossLockTable } from './oss-lock-table.ts';
import { OssObjects } from './oss-objects.ts';
import { OSS_SCHEMA } from './oss-schema.ts';
import { ossProblems, ossSettings, type OssSettings } from './oss-settings.ts';
import { ossStorage } from './oss-storage.ts';
import { TableStore } from './table-store.ts';

const DEFAULT = 'default';
const LOCATION = 'https://location-readonly.aliyuncs.com';
const LOCATION_MS = 10_000;

/** Stores states in a bucket of Alibaba Cloud's OSS, as Terraform's `oss` backend. */
export const OSS: BackendKind = {
  type: 'oss',
  schema: OSS_SCHEMA,
  additional: ['tablestore_instance_name'],
  asked: () => ['bucket'],
  check: (config, { host }) => ossProblems(config, host.environment),
  open: openOss,
};

async function openOss(config: Value, ports: BackendPorts): Promise<Backend> {
  const settings = ossSettings(config, ports.host.environment);
  const { bucket, prefix, key, table: place } = settings;
  const signIn = await aliyunSignIn(settings, ports);
  const endpoint = await endpointOf(settings, signIn, ports);
  const objects = new OssObjects({ ...settings, endpoint }, signIn, ports);
  const table = place.name === '' ? undefined : new TableStore(place, signIn, ports);
  const keyOf = (workspace: string): string =>
    workspace === DEFAULT ? cleanPath(prefix, key) : cleanPath(prefix, workspace, key);
  const tableOf = (path: string) => (table === undefined ? undefined : ossLockTable(table, path));
  let described: Promise<void> | undefined;
  return {
    ...(settings.endpoint === '' ? { place: endpoint } : {}),
    workspaces: {
      names: () => workspaceNames(objects, prefix, key),
      async delete(name) {
        if (name === DEFAULT || name === '') throw new Error("can't delete default state");
        const state = keyOf(name);
        try {
          await objects.delete(state);
        } catch (error) {
          throw new Error(`error deleting state ${state}: ${userErrorText(error)}`, {
            cause: error,
          });
        }
        // As in Terraform, a checksum that could not be removed is not an error.
        await tableOf(`${bucket}/${state}`)
          ?.removeDigest()
          .catch(() => undefined);
      },
    },
    sideStorage: (workspace) =>
      Promise.resolve(
        objectSideStorage(
          {
            get: async (objectKey) => (await objects.get(objectKey))?.bytes,
            put: (objectKey, content) => objects.put(objectKey, content, false),
            delete: (objectKey) => objects.delete(objectKey),
          },
          keyOf(workspace),
        ),
      ),
    async storage(workspace) {
      if (table !== undefined) {
        described ??= table.describe();
        await described.catch((error: unknown) => {
          throw new Error(`error describing table store ${table.name}: ${userErrorText(error)}`, {
            cause: error,
          });
        });
      }
      const state = keyOf(workspace);
      const path = `${bucket}/${state}`;
      const { clock } = ports.host;
      return ossStorage({ objects, key: state, path, clock, table: tableOf(path) });
    },
  };
}

async function workspaceNames(
  objects: OssObjects,
  prefix: string,
  key: string,
): Promise<readonly string[]> {
  const names: string[] = [];
  const directory = prefix === '' ? '' : `${prefix}/`;
  for await (const objectKey of objects.keys(directory)) {
    if (isSideObject(cleanPath(prefix, key), objectKey)) continue;
    const path = objectKey.slice(directory.length);
    const slash = path.indexOf('/');
    if (slash > 0 && path.slice(slash + 1) === key) names.push(path.slice(0, slash));
  }
  return [DEFAULT, ...names.sort()];
}

/** Resolves the endpoint: as configured, from the location service, or from the region's name. */
async function endpointOf(
  { endpoint }: OssSettings,
  { region, keys }: AliyunSignIn,
  ports: BackendPorts,
): Promise<string> {
  if (endpoint !== '') return endpoint;
  if (region === '') {
    throw new Error(
      'The backend "oss" does not know where the bucket is: set "region" or "endpoint", or ALICLOUD_REGION or ALICLOUD_OSS_ENDPOINT in the environment.',
    );
  }
  const signedIn = await keys();
  const response = await aliyunRpc(
    ports,
    {
      origin: LOCATION,
      version: '2015-06-12',
      action: 'DescribeEndpoints',
      parameters: { Id: region, ServiceCode: 'oss', RegionId: region },
      attempts: 1,
      timeoutMs: LOCATION_MS,
    },
    signedIn,
  ).catch(() => {
    ports.signal?.throwIfAborted();
    return undefined;
  });
  const listed = fieldsOf(response?.get('Endpoints')).get('Endpoint');
  const openApi = (Array.isArray(listed) ? listed : [])
    .map((each: unknown) => fieldsOf(each))
    .find((each) => textIn(each, 'Type') === 'openAPI');
  const host = openApi === undefined ? '' : textIn(openApi, 'Endpoint');
  if (host === '') return `https://oss-${region}.aliyuncs.com`;
  return host.startsWith('http') ? host : `https://${host}`;
}
