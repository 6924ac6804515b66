import { type LockInfo, type Storage, userErrorText } from '@terrane/host';
import type { Backend, BackendKind } from '../backend.ts';
import { BackendArguments } from '../backend-arguments.ts';
import { objectSideStorage } from '../object-side-storage.ts';
import { ConsulClient } from './consul-client.ts';
import { ConsulLock } from './consul-lock.ts';
import { CONSUL_SCHEMA, consulSettings, requiredPath } from './consul-settings.ts';
import { ConsulState } from './consul-storage.ts';

/** States in Consul's keys, locked by sessions. */
export const CONSUL: BackendKind = {
  type: 'consul',
  schema: CONSUL_SCHEMA,
  asked: () => ['path'],
  check(config, { host }) {
    try {
      requiredPath(new BackendArguments(config, host.environment));
      return [];
    } catch (error) {
      return [{ severity: 'error', summary: userErrorText(error), detail: '' }];
    }
  },
  async open(config, { host, userAgent, signal }): Promise<Backend> {
    const settings = await consulSettings(config, host);
    const client = new ConsulClient(settings, host.http, userAgent, signal);
    // Consul keys do not start with a slash.
    const base = settings.path.replace(/^\//, '');
    const prefix = `${base}-env:`;
    const pathOf = (name: string): string => (name === 'default' ? base : `${prefix}${name}`);
    const stateOf = (name: string): { readonly state: ConsulState; readonly lock: ConsulLock } => {
      const lock = new ConsulLock(client, host.clock, pathOf(name));
      return { lock, state: new ConsulState(client, pathOf(name), settings.compresses, lock) };
    };
    return {
      workspaces: {
        async names() {
          const keys = await client.keys(prefix);
          const names = keys
            .filter((key) => key.startsWith(prefix))
            .map((key) => key.slice(prefix.length))
            .filter((name) => !name.includes('/'));
          return ['default', ...[...new Set(names)].sort()];
        },
        async delete(name) {
          if (name === 'default' || name === '') throw new Error("can't delete default state");
          await stateOf(name).state.delete();
        },
      },
      sideStorage(name) {
        // Large values are split as states are; without a lock, writes have no condition.
        const valueAt = (key: string): ConsulState =>
          new ConsulState(client, key, false, new ConsulLock(client, host.clock, key));
        return Promise.resolve(
          objectSideStorage(
            {
              get: (key) => valueAt(key).read(),
              put: (key, content) => valueAt(key).write([content]),
              delete: (key) => valueAt(key).delete(),
            },
            pathOf(name),
          ),
        );
      },
      storage(name): Promise<Storage> {
        const { state, lock } = stateOf(name);
        return Promise.resolve({
          read: () => state.read(),
          write: (data, beforeCommit) => state.write(data, beforeCommit),
          ...(settings.locks && {
            lock: (info: LockInfo) => lock.lock(info, pathOf(name)),
            unlock: (id: string) => lock.unlock(id),
            renew: () => lock.renew(),
            confirmLock: () => lock.confirm(),
            lockHolder: () => lock.holder(),
          }),
        });
      },
    };
  },
};
