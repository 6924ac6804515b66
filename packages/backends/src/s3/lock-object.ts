import type { LockPlace } from '../lock-place.ts';
import { lockText, parseLock } from '../lock-text.ts';
import type { S3Objects } from './s3-objects.ts';

/** The lock as an object beside the state. */
export function lockObject(objects: S3Objects, key: string): LockPlace {
  const { bucket } = objects;
  const unreadable = (error: unknown): Error => {
    const reason =
      error instanceof SyntaxError ? error.message : objects.failure('GetObject', error);
    return new Error(
      `unable to retrieve file from S3 bucket '${bucket}' with key '${key}': ${reason}`,
      { cause: error },
    );
  };
  const place: LockPlace = {
    async read() {
      try {
        const stored = await objects.get(key);
        if (stored === undefined) return undefined;
        const { info } = parseLock(new TextDecoder().decode(stored.bytes));
        return { info, version: stored.etag ?? '' };
      } catch (error) {
        throw unreadable(error);
      }
    },
    async put(info, instead) {
      try {
        const expected = instead === undefined ? 'absent' : { etag: instead };
        const outcome = await objects.put(key, lockText(info), expected, 'lock');
        if (outcome.kind === 'written') {
          // Few servers omit it.
          return { version: outcome.etag ?? (await place.read())?.version ?? '' };
        }
        const rejection = objects.failure('PutObject', outcome.error);
        if (outcome.kind === 'refused') return { refused: rejection };
        throw new Error(
          `the server does not support conditional writes, without which no lock is safe: ${rejection}`,
        );
      } catch (error) {
        const missing = objects.missingBucket('PutObject', error);
        if (missing !== undefined) throw new Error(missing, { cause: error });
        if (error instanceof Error && !('$metadata' in error)) throw error;
        throw new Error(objects.failure('PutObject', error), { cause: error });
      }
    },
    async remove(version) {
      try {
        return await objects.delete(key, version);
      } catch (error) {
        const reason = objects.failure('DeleteObject', error);
        throw new Error(`failed to delete the lock file: ${reason}`, { cause: error });
      }
    },
    unlockProblem: (problem, id, other) =>
      problem === 'gone'
        ? `unable to retrieve file from S3 bucket '${bucket}' with key '${key}': there is no such object, so the lock is not held`
        : `lock ID '${id}' does not match the existing lock ID '${other}'`,
  };
  return place;
}
