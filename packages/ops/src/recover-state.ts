import { type DeadJournal, type Interrupted, isOpenCreate } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { withLockedState, type Outcome } from './locked-state.ts';
import { openProjectState } from './read-state.ts';
import type { Project } from './project.ts';
import { observedState } from './observed-state.ts';
import { plainError, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/** The requested recovery; with neither property set, nothing changes. */
export interface RecoverRequest {
  /** stores the state including the changes in the journal */
  readonly write: boolean;
  /** addresses of interrupted operations to forget; also stores the state */
  readonly forget: readonly string[];
}

/** The operations that an interrupted run left open, and their resolution. */
export interface Recovery {
  /** the journal of the interrupted run; undefined if there is none */
  readonly journal: DeadJournal | undefined;
  readonly written: boolean;
  /** interrupted operations that were forgotten, and those that are still open */
  readonly forgotten: readonly Interrupted[];
  readonly open: readonly Interrupted[];
}

/**
 * Reports the journal of a run that ended before it stored its state, and resolves its operations as requested. An
 * unusable journal is an error with its reason.
 */
export async function recoverState(
  project: Project,
  request: RecoverRequest,
  options: StateOptions,
  ports: Pick<RunPorts, 'waiting' | 'signal'>,
): Promise<Outcome<Recovery>> {
  const { result: opened, diagnostics } = await openProjectState(project, options);
  if (opened === undefined) return { diagnostics };
  const { manager } = opened;
  if (!request.write && request.forget.length === 0) {
    const read = await manager.read();
    if (hasErrors(read.diagnostics)) return { diagnostics: read.diagnostics };
    const { deadJournal: journal, interrupted: open } = read;
    return { result: { journal, written: false, forgotten: [], open }, diagnostics: [] };
  }
  const lockPorts = { ...ports, clock: project.host.clock };
  const outcome: Outcome<Recovery> = await withLockedState(
    manager,
    options,
    'state-recover',
    lockPorts,
    async (lockedState): Promise<Outcome<Recovery>> => {
      const state = observedState(lockedState, { project, operation: 'state-recover', opened });
      const { deadJournal: journal, interrupted: open } = state;
      const isNamed = (operation: Interrupted): boolean =>
        request.forget.includes(nameOf(operation));
      const unknown = request.forget.filter(
        (name) => !open.some((operation) => nameOf(operation) === name),
      );
      if (unknown.length > 0) {
        return { diagnostics: unknown.map((name) => plainError(unknownText(name, open))) };
      }
      const problems: readonly Diagnostic[] = await state.storeRecovered(
        (operation) => !isNamed(operation),
      );
      const result = {
        journal,
        written: journal !== undefined,
        forgotten: open.filter(isNamed),
        open: open.filter((operation) => !isNamed(operation)),
      };
      return hasErrors(problems) ? { diagnostics: problems } : { result, diagnostics: problems };
    },
  );
  // The warnings about interrupted operations are omitted, because the result contains the operations.
  return {
    ...outcome,
    diagnostics: outcome.diagnostics.filter(({ severity }) => severity === 'error'),
  };
}

function nameOf(open: Interrupted): string {
  return open.kind === 'intent' ? open.addr.text : open.invocation;
}

function unknownText(name: string, open: readonly Interrupted[]): string {
  const names = open
    .filter((operation) => operation.kind === 'invoke' || isOpenCreate(operation))
    .map(nameOf);
  const known = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  return `No interrupted operation on ${name} is known. ${known}`;
}
