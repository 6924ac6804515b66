import { adoptObjects } from '@terrane/refactor';
import type { CommandContext } from '../../command.ts';
import { tooManyArguments } from '../../run/operation-arguments.ts';
import { finishRefactoring, runRefactoring } from '../../run/refactoring.ts';
import type { AdoptFlags } from './flags.ts';

/** Shows configuration that imports existing objects, and writes it with `-write`. */
export async function runAdopt(parsed: AdoptFlags, context: CommandContext): Promise<number> {
  const problems = parsed.rest.length > 0 ? [tooManyArguments('Expected no arguments.')] : [];
  return await runRefactoring(
    'adopt',
    parsed,
    context,
    problems,
    async (project, options, ports, output) => {
      const { result, diagnostics } = await adoptObjects(
        project,
        { ...options, forEach: parsed.values['for-each'] },
        ports,
      );
      output.diagnostics(diagnostics);
      if (result === undefined) return 1;
      const { changes, adopted, rejected, managed } = result;
      output.data({
        objects: adopted.map(({ address, displayName: name, references }) => ({
          address,
          name,
          references,
        })),
        rejected: rejected.map(({ type, displayName: name, reason }) => ({ type, name, reason })),
        managed,
      });
      const count = (objects: number): string =>
        objects === 1 ? '1 object' : `${objects} objects`;
      if (adopted.length === 0) output.line('There are no objects to adopt.');
      else {
        output.line(`The plan imports ${count(adopted.length)} and changes nothing:\n`);
        for (const { address, displayName, references } of adopted) {
          output.line(`  ${address}  ${displayName}`.trimEnd());
          for (const each of references) output.line(`    refers to ${each}`);
        }
      }
      if (managed > 0) output.line(`\nAlready managed: ${count(managed)}`);
      if (rejected.length > 0) output.line('\nNot adopted:\n');
      for (const { type, displayName, reason } of rejected) {
        output.line(`  ${type} ${displayName}: ${reason}`);
      }
      return await finishRefactoring(project, output, changes, { write: parsed.values.write });
    },
  );
}
