import { type SideStorage, sideNameSegments } from '@terrane/host';

/** The object operations that side storage needs. Rejections are errors for users. */
export interface SideObjects {
  /** Reads an object; undefined if it does not exist. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Creates or replaces an object, without a condition. */
  put(key: string, content: Uint8Array): Promise<unknown>;
  /** Deletes an object; no error if it does not exist. */
  delete(key: string): Promise<unknown>;
}

/**
 * Returns true for an object of the side storage of a state. A listing of workspaces must leave it out: with the key
 * "index", its object `index.history/index` looks like the state of a workspace "index.history".
 */
export function isSideObject(stateKey: string, objectKey: string): boolean {
  return objectKey.startsWith(`${stateKey}.history/`);
}

/** Returns the storage of further data of the state at a key: objects below `KEY.history/`. */
export function objectSideStorage(objects: SideObjects, stateKey: string): SideStorage {
  const keyOf = (name: string): string => `${stateKey}.history/${sideNameSegments(name).join('/')}`;
  return {
    read: async (name) => await objects.get(keyOf(name)),
    async write(name, content) {
      await objects.put(keyOf(name), content);
    },
    async remove(name) {
      await objects.delete(keyOf(name));
    },
  };
}
