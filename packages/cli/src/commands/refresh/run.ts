import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { refresh } from '@terrane/ops';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import type { RefreshFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { operationView } from '../../views/operation-view.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import { operationArguments, tooManyArguments } from '../../run/operation-arguments.ts';

/** Updates the state to match the remote objects. */
export async function runRefresh(parsed: RefreshFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const into = jsonInto(values, context);
  const view = operationView(context, values.json, {}, into.world);
  const { request, diagnostics: argumentProblems } = await operationArguments(parsed, context);
  const problems = [...argumentProblems, ...into.problems];
  if (rest.length > 0) {
    problems.push(tooManyArguments());
  }
  if (request.invoke !== undefined) {
    problems.push(
      errorDiagnostic(
        'Invalid arguments',
        'Actions cannot be specified during refresh operations.',
      ),
    );
  }
  if (values['minimal-refresh']) {
    problems.push(
      errorDiagnostic(
        'Invalid mode option',
        `The -minimal-refresh option is not valid for "${programCommand('refresh')}".`,
      ),
    );
  }
  view.diagnostics(problems);
  if (hasErrors(problems)) {
    view.helpPrompt('refresh');
    return 1;
  }
  const input = inputAllowed(context, values.input && !values.json);
  return await runOperation(context, view, { input, color: view.color }, async (project, ports) => {
    const { result, diagnostics, remote } = await refresh(project, request, ports);
    view.diagnostics(diagnostics);
    if (remote?.hasFailed === true) return 1;
    if (hasErrors(diagnostics)) return 1;
    if (result !== undefined) view.outputs(result);
    return 0;
  });
}
