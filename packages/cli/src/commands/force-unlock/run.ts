import { inProductName } from '@terrane/host';
import { errorDiagnostic } from '@terrane/hcl';
import { forceUnlock } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { ForceUnlockFlags } from './flags.ts';
import { paint } from '../../views/paint.ts';
import { usageErrorCode } from '../../views/open-command-view.ts';
import { terminalAsk } from '../../views/terminal-ask.ts';
import { commandViewFor, projectFor, printDiagnostics } from '../../run/views-for.ts';

/** Removes a lock. */
export async function runForceUnlock(
  parsed: ForceUnlockFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const [id] = parsed.rest;
  if (parsed.rest.length !== 1 || id === undefined) {
    view.complain('Expected a single argument: LOCK_ID');
    return usageErrorCode(parsed);
  }
  const { force, json } = parsed.values;
  if (json && !force) {
    view.diagnostics([
      errorDiagnostic(
        'Invalid usage',
        inProductName(
          'Terraform cannot ask user input when `-json` flag is used. Therefore, `-force` is required too',
        ),
      ),
    ]);
    return 1;
  }
  const { world } = context;
  const { result, diagnostics } = await forceUnlock(projectFor(parsed, context), id, {
    force,
    ask: terminalAsk(world, view.style.color),
  });
  printDiagnostics(view, diagnostics);
  if (result === undefined) return 1;
  if (result === 'cancelled') {
    view.line('force-unlock cancelled.', { message: 'force-unlock cancelled' });
    return 1;
  }
  const { color } = view.style;
  const title = paint(
    color,
    inProductName('Terraform state has been successfully unlocked!'),
    'bold',
    'green',
  );
  const text = inProductName(
    '\nThe state has been unlocked, and Terraform commands should now be able to\nobtain a new lock on the remote state.',
  );
  view.line(`${title}\n${paint(color, text, 'green')}`, {
    message: text.replaceAll('\n', ' ').trim(),
  });
  return 0;
}
