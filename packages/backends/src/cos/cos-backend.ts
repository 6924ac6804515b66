import type { Value } from '@terrane/cty';
import { userErrorText } from '@terrane/host';
import type { Backend, BackendKind, BackendPorts } from '../backend.ts';
import { cleanPath } from '../clean-path.ts';
import { ObjectRefusal } from '../object-request.ts';
import { isSideObject, objectSideStorage } from '../object-side-storage.ts';
import { CosObjects } from './cos-objects.ts';
import { COS_SCHEMA } from './cos-schema.ts';
import { cosProblems, cosSettings } from './cos-settings.ts';
import { cosStorage } from './cos-storage.ts';
import { lockTag } from './lock-tag.ts';
import { tencentSignIn } from './tencent-sign-in.ts';

const DEFAULT = 'default';

/** Stores states in a bucket of Tencent Cloud's COS, as Terraform's `cos` backend. */
export const COS: BackendKind = {
  type: 'cos',
  schema: COS_SCHEMA,
  asked: (environment) => [
    'bucket',
    ...((environment.get('TENCENTCLOUD_REGION') ?? '') === '' ? ['region'] : []),
  ],
  check: (config, { host }) => cosProblems(config, host.environment),
  open: openCos,
};

async function openCos(config: Value, ports: BackendPorts): Promise<Backend> {
  const settings = cosSettings(config, ports.host.environment);
  const { bucket, prefix, key } = settings;
  const keys = await tencentSignIn(settings, ports);
  const objects = new CosObjects(settings, keys, ports);
  const keyOf = (workspace: string): string =>
    workspace === DEFAULT ? cleanPath(prefix, key) : cleanPath(prefix, workspace, key);
  return {
    workspaces: {
      async names() {
        const under = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`;
        const names: string[] = [];
        try {
          for await (const objectKey of objects.keys(under)) {
            if (isSideObject(keyOf(DEFAULT), objectKey)) continue;
            const rest = objectKey.slice(under.length);
            const slash = rest.indexOf('/');
            if (slash > 0 && rest.slice(slash + 1) === key) names.push(rest.slice(0, slash));
          }
        } catch (error) {
          if (error instanceof ObjectRefusal && error.status === 404) {
            throw new Error(`bucket ${bucket} not exists`, { cause: error });
          }
          throw error;
        }
        return [DEFAULT, ...names.sort()];
      },
      async delete(name) {
        if (name === DEFAULT || name === '') {
          throw new Error('default state is not allowed to be deleted');
        }
        const state = keyOf(name);
        await objects.delete(state).catch((error: unknown) => {
          throw new Error(`failed to delete file ${state}: ${userErrorText(error)}`, {
            cause: error,
          });
        });
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
    storage(workspace) {
      const state = keyOf(workspace);
      const lockKey = `${state}.tflock`;
      const tag = lockTag(settings, lockKey, keys, ports);
      return Promise.resolve(
        cosStorage({ objects, key: state, lockKey, tag, clock: ports.host.clock }),
      );
    },
  };
}
