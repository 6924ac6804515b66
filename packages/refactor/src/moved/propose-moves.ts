import { editHcl, expression } from '@terrane/hcl';
import type { Outcome, Project, RunPorts } from '@terrane/ops';
import type { FileChange } from '../file-change.ts';
import { planTrial, plannedChanges, type RefactorOptions } from '../prove.ts';
import { findMoves, type FoundMoves, joinMoves, type Move } from './find-moves.ts';

/** The file that `moved` blocks are added to. */
export const MOVED_FILE = 'moved.tf';

/** Moves that replace deletions and creations of a plan, and their effect on the plan. */
export interface ProposedMoves {
  readonly moves: readonly Move[];
  readonly possible: FoundMoves['possible'];
  /** the changed file; undefined without moves */
  readonly change: FileChange | undefined;
  /** planned changes before and after the moves, one line each */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Proposes `moved` blocks for objects that a plan would delete and create again. Each move is verified: the plan with
 * the blocks neither deletes nor creates its objects. Writes nothing.
 */
export async function proposeMoves(
  project: Project,
  options: RefactorOptions,
  ports: RunPorts,
): Promise<Outcome<ProposedMoves>> {
  const planned = await planTrial(project, options, ports);
  if (planned.result === undefined) return { diagnostics: planned.diagnostics };
  const candidateMoves = findMoves(planned.result);
  const before = plannedChanges(planned.result);
  let moves = joinMoves(candidateMoves.certain, planned.result);
  const existing = await textOf(project, MOVED_FILE);
  // Moves that the plan does not perform are removed, and the others are verified again.
  for (;;) {
    if (moves.length === 0) break;
    const text = withMoves(existing, moves);
    const trial = await planTrial(project, options, ports, {
      files: new Map([[MOVED_FILE, text]]),
    });
    if (trial.result === undefined) return { diagnostics: trial.diagnostics };
    const changed = new Map(
      trial.result.changes
        .filter(({ deposed }) => deposed === undefined)
        .map(({ addr, action }) => [addr.text, action]),
    );
    const isKept = ({ pairs }: Move): boolean =>
      pairs.every(({ from, to }) => {
        const action = changed.get(to.text);
        return (action === 'no-op' || action === 'update') && !changed.has(from.text);
      });
    const remaining = moves.filter(isKept);
    if (remaining.length === moves.length) {
      return {
        result: {
          moves,
          possible: candidateMoves.possible,
          change: { path: MOVED_FILE, before: existing, after: text },
          before,
          after: plannedChanges(trial.result),
        },
        diagnostics: trial.diagnostics,
      };
    }
    moves = remaining;
  }
  return {
    result: { moves, possible: candidateMoves.possible, change: undefined, before, after: before },
    diagnostics: planned.diagnostics,
  };
}

async function textOf({ host }: Project, path: string): Promise<string | undefined> {
  return (await host.files.stat(path)) === undefined ? undefined : await host.files.readText(path);
}

/** Appends `moved` blocks to the text of a file, which is otherwise unchanged. */
export function withMoves(
  text: string | undefined,
  moves: readonly { readonly from: string; readonly to: string }[],
): string {
  const file = editHcl(text ?? '');
  for (const { from, to } of moves) {
    file.addBlock('moved', [], { from: expression(from), to: expression(to) });
  }
  return String(file);
}

/** The `moved` blocks alone. */
export function movedText(
  moves: readonly { readonly from: string; readonly to: string }[],
): string {
  return withMoves(undefined, moves);
}
