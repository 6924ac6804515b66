import { type ProposedMoves, proposeMoves } from '@terrane/refactor';
import type { CommandContext } from '../../command.ts';
import { tooManyArguments } from '../../run/operation-arguments.ts';
import { finishRefactoring, runRefactoring } from '../../run/refactoring.ts';
import type { View } from '../../views/view.ts';
import type { RefactorMovedFlags } from './flags.ts';

/** Proposes `moved` blocks, and writes them with `-write`. */
export async function runRefactorMoved(
  parsed: RefactorMovedFlags,
  context: CommandContext,
): Promise<number> {
  const problems = parsed.rest.length > 0 ? [tooManyArguments('Expected no arguments.')] : [];
  return await runRefactoring(
    'refactor moved',
    parsed,
    context,
    problems,
    async (project, options, ports, view) => {
      const { result, diagnostics } = await proposeMoves(project, options, ports);
      view.diagnostics(diagnostics);
      if (result === undefined) return 1;
      showMoves(view, result);
      const { change } = result;
      return await finishRefactoring(project, view, change === undefined ? [] : [change], {
        write: parsed.values.write,
      });
    },
  );
}

function showMoves(view: View, { moves, possible, before, after }: ProposedMoves): void {
  if (moves.length === 0)
    view.line('No object is deleted under one address and created under another.');
  else view.line('Moves of objects with equal values:\n');
  for (const { from, to, pairs } of moves) {
    const compared = Math.min(...pairs.map((pair) => pair.equal.length));
    const objects = pairs.length === 1 ? '1 object' : `${pairs.length} objects`;
    view.line(`  ${from} -> ${to}`);
    view.line(`    ${objects}, ${compared} equal ${compared === 1 ? 'value' : 'values'} each`);
  }
  if (possible.length > 0) view.line('\nPossible moves, which are not proposed:\n');
  for (const { from, to, different, reason } of possible) {
    view.line(`  ${from.text} -> ${to.text}`);
    view.line(
      reason === 'ambiguous'
        ? '    equal values, but others match as well'
        : `    different: ${different.join(', ')}`,
    );
  }
  if (moves.length > 0) {
    view.line(`\nPlanned changes: ${before.length} before, ${after.length} with these moves`);
    for (const each of after) view.line(`  ${each}`);
  }
}
