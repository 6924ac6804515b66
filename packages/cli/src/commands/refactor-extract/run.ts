import { cleanPath } from '@terrane/addresses';
import { errorDiagnostic } from '@terrane/hcl';
import { extractModule } from '@terrane/refactor';
import type { CommandContext } from '../../command.ts';
import { finishRefactoring, runRefactoring } from '../../run/refactoring.ts';
import type { RefactorExtractFlags } from './flags.ts';

/** Extracts resources into a module, and writes it with `-write`. */
export async function runRefactorExtract(
  parsed: RefactorExtractFlags,
  context: CommandContext,
): Promise<number> {
  const { to, name, write } = parsed.values;
  const problems =
    to === ''
      ? [
          errorDiagnostic(
            'No module directory given',
            'Name the directory of the new module with -to, such as -to=modules/network.',
          ),
        ]
      : [];
  const directory = cleanPath(to === '' ? '.' : to);
  const request = {
    addresses: parsed.rest,
    directory,
    name: name === '' ? directory.slice(directory.lastIndexOf('/') + 1) : name,
  };
  return await runRefactoring(
    'refactor extract',
    parsed,
    context,
    problems,
    async (project, options, ports, output) => {
      const { result, diagnostics } = await extractModule(project, request, options, ports);
      output.diagnostics(diagnostics);
      if (result === undefined) return 1;
      const { changes, moves, variables, outputs } = result;
      output.data({ moves, variables, outputs });
      output.line(
        `The plan with the module is empty: ${moves.length} moved, ${count(variables.length, 'variable')}, ${count(outputs.length, 'output')}.`,
      );
      return await finishRefactoring(project, output, changes, { write });
    },
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
