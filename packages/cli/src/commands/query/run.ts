import { hasErrors } from '@terrane/hcl';
import { query } from '@terrane/ops';
import { wordWrap } from '@terrane/render';
import type { CommandContext } from '../../command.ts';
import type { QueryFlags } from './flags.ts';
import { operationView } from '../../views/operation-view.ts';
import { paint } from '../../views/paint.ts';
import { View } from '../../views/view.ts';
import { inputAllowed, runOperation } from '../../run/operation.ts';
import { flagProblems, variableOptions, tooManyArguments } from '../../run/operation-arguments.ts';

/** Queries providers for objects and prints them as they arrive. */
export async function runQuery(parsed: QueryFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = operationView(context, values.json);
  const problems = flagProblems(parsed);
  if (rest.length > 0) {
    problems.push(
      tooManyArguments('To specify a working directory for the query, use the global -chdir flag.'),
    );
  }
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('query');
    return 1;
  }
  const out = values['generate-config-out'];
  const request = {
    variables: variableOptions(parsed.occurrences),
    ...(out === '' ? {} : { generateConfigOut: out }),
  };
  const input = inputAllowed(context, !values.json);
  return await runOperation(context, view, { input, color: view.color }, async (project, ports) => {
    const { result = [], diagnostics } = await query(project, request, ports);
    const empty = result.filter(({ results }) => results.length === 0);
    if (empty.length > 0 && !values.json) {
      const human = new View(context);
      const { style } = human;
      const names = empty.map(({ addr }) => addr.text).join(', ');
      const warning = paint(style.color, 'Warning:', 'bold', 'yellow');
      const text = paint(style.color, ` list block(s) [${names}] returned 0 results.\n`, 'bold');
      human.line(wordWrap(`${warning}${text}`, style.width));
    }
    view.diagnostics(diagnostics);
    return hasErrors(diagnostics) ? 1 : 0;
  });
}
