import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { validate, type Project } from '@terrane/ops';
import { validateJson, wordWrap } from '@terrane/render';
import { resolve } from 'node:path';
import type { CommandContext } from '../../command.ts';
import type { ValidateFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { paint } from '../../views/paint.ts';
import { View } from '../../views/view.ts';
import { flagProblems, variableOptions, tooManyArguments } from '../../run/operation-arguments.ts';
import { projectIn, projectOf } from '../../run/project-of.ts';

/** Validates the configuration and prints the diagnostics. */
export async function runValidate(parsed: ValidateFlags, context: CommandContext): Promise<number> {
  const { values, rest } = parsed;
  const view = new View(context);
  const into = jsonInto(values, context);
  const problems = [...flagProblems(parsed), ...into.problems];
  if (rest.length > 1) {
    problems.push(tooManyArguments());
  }
  if (hasErrors(problems)) {
    view.diagnostics(problems);
    view.helpPrompt('validate');
    return 1;
  }
  const printDiagnostics = (diagnostics: readonly Diagnostic[]): void => {
    into.world?.stdout.write(`${validateJson(diagnostics)}\n`);
    if (values.json) view.line(validateJson(diagnostics));
    else if (diagnostics.length > 0) view.diagnostics(diagnostics);
  };
  const directory = resolve(context.directory, rest[0] ?? '.');
  if (context.world.kindOf(directory) !== 'directory') {
    const summary = 'Failed to read module directory';
    const detail = `Module directory ${rest[0] ?? '.'} does not exist or cannot be read.`;
    const missing = [errorDiagnostic(summary, detail)];
    printDiagnostics(missing);
    return 1;
  }
  const variables = variableOptions(parsed.occurrences);
  const project: Project =
    directory === context.directory
      ? projectOf(context, variables)
      : projectIn(context.world, directory, context.originalDirectory, variables);
  const tests = values['no-tests'] ? undefined : values['test-directory'];
  const diagnostics = await validate(project, tests, values.query);
  printDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (!values.json) {
    const { color, width } = view.style;
    const success = paint(color, 'Success!', 'green', 'bold');
    const rest =
      diagnostics.length === 0 ? '.' : ', but there were some validation warnings as shown above.';
    view.line(wordWrap(`${success} The configuration is valid${rest}\n`, width));
  }
  return 0;
}
