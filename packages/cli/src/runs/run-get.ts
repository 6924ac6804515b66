import { hasErrors } from '@terrane/hcl';
import { initialise, type InitEvent } from '@terrane/ops';
import type { CommandContext } from '../command.ts';
import type { GetFlags } from '../commands/get.ts';
import { variableOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';
import { viewFor } from './run-state.ts';

/** Lists the modules of the configuration. */
export async function runGet(parsed: GetFlags, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return 1;
  if (parsed.rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const tell = (event: InitEvent): void => {
    if (event.kind === 'module') view.line(`- ${event.path} in ${event.directory}`);
  };
  const { diagnostics, loaded } = await initialise(
    projectOf(context, variableOptions(parsed.given)),
    { backend: false },
    tell,
  );
  // Providers are no concern of this command.
  const relevant = loaded ? [] : diagnostics;
  view.separateDiagnostics(relevant);
  return hasErrors(relevant) ? 1 : 0;
}
