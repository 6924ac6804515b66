import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { getModules, type InitEvent } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { GetFlags } from './flags.ts';
import { jsonInto } from '../../views/json-into.ts';
import { JsonView } from '../../views/json-view.ts';
import { downloadText, modulesLockedText } from '../../run/module-texts.ts';
import { variableOptions } from '../../run/operation-arguments.ts';
import { projectOf } from '../../run/project-of.ts';
import { viewFor } from '../../run/views-for.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';

/** Installs the modules of the configuration. */
export async function runGet(parsed: GetFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  if (parsed.rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const into = jsonInto(parsed.values, context);
  const programs = [
    ...(parsed.values.json ? [context.world] : []),
    ...(into.world === undefined ? [] : [into.world]),
  ].map((world) => new JsonView(world));
  const textView = parsed.values.json ? undefined : view;
  const printEvent = (event: InitEvent): void => {
    const text = textOf(event);
    if (text === undefined) return;
    textView?.line(text);
    for (const each of programs) each.log(text);
  };
  const report = (diagnostics: readonly Diagnostic[]): number => {
    textView?.separateDiagnostics(diagnostics);
    for (const each of programs) each.diagnostics(diagnostics);
    return hasErrors(diagnostics) ? 1 : 0;
  };
  if (into.problems.length > 0) return report(into.problems);
  const project = projectOf(context, variableOptions(parsed.occurrences));
  const diagnostics = await untilInterrupted<readonly Diagnostic[]>(
    context.world,
    async (signal) => {
      const { update: upgrade, 'test-directory': testDirectory } = parsed.values;
      return await getModules(project, { upgrade, testDirectory, signal }, printEvent);
    },
  );
  return report(diagnostics);
}

function textOf(event: InitEvent): string | undefined {
  if (event.kind === 'download') return downloadText(event);
  if (event.kind === 'modules-locked') return modulesLockedText(event);
  if (event.kind === 'module') return `- ${event.path} in ${event.directory}`;
  return undefined;
}
