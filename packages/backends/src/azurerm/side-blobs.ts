import { buffer } from 'node:stream/consumers';
import type { SideObjects } from '../object-side-storage.ts';
import { azureError, errorCode } from './azure-error.ts';
import type { BlobEncryption } from './azurerm-settings.ts';
import type { ContainerClient } from './libraries/azure-blob.ts';

/** Returns the blobs of a container, with the encryption of the state. */
export function sideBlobs(
  container: ContainerClient,
  encryption: BlobEncryption,
  signal: AbortSignal | undefined,
): SideObjects {
  const abort = signal === undefined ? {} : { abortSignal: signal };
  const { customerProvidedKey } = encryption;
  const customerKey = customerProvidedKey === undefined ? {} : { customerProvidedKey };
  /** undefined if the blob does not exist */
  const attempt = async <T>(
    verb: string,
    key: string,
    action: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await action();
    } catch (error) {
      if (errorCode(error) === 'BlobNotFound') return undefined;
      throw azureError(`${verb} the blob ${JSON.stringify(key)}`, error, signal);
    }
  };
  return {
    get: (key) =>
      attempt('reading', key, async () => {
        const blob = container.getBlockBlobClient(key);
        const { readableStreamBody: body } = await blob.download(0, undefined, {
          ...abort,
          ...customerKey,
          maxRetryRequests: 3,
        });
        return body === undefined ? new Uint8Array() : await buffer(body);
      }),
    put: (key, content) =>
      attempt('writing', key, () =>
        container
          .getBlockBlobClient(key)
          .upload(Buffer.from(content), content.length, { ...abort, ...encryption }),
      ),
    async delete(key) {
      await attempt('deleting', key, () => container.getBlockBlobClient(key).delete(abort));
    },
  };
}
