import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  show,
  showConfiguration,
  showModule,
  type Shown,
  type ShownConfiguration,
} from '@terrane/ops';
import {
  colorize,
  configurationJson,
  planJsonParts,
  planTextParts,
  planSummaryText,
  redactedJson,
  singleModuleJson,
  stateJsonParts,
  stateText,
  StateSchemaError,
} from '@terrane/render';
import { programCommand } from '@terrane/host';
import type { CommandContext } from '../../command.ts';
import type { ShowFlags } from './flags.ts';
import type { World } from '../../world.ts';
import { jsonInto } from '../../views/json-into.ts';
import { View } from '../../views/view.ts';
import { drawnForm, drawnPlan } from '../../run/drawings.ts';
import {
  flagProblems,
  redactedProblems,
  tooManyArguments,
  variableOptions,
} from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';

/** Shows a state, a plan or a configuration. */
export async function runShow(parsed: ShowFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const into = jsonInto(values, context);
  const problems = [...argumentProblems(parsed), ...into.problems];
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('show');
    return 1;
  }
  const project = projectOf(context, variableOptions(parsed.occurrences));
  if (values.config || values.module !== '') {
    const { module } = values;
    const configuration =
      module === '' ? await showConfiguration(project) : await showModule(project, module);
    return printConfiguration(view, configuration);
  }
  const named = values.plan === '' ? rest[0] : values.plan;
  const { shown, diagnostics } = await show(project, named, { asJson: values.json });
  if (shown === undefined || hasErrors(diagnostics)) {
    view.diagnostics(diagnostics);
    return 1;
  }
  const json = (): readonly string[] => {
    const parts = shownJson(shown, context.world);
    return [...(values.redacted ? [redactedJson(parts.join(''))] : parts), '\n'];
  };
  const form = drawnForm(values);
  if (form !== undefined && shown.kind !== 'plan') {
    view.diagnostics([
      errorDiagnostic(
        'No plan to draw',
        `The option -${form} draws a plan that "${programCommand('plan -out=FILE')}" has saved here. The resources of the configuration and the state are drawn by "${programCommand('graph')} -${form}".`,
      ),
    ]);
    return 1;
  }
  try {
    if (form !== undefined && shown.kind === 'plan') view.print(drawnPlan(shown.plan, form));
    else if (values.json) await view.printParts(json());
    else await printShown(view, shown, values.summary);
    const { world } = into;
    if (world !== undefined) for (const part of json()) world.stdout.write(part);
  } catch (error) {
    if (!(error instanceof StateSchemaError)) throw error;
    view.complain(error.message);
    return 1;
  }
  return 0;
}

/** Returns the JSON form in parts, of which a large state has many. */
function shownJson(shown: Shown, { calledAs }: Pick<World, 'calledAs'>): readonly string[] {
  if (shown.kind === 'plan') return planJsonParts(shown.plan, { asOpenTofu: calledAs === 'tofu' });
  if (shown.kind === 'remote-plan') return [shown.plan.json];
  return stateJsonParts(shown.file, shown.schemas);
}

async function printShown(view: View, shown: Shown, summary: boolean): Promise<void> {
  const { style } = view;
  switch (shown.kind) {
    case 'plan':
      if (summary) view.print(planSummaryText(shown.plan, style));
      else await view.printParts(planTextParts(shown.plan, style));
      return;
    case 'remote-plan': {
      const { header, footer } = shown.plan;
      const [begin, end] = [`${header}\n`, `\n${footer}\n`];
      view.print(
        `${colorize(begin, style.color)}${shown.plan.text(style)}${colorize(end, style.color)}`,
      );
      return;
    }
    case 'state':
      if (shown.file === undefined) view.line('No state.');
      else view.print(stateText(shown.file.state, shown.schemas, style));
  }
}

function printConfiguration(
  view: View,
  { configuration, schemas, diagnostics }: ShownConfiguration,
): number {
  if (configuration === undefined) {
    view.diagnostics(diagnostics);
    return 1;
  }
  view.line(
    schemas === undefined
      ? singleModuleJson(configuration)
      : configurationJson(configuration, schemas),
  );
  return 0;
}

function argumentProblems(parsed: ShowFlags): Diagnostic[] {
  const { values, rest } = parsed;
  const problems = [...flagProblems(parsed), ...redactedProblems(values)];
  const form = drawnForm(values);
  if (form !== undefined && values.json) problems.push(incompatible(form, 'json'));
  if (values.summary && (values.json || form !== undefined))
    problems.push(incompatible('summary', form ?? 'json'));
  if (values.config && !values.json) {
    problems.push(
      errorDiagnostic(
        'JSON output required for configuration',
        'The -config option requires -json to be specified.',
      ),
    );
  }
  if (values.module !== '' && !values.json) {
    problems.push(
      errorDiagnostic(
        'JSON output required for module',
        'The -module=DIR option requires -json to be specified.',
      ),
    );
  }
  const { state, plan, config, module } = values;
  const kinds = [state, plan !== '', config, module !== ''].filter(Boolean).length;
  if (kinds === 0 && rest.length > 1) problems.push(tooManyArguments());
  if (kinds > 0 && rest.length > 0) {
    problems.push(
      errorDiagnostic(
        'Unexpected command line arguments',
        'This command does not expect any positional arguments when using a target-selection option.',
      ),
    );
  } else if (kinds > 1) {
    problems.push(
      errorDiagnostic(
        'Conflicting object types to show',
        'The -state, -plan=FILENAME, -config, and -module=DIR options are mutually-exclusive, to specify which kind of object to show.',
      ),
    );
  }
  return problems;
}

function incompatible(flag: string, other: string): Diagnostic {
  return errorDiagnostic(
    'Incompatible options',
    `The options -${flag} and -${other} exclude each other.`,
  );
}
