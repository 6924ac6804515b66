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
    async (project, options, ports, view) => {
      const { result: split, diagnostics } = await prepareSplit(project, request, options, ports);
      view.diagnostics(diagnostics);
      if (split === undefined) return 1;
      const { moved, unset } = split;
      const objects = moved.length === 1 ? '1 object moves' : `${moved.length} objects move`;
      view.line(`The plans of both sides are empty. ${objects} to ${request.directory}:\n`);
      for (const each of moved) view.line(`  ${each}`);
      const changes = [...split.targetFiles, ...split.sourceFiles];
      showDifferences(view, changes);
      if (unset.length > 0) {
        view.line(
          '\nSensitive values are not written. Set these variables, for instance with TF_VAR_NAME:',
        );
        for (const each of unset) view.line(`  ${each}`);
      }
      if (!write) {
        view.line(
          '\nNothing was written. To write the files and both states, run the command again with -write.',
        );
        return 0;
      }
      const writeProblems = await writeSplit(project, split, ports);
      view.diagnostics(writeProblems);
      if (hasErrors(writeProblems)) return 1;
      showWritten(view, changes);
      view.line(`Split the state: ${request.directory}/terraform.tfstate has the moved objects`);
      return 0;
    },
  );
}
