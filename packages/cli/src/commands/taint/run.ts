import { hasErrors } from '@terrane/hcl';
import { taint } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { TaintFlags } from './flags.ts';
import { stateOptions } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor, printDiagnostics, waitingPorts } from '../../run/views-for.ts';

/** Marks an object as to be replaced, or takes the mark away. */
export async function runTaint(
  action: 'taint' | 'untaint',
  parsed: TaintFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const [address, ...more] = parsed.rest;
  if (address === undefined || more.length > 0) {
    view.complain(`The ${action} command expects exactly one argument.`);
    view.complainPlainly(context.help);
    return 1;
  }
  const { values } = parsed;
  const dryRun = values['dry-run'];
  const options = { ...stateOptions(values), allowMissing: values['allow-missing'], dryRun };
  const { result, diagnostics } = await taint(
    projectFor(parsed, context),
    action,
    address,
    options,
    waitingPorts(view),
  );
  printDiagnostics(view, diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (result !== undefined) {
    const done = dryRun
      ? `would be ${action}ed`
      : action === 'taint'
        ? 'has been marked as tainted'
        : 'has been successfully untainted';
    view.line(`Resource instance ${result.text} ${done}.`);
  }
  return 0;
}
