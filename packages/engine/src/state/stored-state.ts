import { createHash } from 'node:crypto';
import type { Storage } from '@terrane/host';
import type { SnapshotName } from './journal-record.ts';
import type { StateFile } from './model.ts';
import type { StateCodec } from './state-codec.ts';
import { writeStateFile } from './statefile-write.ts';

/** Returns the hexadecimal SHA-256 of stored bytes, which names a snapshot; `undefined` if nothing is stored. */
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
 * Encodes and stores a snapshot. `announce` receives its name after the encoding and before the new content is visible;
 * it should not return before the name is durable. The name is the digest of the encoded content.
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
