import { hasErrors } from '@terrane/hcl';
import { forget } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { StateRmFlags } from './flags.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';

/** Removes instances from the state. */
export async function runStateRm(parsed: StateRmFlags, context: CommandContext): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  if (rest.length === 0) {
    view.complain('At least one address is required.\n');
    return usageErrorCode(parsed);
  }
  const dryRun = values['dry-run'];
  const options = { ...stateOptions(values), dryRun };
  const { result, diagnostics } = await forget(
    projectFor(parsed, context),
    rest,
    options,
    waitingPorts(view),
  );
  for (const addr of result ?? []) view.line(`${dryRun ? 'Would remove' : 'Removed'} ${addr.text}`);
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  if (!dryRun) {
    const message = `Successfully removed ${result.length} resource instance(s)`;
    view.line(`${message}.`, { message });
  } else if (result.length === 0) {
    view.line('Would have removed nothing.', { message: 'Would have removed nothing' });
  }
  return 0;
}
