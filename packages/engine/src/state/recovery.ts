import { errorDiagnostic, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { Bug } from '@terrane/cty';
import { StateDraft } from './draft.ts';
import type { StateEvent } from './event.ts';
import type { JournalContent } from './journal-record.ts';
import { EMPTY_STATE } from './snapshot.ts';
import type { State, StateFile } from './model.ts';

/** A change that was begun and of which nothing more was recorded. */
export type Interrupted = Extract<StateEvent, { kind: 'intent' | 'invoke' }>;

/** What a journal adds to the stored snapshot. */
export interface Recovered {
  readonly state: State;
  /** number of changes added */
  readonly changes: number;
  readonly interrupted: readonly Interrupted[];
}

/**
 * Puts what a journal recorded on top of the stored snapshot; `undefined` when the snapshot is none
 * that the journal knows, so that its events are changes of something else. Throws Bug when the events
 * do not fit each other.
 */
export function recover(
  journal: JournalContent,
  stored: StateFile | undefined,
  digest: string | undefined,
): Recovered | undefined {
  let from = firstMissing(journal, stored, digest);
  if (from === undefined) {
    // Intents change nothing, so they can be told of whatever the state has become since.
    if (journal.events.some(({ event }) => !isIntent(event))) return undefined;
    from = 0;
  }
  const draft = new StateDraft(stored?.state ?? EMPTY_STATE);
  const pending = new Map<string, Interrupted>();
  let changes = 0;
  for (const { event, end } of journal.events) {
    notePending(pending, event);
    if (end <= from || isIntent(event)) continue;
    draft.apply(event);
    changes++;
  }
  return { state: draft.freeze(), changes, interrupted: [...pending.values()] };
}

/** Position in the journal from which on the snapshot lacks its events. */
function firstMissing(
  { header, marks }: JournalContent,
  stored: StateFile | undefined,
  digest: string | undefined,
): number | undefined {
  const { base } = header;
  if (digest === base.digest) return 0;
  const mark = marks.findLast(({ snapshot }) => snapshot.digest === digest);
  if (mark !== undefined) return mark.upTo;
  // Another program may have written the same state anew, with its own version in it.
  if (
    stored !== undefined &&
    base.digest !== undefined &&
    stored.lineage !== '' &&
    stored.lineage === base.lineage &&
    stored.serial === base.serial
  ) {
    return 0;
  }
  return undefined;
}

/** Whether an event says that something is about to happen, and changes nothing by itself. */
function isIntent({ kind }: StateEvent): boolean {
  return kind === 'intent' || kind === 'invoke';
}

function notePending(pending: Map<string, Interrupted>, event: StateEvent): void {
  switch (event.kind) {
    case 'intent':
      pending.set(keyOf(event.addr.text, event.deposed), event);
      break;
    case 'invoke':
      if (event.ended) pending.delete(`invoke ${event.invocation}`);
      else pending.set(`invoke ${event.invocation}`, event);
      break;
    case 'put':
    case 'drop':
      pending.delete(keyOf(event.addr.text, event.deposed));
      break;
    case 'restore':
      // The replacement's create failed and left nothing.
      pending.delete(keyOf(event.addr.text, undefined));
      break;
    case 'batch':
      for (const each of event.events) notePending(pending, each);
      break;
    default:
  }
}

function keyOf(address: string, deposed: string | undefined): string {
  return deposed === undefined ? address : `${address} ${deposed}`;
}

/** What the user is told of a recovery. */
export function recoveryDiagnostics(
  recovered: Recovered,
  { header }: JournalContent,
  path: string,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (recovered.changes > 0) {
    const count = recovered.changes === 1 ? '1 change' : `${recovered.changes} changes`;
    diagnostics.push(
      warningDiagnostic(
        'State recovered from an interrupted run',
        `A run that began at ${header.created} on ${header.host} (process ${header.pid}) ended before it could save the state. What it had recorded in ${path} (${count}) is now part of the state.`,
      ),
    );
  }
  for (const intent of recovered.interrupted) {
    if (intent.kind === 'invoke') {
      diagnostics.push(
        warningDiagnostic(
          'Interrupted action',
          `An earlier run ended while ${intent.invocation} was under way, so it is not known whether it took effect. Check what it acts on; the next run does not invoke it again by itself.`,
        ),
      );
      continue;
    }
    const object =
      intent.deposed === undefined
        ? intent.addr.text
        : `${intent.addr.text} (deposed object ${intent.deposed})`;
    diagnostics.push(
      warningDiagnostic(
        'Interrupted operation',
        `An earlier run ended while the operation "${intent.action}" on ${object} was in progress, so it is not known whether it took effect. Check the object in the system that holds it: if it was created, import it or remove it there before you apply again.`,
        undefined,
        { address: intent.addr.text },
      ),
    );
  }
  return diagnostics;
}

/** That a journal can't be used, and what to do. */
export function journalFailure(path: string, reason: string): Diagnostic {
  return errorDiagnostic(
    'Unusable state journal',
    `An interrupted run left the journal ${path}, which may hold changes that are missing in the state, but it can't be added to the state: ${reason}. To continue without it, first compare the state with the objects that exist, then move that file away.`,
  );
}

/** Runs a recovery, with faults as diagnostics. */
export function tryRecover(
  journal: JournalContent,
  stored: StateFile | undefined,
  digest: string | undefined,
  path: string,
): Recovered | Diagnostic {
  try {
    return (
      recover(journal, stored, digest) ??
      journalFailure(path, 'the stored state is not the one that the run began with')
    );
  } catch (error) {
    if (!(error instanceof Bug)) throw error;
    return journalFailure(path, error.message);
  }
}
