import { STRING } from '@terrane/cty';
import type { BackendKind } from '../backend.ts';
import { MemoryStates } from './memory-storage.ts';

/** All states of this process. */
const STATES = new MemoryStates();

/** In-memory states, for tests of code that uses backends. */
export const INMEM: BackendKind = {
  type: 'inmem',
  schema: {
    attributes: {
      lock_id: {
        type: STRING,
        optional: true,
        description: 'initializes the state in a locked configuration',
      },
    },
    blocks: {},
  },
  check: () => [],
  open(config, { host }) {
    const lockId = config.attr('lock_id');
    if (!lockId.isNull) STATES.lock('default', lockId.asString(), host.clock.now());
    return Promise.resolve({
      workspaces: {
        names: () => Promise.resolve(STATES.names()),
        delete(name: string): Promise<void> {
          STATES.delete(name);
          return Promise.resolve();
        },
      },
      storage: (workspace: string) => Promise.resolve(STATES.storage(workspace)),
      sideStorage: (workspace: string) => Promise.resolve(STATES.sideStorage(workspace)),
    });
  },
};
