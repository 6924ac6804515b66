import { hasErrors } from '@terrane/hcl';
import { move } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { StateMvFlags } from './flags.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';

/** Moves objects to other addresses. */
export async function runStateMv(parsed: StateMvFlags, context: CommandContext): Promise<number> {
  const view = commandViewFor(parsed, context);
  if (view === undefined) return 1;
  const { values, rest } = parsed;
  const [from, to, ...more] = rest;
  if (from === undefined || to === undefined || more.length > 0) {
    view.complain('Exactly two arguments expected.\n');
    return usageErrorCode(parsed);
  }
  const dryRun = values['dry-run'];
  const { backup, lock, state } = values;
  const request = {
    from,
    to,
    dryRun,
    outPath: values['state-out'],
    outBackupPath: values['backup-out'],
  };
  const options = stateOptions({
    backup,
    lock,
    state,
    'lock-timeout': values['lock-timeout'],
    'ignore-remote-version': values['ignore-remote-version'],
  });
  const { result, diagnostics } = await move(
    projectFor(parsed, context),
    request,
    options,
    waitingPorts(view),
  );
  for (const each of result ?? []) {
    view.line(
      `${dryRun ? 'Would move' : 'Move'} ${JSON.stringify(each.from)} to ${JSON.stringify(each.to)}`,
    );
  }
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics) || result === undefined) return 1;
  const message =
    result.length > 0
      ? `Successfully moved ${result.length} object(s)`
      : dryRun
        ? 'Would have moved nothing'
        : 'No matching objects found';
  if (!dryRun || result.length === 0) view.line(`${message}.`, { message });
  return 0;
}
