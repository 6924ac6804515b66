import { createHash } from 'node:crypto';
import type { Storage } from '@terrane/host';
import type { SnapshotName } from './journal-record.ts';
import type { StateFile } from './model.ts';
import type { StateCodec } from './state-codec.ts';
import { writeStateFile } from './statefile-write.ts';

/** Hexadecimal SHA-256 of stored bytes, which names a snapshot; `undefined` when nothing is stored. */
export function digestOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  return createHash('sha256').update(bytes).digest('hex');
}

/** The snapshot that a write has stored. */
export interface Written {
  readonly name: SnapshotName;
  readonly bytes: number;
}

/**
 * Stores a snapshot, in the way the codec says. `announce` is told its name when all of it is ready and
 * before any of it can be seen; it should not return before that is durable. The name is that of what is
 * encoded, not of what is stored.
 */
export async function storeSnapshot(
  storage: Storage,
  file: StateFile,
  announce?: (name: SnapshotName) => Promise<void>,
  codec?: StateCodec,
  options: { readonly force?: boolean } = {},
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  let name: SnapshotName | undefined;
  const finish = (): SnapshotName => {
    name ??= { lineage: file.lineage, serial: file.serial, digest: hash.digest('hex') };
    return name;
  };
  function* chunks(): Iterable<Uint8Array> {
    for (const chunk of writeStateFile(file)) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await storage.write(
    codec === undefined ? chunks() : await codec.encode(chunks(), file),
    announce === undefined ? undefined : async () => await announce(finish()),
    options,
  );
  return { name: finish(), bytes };
}
