import { cleanPath } from '@terrane/addresses';
import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { prepareSplit, writeSplit } from '@terrane/refactor';
import type { CommandContext } from '../../command.ts';
import { runRefactoring, showDifferences, showWritten } from '../../run/refactoring.ts';
import type { RefactorSplitFlags } from './flags.ts';

/** Splits a state in two, and writes both sides with `-write`. */
export async function runRefactorSplit(
  parsed: RefactorSplitFlags,
  context: CommandContext,
): Promise<number> {
  const { to, write } = parsed.values;
  const problems =
    to === ''
      ? [
          errorDiagnostic(
            'No directory given',
            'Name the directory of the new root module with -to, such as -to=../network.',
          ),
        ]
      : [];
  const request = { addresses: parsed.rest, directory: cleanPath(to === '' ? '.' : to) };
  return await runRefactoring(
    'refactor split',
    parsed,
    context,
    problems,
    async (project, options, ports, output) => {
      const { result: split, diagnostics } = await prepareSplit(project, request, options, ports);
      output.diagnostics(diagnostics);
      if (split === undefined) return 1;
      const { moved, unset } = split;
      const objects = moved.length === 1 ? '1 object moves' : `${moved.length} objects move`;
      output.line(`The plans of both sides are empty. ${objects} to ${request.directory}:\n`);
      for (const each of moved) output.line(`  ${each}`);
      output.data({ directory: request.directory, moved, unset, written: false });
      const changes = [...split.targetFiles, ...split.sourceFiles];
      showDifferences(output, changes);
      if (unset.length > 0) {
        output.line(
          '\nSensitive values are not written. Set these variables, for instance with TF_VAR_NAME:',
        );
        for (const each of unset) output.line(`  ${each}`);
      }
      if (!write) {
        output.line(
          '\nNothing was written. To write the files and both states, run the command again with -write.',
        );
        return 0;
      }
      const writeProblems = await writeSplit(project, split, ports);
      output.diagnostics(writeProblems);
      if (hasErrors(writeProblems)) return 1;
      showWritten(output, changes);
      output.line(`Split the state: ${request.directory}/terraform.tfstate has the moved objects`);
      return 0;
    },
  );
}
