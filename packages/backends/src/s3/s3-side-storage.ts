import type { SideStorage } from '@terrane/host';
import type { S3Objects } from './s3-objects.ts';

/** Returns the storage of further data of the state at a key: objects below `KEY.history/`. */
export function s3SideStorage(objects: S3Objects, key: string): SideStorage {
  const keyOf = (name: string): string => `${key}.history/${name}`;
  const failing = async <T>(operation: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const reason = objects.missingBucket(operation, error) ?? objects.failure(operation, error);
      throw new Error(reason, { cause: error });
    }
  };
  return {
    read: (name) => failing('GetObject', async () => (await objects.get(keyOf(name)))?.bytes),
    async write(name, content) {
      await failing('PutObject', () => objects.put(keyOf(name), content, undefined, 'side'));
    },
    async remove(name) {
      await failing('DeleteObject', () => objects.delete(keyOf(name)));
    },
  };
}
