import { userErrorText } from '@terrane/host';
import type { LockPlace } from '../lock-place.ts';
import { lockText, parseLock } from '../lock-text.ts';
import { TableRefusal, type RowCondition, type TableStore } from './table-store.ts';

/** Rows of a table: the lock of a state, and the checksum of its stored content. */
export interface OssLockTable {
  readonly lock: LockPlace;
  /** MD5 of the state that was stored last, as hexadecimal digits; `undefined` where it is not known */
  digest(): Promise<string | undefined>;
  setDigest(digest: string): Promise<void>;
  removeDigest(): Promise<void>;
}

const DIGEST = /^[0-9a-f]{32}$/i;

/** The rows of one state. */
export function ossLockTable(table: TableStore, path: string): OssLockTable {
  const digestId = `${path}-md5`;
  const described = (doing: string, error: unknown): Error =>
    new Error(`${doing} got an error: ${userErrorText(error)}`, { cause: error });
  const lock: LockPlace = {
    async read() {
      let text: string | undefined;
      try {
        text = await table.read(path, 'Info');
      } catch (error) {
        throw described('getting lock info', error);
      }
      return text === undefined ? undefined : { info: parseLock(text).info, version: text };
    },
    async put(info, instead) {
      const text = lockText(info);
      const condition: RowCondition =
        instead === undefined ? 'absent' : { column: 'Info', equals: instead };
      try {
        await table.put(path, { Info: text }, condition);
        return { version: text };
      } catch (error) {
        const problem = described('invoking PutRow', error);
        if (error instanceof TableRefusal && error.isCondition) return { refused: problem.message };
        throw problem;
      }
    },
    async remove(version) {
      try {
        await table.delete(
          path,
          version === undefined ? 'any' : { column: 'Info', equals: version },
        );
        return true;
      } catch (error) {
        if (error instanceof TableRefusal && error.isCondition) return false;
        throw described('invoking DeleteRow', error);
      }
    },
    unlockProblem: (problem, id, other) =>
      problem === 'gone'
        ? `failed to retrieve lock info: there is no row ${JSON.stringify(path)} in the table ${table.name}, so the lock is not held`
        : `lock id ${JSON.stringify(id)} does not match existing lock (${JSON.stringify(other)})`,
  };
  return {
    lock,
    async digest() {
      const text = await table.read(digestId, 'Digest');
      return text !== undefined && DIGEST.test(text) ? text.toLowerCase() : undefined;
    },
    setDigest: (digest) => table.put(digestId, { Digest: digest }, 'any'),
    removeDigest: () => table.delete(digestId, 'any'),
  };
}
