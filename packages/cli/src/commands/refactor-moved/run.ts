import { type ProposedMoves, proposeMoves } from '@terrane/refactor';
import type { CommandContext } from '../../command.ts';
import { tooManyArguments } from '../../run/operation-arguments.ts';
import {
  finishRefactoring,
  type RefactoringOutput,
  runRefactoring,
} from '../../run/refactoring.ts';
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
    async (project, options, ports, output) => {
      const { result, diagnostics } = await proposeMoves(project, options, ports);
      output.diagnostics(diagnostics);
      if (result === undefined) return 1;
      showMoves(output, result);
      const { change } = result;
      return await finishRefactoring(project, output, change === undefined ? [] : [change], {
        write: parsed.values.write,
      });
    },
  );
}

function showMoves(
  output: RefactoringOutput,
  { moves, possible, before, after }: ProposedMoves,
): void {
  output.data({
    moves: moves.map(({ from, to, pairs }) => ({
      from,
      to,
      objects: pairs.length,
      equal_values: Math.min(...pairs.map(({ equal }) => equal.length)),
    })),
    possible_moves: possible.map(({ from, to, different, reason }) => ({
      from: from.text,
      to: to.text,
      reason,
      different,
    })),
    planned_changes: { before, after },
  });
  if (moves.length === 0)
    output.line('No object is deleted under one address and created under another.');
  else output.line('Moves of objects with equal values:\n');
  for (const { from, to, pairs } of moves) {
    const compared = Math.min(...pairs.map((pair) => pair.equal.length));
    const objects = pairs.length === 1 ? '1 object' : `${pairs.length} objects`;
    output.line(`  ${from} -> ${to}`);
    output.line(`    ${objects}, ${compared} equal ${compared === 1 ? 'value' : 'values'} each`);
  }
  if (possible.length > 0) output.line('\nPossible moves, which are not proposed:\n');
  for (const { from, to, different, reason } of possible) {
    output.line(`  ${from.text} -> ${to.text}`);
    output.line(
      reason === 'ambiguous'
        ? '    equal values, but others match as well'
        : `    different: ${different.join(', ')}`,
    );
  }
  if (moves.length > 0) {
    output.line(`\nPlanned changes: ${before.length} before, ${after.length} with these moves`);
    for (const each of after) output.line(`  ${each}`);
  }
}
