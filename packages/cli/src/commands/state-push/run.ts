import { hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import { pushState } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { StatePushFlags } from './flags.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';

/** Replaces the state by one from a file or the input. */
export async function runStatePush(
  parsed: StatePushFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const [path, ...more] = parsed.rest;
  if (path === undefined || more.length > 0) {
    view.complain('Exactly one argument expected.\n');
    return usageErrorCode(parsed);
  }
  const project = projectFor(parsed, context);
  let bytes: Uint8Array;
  try {
    bytes =
      path === '-'
        ? new TextEncoder().encode(await context.world.stdin.readAll())
        : await project.host.files.readFile(path);
  } catch (error) {
    view.complain(userErrorText(error, path));
    return 1;
  }
  const request = { bytes, name: path, force: parsed.values.force };
  const options = stateOptions(parsed.values);
  const diagnostics = await pushState(project, request, options, waitingPorts(view));
  printDiagnostics(view, diagnostics);
  return hasErrors(diagnostics) ? 1 : 0;
}
