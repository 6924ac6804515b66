import { errorDiagnostic, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { Bug } from '@terrane/cty';
import { programCommand } from '@terrane/host';
import { StateDraft } from './draft.ts';
import { sameState } from './equal.ts';
import type { StateEvent } from './event.ts';
import {
  canBeLookedUp,
  type Interrupted,
  isOpenCreate,
  objectName,
  PendingIntents,
  tellingValues,
} from './interrupted.ts';
import type { JournalContent } from './journal-record.ts';
import { type RecoveredChange, RecoveredChanges } from './recovered-change.ts';
import { EMPTY_STATE } from './snapshot.ts';
import type { State, StateFile } from './model.ts';

/** The changes of a journal that the stored snapshot lacks. */
export interface Recovered {
  readonly state: State;
  /** the events that the snapshot lacks, reduced to their net effect; empty if they change nothing */
  readonly changes: readonly RecoveredChange[];
  /** true if the snapshot lacks any event */
  readonly hasChanges: boolean;
  readonly interrupted: readonly Interrupted[];
}

/**
 * Applies the events of a journal to the stored snapshot; `undefined` if the journal does not refer to this snapshot,
 * so that its events belong to another state. Throws Bug for contradictory events.
 */
export function recover(
  journal: JournalContent,
  stored: StateFile | undefined,
  digest: string | undefined,
): Recovered | undefined {
  const from = firstMissing(journal, stored, digest);
  const base = stored?.state ?? EMPTY_STATE;
  const draft = new StateDraft(base);
  const pending = new PendingIntents();
  const recovered = new RecoveredChanges();
  const add = (event: StateEvent): void => {
    if (event.kind === 'batch') return event.events.forEach(add);
    recovered.add(event, draft);
    draft.apply(event);
  };
  let hasChanges = false;
  for (const { event, end } of journal.events) {
    pending.note(event);
    if (end <= (from ?? 0) || isIntent(event)) continue;
    add(event);
    hasChanges = true;
  }
  let changes = recovered.list();
  let state = draft.freeze();
  if (from === undefined) {
    // If the state already contains all events, it may be any later state, as when the journal failed and the state was
    // stored instead. Intents change nothing, so they can be reported in any case.
    if (!sameState(state, base)) return undefined;
    state = base;
    changes = [];
    hasChanges = false;
  }
  const interrupted = pending.list().filter((open) => !isMade(open, state));
  return { state, changes, hasChanges, interrupted };
}

/** Returns true if the result of an open create is in the state: it was stored, but not recorded in the journal. */
function isMade(open: Interrupted, state: State): boolean {
  return (
    isOpenCreate(open) && open.carried !== true && state.instance(open.addr)?.current !== undefined
  );
}

/** Returns the addresses that the events of a journal change, for messages. */
function subjectsOf({ events }: JournalContent): readonly string[] {
  const subjects = new Set<string>();
  const add = (event: StateEvent): void => {
    if (event.kind === 'batch') event.events.forEach(add);
    else if (event.kind === 'move') subjects.add(event.from.text).add(event.to.text);
    else if (event.kind === 'outputs') subjects.add('the outputs');
    else if ('addr' in event) subjects.add(event.addr.text);
  };
  for (const { event } of events) add(event);
  return [...subjects];
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
  // Another program may have rewritten the same state, with its own version in it.
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

/** Returns true if an event only announces or concludes an operation and does not change the state itself. */
function isIntent({ kind }: StateEvent): boolean {
  return kind === 'intent' || kind === 'invoke' || kind === 'settled';
}

/** Returns the diagnostics that report a recovery. */
export function recoveryDiagnostics(
  recovered: Recovered,
  { header }: JournalContent,
  path: string,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const { length } = recovered.changes;
  if (length > 0) {
    const count = length === 1 ? '1 change' : `${length} changes`;
    diagnostics.push(
      warningDiagnostic(
        'State recovered from an interrupted run',
        `A run that began at ${header.created} on ${header.host} (process ${header.pid}) ended before it could save the state. This command uses the state with what that run had recorded in ${path} (${count}). A command that writes the state, such as "${programCommand('apply')}", stores these changes; one that only reads it, such as "${programCommand('plan')}", leaves the files as they are. To list the changes:\n    ${programCommand('state recover')}\n\nTo store them now:\n    ${programCommand('state recover -write')}`,
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
    diagnostics.push(
      warningDiagnostic('Interrupted operation', interruptedDetail(intent), undefined, {
        address: intent.addr.text,
      }),
    );
  }
  return diagnostics;
}

type InterruptedChange = Extract<Interrupted, { kind: 'intent' }>;

/** Returns the detail of the diagnostic for an interrupted change of an earlier run, including what to do next. */
export function interruptedDetail(intent: InterruptedChange): string {
  return detailOf(
    intent,
    `An earlier run ended without an answer to the operation "${intent.action}" on ${objectName(intent)}, so it is not known whether it took effect.`,
  );
}

/** The warning for an operation to which the provider did not respond, including what to do next. */
export function unansweredWarning(intent: InterruptedChange): Diagnostic {
  const detail = detailOf(
    intent,
    `The provider gave no answer to the operation "${intent.action}" on ${objectName(intent)}, so it is not known whether it took effect.`,
  );
  return warningDiagnostic('Interrupted operation', detail, undefined, {
    address: intent.addr.text,
  });
}

function detailOf(intent: InterruptedChange, begun: string): string {
  if (!isOpenCreate(intent))
    return `${begun} The object is in the state: the next plan reads it and shows what is left to be done.`;
  if (canBeLookedUp(intent.planned))
    return `${begun} The next plan asks the provider for the object, and takes it into the state if it exists.`;
  const address = intent.addr.text;
  const valueLines = tellingValues(intent.planned).map(([name, text]) => `\n    ${name} = ${text}`);
  const looks =
    valueLines.length === 0 ? '' : ` It was to have these values:\n${valueLines.join('')}\n\n`;
  const until = looks === '' ? ' ' : '';
  return `${begun} Its id was not known yet, so it can't be looked for. Check whether the object exists in the system that holds it.${looks}${until}If it does, take it into the state before you apply again, or remove it there:\n    ${programCommand('import')} '${address}' ID\n\nIf there is no such object, settle this with:\n    ${programCommand('state recover -forget=')}'${address}'\n\nUntil then each run tells of it, and the next apply creates another object.`;
}

/** The error for an unusable journal, including what to do. `content` is the decoded journal, if readable. */
export function journalFailure(path: string, reason: string, content?: JournalContent): Diagnostic {
  const subjects = content === undefined ? [] : subjectsOf(content);
  const subjectLines = subjects.slice(0, MAX_SUBJECTS).map((subject) => `\n    ${subject}`);
  if (subjects.length > subjectLines.length)
    subjectLines.push(`\n    and ${subjects.length - subjectLines.length} more`);
  const about = subjectLines.length === 0 ? '' : ` It is about:\n${subjectLines.join('')}\n\n`;
  return errorDiagnostic(
    'Unusable state journal',
    `An interrupted run left the journal ${path}, which may hold changes that are missing in the state, but it can't be added to the state: ${reason}.${about === '' ? ' ' : about}To continue without it, first compare the state with the objects that exist, then move that file away.`,
  );
}

const MAX_SUBJECTS = 20;

/** Runs a recovery; errors become diagnostics. */
export function tryRecover(
  journal: JournalContent,
  stored: StateFile | undefined,
  digest: string | undefined,
  path: string,
): Recovered | Diagnostic {
  try {
    return (
      recover(journal, stored, digest) ??
      journalFailure(path, 'the stored state is not the one that the run began with', journal)
    );
  } catch (error) {
    if (!(error instanceof Bug)) throw error;
    return journalFailure(path, error.message, journal);
  }
}
