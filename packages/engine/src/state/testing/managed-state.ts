// States of machines in memory, and the processes that work on them.
import {
  AbsResource,
  type InstanceAddr,
  ProviderConfigAddr,
  ResourceAddr,
  ROOT_INSTANCE,
} from '@terrane/addresses';
import type { Storage } from '@terrane/host';
import {
  memoryHost,
  type MemoryHost,
  type MemoryHostOptions,
  type Survival,
} from '@terrane/testkit';
import type { StateEvent } from '../event.ts';
import { createStateManager, type StateManager } from '../manager.ts';
import type { StateFile, StoredObject } from '../model.ts';
import type { StateRecorder } from '../recorder.ts';
import type { WritableState } from '../state-session.ts';

// oxlint-disable-next-line no-non-null-assertion -- the text is such an address
const PROVIDER = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/null"]')!;
const RESOURCE = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'null_resource', 'x'));
/** The path of the statefile. */
export const PATH: string = '/project/terraform.tfstate';
/** The path of its journal. */
export const JOURNAL: string = '/project/.terraform.tfstate.journal';

/** The address of the n-th instance. */
export function address(index: number): InstanceAddr {
  return RESOURCE.instance(index);
}

/** An object with an id. */
export function object(id: string, more?: Partial<StoredObject>): StoredObject {
  return {
    status: 'ready',
    schemaVersion: 0,
    attributesJson: `{"id":"${id}"}`,
    sensitivePaths: [],
    dependencies: [],
    createBeforeDestroy: false,
    provider: PROVIDER,
    ...more,
  };
}

/** Returns an event that stores an object. */
export function put(index: number, id = `id-${index}`): StateEvent {
  return { kind: 'put', addr: address(index), object: object(id) };
}

/** An object about to be changed. */
export function intent(index: number, action = 'create'): StateEvent {
  return { kind: 'intent', step: index, action, addr: address(index) };
}

/** Returns a storage that is backed by a file and takes no locks. */
export function fileStorage(host: MemoryHost): Storage {
  return {
    read: async () =>
      (await host.files.stat(PATH)) === undefined ? undefined : await host.files.readFile(PATH),
    write: (data, beforeCommit) =>
      host.files.replaceFile(PATH, data, {
        mode: 0o600,
        ...(beforeCommit === undefined ? {} : { beforeCommit }),
      }),
  };
}

/** Returns a state manager for the state file of the host. */
export function managerOf(
  host: MemoryHost,
  storage: Storage = fileStorage(host),
  smallJournal?: number,
): StateManager {
  return createStateManager({
    storage,
    host,
    journalPath: JOURNAL,
    backupPath: `${PATH}.backup`,
    erroredPath: '/project/errored.tfstate',
    smallJournal,
  });
}

/** Returns the ids of the objects in a state, by address. */
export function ids(file: StateFile | undefined): Record<string, string> {
  const idsByAddress: Record<string, string> = {};
  for (const addr of file?.state.instances() ?? []) {
    const json = file?.state.instance(addr)?.current?.attributesJson ?? '{"id":"none"}';
    idsByAddress[addr.text] = (JSON.parse(json) as { id: string }).id;
  }
  return idsByAddress;
}

/** Reads the state in a session without a lock. */
export async function readWritable(manager: StateManager): Promise<WritableState> {
  const { state, diagnostics } = await manager.withoutLock().read();
  if (state === undefined) throw new Error(diagnostics.map(({ summary }) => summary).join('; '));
  return state;
}

/** Returns the recorder of a run that starts without errors. */
export async function begin(
  host: MemoryHost,
  manager: StateManager = managerOf(host),
): Promise<StateRecorder> {
  return await (await readWritable(manager)).begin();
}

/** A machine with a state of three objects. */
export async function withThree(options: MemoryHostOptions = {}): Promise<MemoryHost> {
  const host = memoryHost(options);
  const recorder = await begin(host);
  for (const i of [0, 1, 2]) await recorder.record(put(i));
  await recorder.finish();
  return host;
}

let lastPid = 1000;

/** Returns the host of a later process on the same machine, after the first has ended. */
export function nextProcess(host: MemoryHost, survival: Survival = 'everything'): MemoryHost {
  return memoryHost({ disk: host.files.disk.survive(survival), pid: ++lastPid, seed: 7 });
}
