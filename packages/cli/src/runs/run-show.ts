import { errorDiagnostic, hasErrors } from '@terrane/hcl';
import { show } from '@terrane/ops';
import {
  colorize,
  planJson,
  planSummaryText,
  planText,
  stateJson,
  stateText,
  StateSchemaError,
} from '@terrane/render';
import type { CommandContext } from '../command.ts';
import type { ShowFlags } from '../commands/show.ts';
import { View } from '../views/view.ts';
import { drawnForm, drawnPlan } from './drawings.ts';
import { flagProblems, tooManyArguments } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';

/** Shows a state or a plan. */
export async function runShow(parsed: ShowFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const problems = flagProblems(parsed);
  if (rest.length > 1) {
    problems.push(tooManyArguments());
  }
  const form = drawnForm(values);
  if (form !== undefined && values.json) {
    problems.push(
      errorDiagnostic('Incompatible options', `The options -${form} and -json exclude each other.`),
    );
  }
  if (values.summary && (values.json || form !== undefined)) {
    problems.push(
      errorDiagnostic(
        'Incompatible options',
        `The options -summary and -${form ?? 'json'} exclude each other.`,
      ),
    );
  }
  const named = [...rest, ...(values.plan === '' ? [] : [values.plan])];
  if (rest.length < 2 && named.length + (values.state ? 1 : 0) > 1) {
    problems.push(
      errorDiagnostic(
        'Conflicting object types to show',
        'The options -state and -plan=FILE and a path exclude each other: only one thing can be shown at once.',
      ),
    );
  }
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('show');
    return 1;
  }
  const { shown, diagnostics } = await show(projectOf(context), named[0], {
    asJson: values.json,
  });
  if (shown === undefined || hasErrors(diagnostics)) {
    view.diagnostics(diagnostics);
    return 1;
  }
  if (form !== undefined && shown.kind !== 'plan') {
    view.diagnostics([
      errorDiagnostic(
        'No plan to draw',
        `The option -${form} draws a plan that "terrane plan -out=FILE" has saved here. The resources of the configuration and the state are drawn by "terrane graph -${form}".`,
      ),
    ]);
    return 1;
  }
  try {
    if (shown.kind === 'plan') {
      if (form !== undefined) view.print(drawnPlan(shown.plan, form));
      else if (values.json) view.line(planJson(shown.plan));
      else if (values.summary) view.print(planSummaryText(shown.plan, view.style));
      else view.print(planText(shown.plan, view.style));
    } else if (shown.kind === 'remote-plan') {
      const { color } = view.style;
      if (values.json) view.line(shown.plan.json);
      else {
        const { header, footer } = shown.plan;
        const text = shown.plan.text(view.style);
        view.print(`${colorize(`${header}\n`, color)}${text}${colorize(`\n${footer}\n`, color)}`);
      }
    } else if (values.json) {
      view.line(stateJson(shown.file, shown.schemas));
    } else if (shown.file === undefined) {
      view.line('No state.');
    } else {
      view.print(stateText(shown.file.state, shown.schemas, view.style));
    }
  } catch (error) {
    if (!(error instanceof StateSchemaError)) throw error;
    view.complain(error.message);
    return 1;
  }
  return 0;
}
