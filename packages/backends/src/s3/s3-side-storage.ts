import type { SideStorage } from '@terrane/host';
import { objectSideStorage } from '../object-side-storage.ts';
import type { S3Objects } from './s3-objects.ts';

/** Returns the storage of further data of the state at a key. */
export function s3SideStorage(objects: S3Objects, key: string): SideStorage {
  const failing = async <T>(operation: string, action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const reason = objects.missingBucket(operation, error) ?? objects.failure(operation, error);
      throw new Error(reason, { cause: error });
    }
  };
  return objectSideStorage(
    {
      get: (key) => failing('GetObject', async () => (await objects.get(key))?.bytes),
      put: (key, content) =>
        failing('PutObject', () => objects.put(key, content, undefined, 'side')),
      delete: (key) => failing('DeleteObject', () => objects.delete(key)),
    },
    key,
  );
}
