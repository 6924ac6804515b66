import type { Diagnostic } from '@terrane/hcl';
import type { Interrupted } from './interrupted.ts';
import type { JournalPlace } from './journal-place.ts';
import type { JournalHeader } from './journal-record.ts';
import { nextStateFile } from './next-state-file.ts';
import type { RecoveredChange } from './recovered-change.ts';
import { journalFailure, recoveryDiagnostics, tryRecover } from './recovery.ts';
import type { SnapshotStore, StoredSnapshot } from './snapshot-store.ts';
import type { JournalSeal } from './state-codec.ts';
import type { StateLock } from './state-lock.ts';

/** The journal of a run that ended before it had stored its state. */
export interface DeadJournal {
  readonly path: string;
  readonly header: JournalHeader;
  /** the changes that the stored snapshot lacks, one per object in journal order; without intents */
  readonly changes: readonly RecoveredChange[];
  readonly interrupted: readonly Interrupted[];
}

/** A stored snapshot with the changes of the journal of an interrupted run. */
export interface MergedSnapshot extends StoredSnapshot {
  /** bytes and seal of the journal, up to its last complete record */
  readonly journal?: { readonly bytes: Uint8Array; readonly seal: JournalSeal | undefined };
  /** true if the journal has changes that are not stored */
  readonly hasChanges: boolean;
  readonly dead?: DeadJournal | undefined;
}

/** Result of reading a state with its journal; it has no snapshot after errors. */
export interface MergedState {
  readonly snapshot?: MergedSnapshot;
  readonly diagnostics: readonly Diagnostic[];
  /** the diagnostics of the snapshot, without those of the journal */
  readonly fileDiagnostics: readonly Diagnostic[];
}

/**
 * Reads the stored snapshot and replays the journal of an interrupted run. Rejects if the storage cannot be read.
 * Changes nothing on disk.
 */
export async function readMergedState(
  {
    store,
    journal: journalPlace,
  }: { readonly store: SnapshotStore; readonly journal: JournalPlace },
  lock: StateLock | undefined,
): Promise<MergedState> {
  const { snapshot: stored, diagnostics } = await store.read();
  if (stored === undefined) return { diagnostics, fileDiagnostics: diagnostics };
  const unmerged: MergedState = {
    snapshot: { ...stored, hasChanges: false },
    diagnostics,
    fileDiagnostics: diagnostics,
  };
  const journalBytes = await journalPlace.read();
  if (journalBytes === undefined) return unmerged;
  const { journal, seal } = await journalPlace.decode(journalBytes);
  if (journal === undefined) return unmerged;
  if ('error' in journal) {
    return { diagnostics: [journalFailure(journalPlace.path, journal.error)], fileDiagnostics: [] };
  }
  // Without the lock, the journal may belong to a run in progress.
  const isLive = lock?.isHeld !== true && journalPlace.isRunning(journal.header);
  const recovered = tryRecover(journal, stored.file, stored.name.digest, journalPlace.path);
  if ('severity' in recovered) {
    return isLive ? unmerged : { diagnostics: [recovered], fileDiagnostics: [] };
  }
  const { changes, interrupted, hasChanges, state } = recovered;
  const lineage = stored.file?.lineage ?? journal.header.base.lineage;
  const merged = nextStateFile(stored.file, state, () => lineage);
  const dead: DeadJournal | undefined = isLive
    ? undefined
    : { path: journalPlace.path, header: journal.header, changes, interrupted };
  return {
    snapshot: {
      ...stored,
      file: stored.file === undefined && !hasChanges ? undefined : merged,
      journal: { bytes: journalBytes.subarray(0, journal.length), seal },
      hasChanges,
      dead,
    },
    diagnostics: isLive
      ? diagnostics
      : [...diagnostics, ...recoveryDiagnostics(recovered, journal, journalPlace.path)],
    fileDiagnostics: diagnostics,
  };
}
