import { errorDiagnostic } from '@terrane/hcl';
import type { LockInfo } from '@terrane/host';
import { forceUnlock, inspectLock } from '@terrane/ops';
import { SHOW_HELP, type CommandContext } from '../command.ts';
import type { ForceUnlockFlags } from '../commands/force-unlock.ts';
import type { StateLockFlags } from '../commands/state-lock.ts';
import { paint } from '../views/paint.ts';
import { misused } from '../views/open-command-view.ts';
import { terminalAsk } from '../views/terminal-ask.ts';
import { projectOf } from './project-of.ts';
import { commandViewFor, projectFor, tell, viewFor } from './views-for.ts';

/** Shows who holds the lock of a state. */
export async function runStateLock(
  parsed: StateLockFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { result, diagnostics } = await inspectLock(projectOf(context));
  tell(view, diagnostics);
  if (result === undefined) return 1;
  const { workspace, holder } = result;
  if (parsed.values.json) {
    view.line(JSON.stringify({ workspace, lock: holder === undefined ? null : jsonOf(holder) }));
    return 0;
  }
  if (holder === undefined) {
    view.line(`Nobody holds the lock of workspace ${JSON.stringify(workspace)}.`);
    return 0;
  }
  const { id, path, operation, who, version, created, info, lease } = holder;
  const rows: readonly (readonly [string, string])[] = [
    ['ID', id],
    ['Path', path],
    ['Operation', operation],
    ['Who', who],
    ['Version', version],
    ['Created', created],
    ['Info', info],
    ...(lease === undefined ? [] : [['Expires', lease.expires] as const]),
  ];
  view.line(`The lock of workspace ${JSON.stringify(workspace)} is held:`);
  for (const [name, value] of rows) view.line(`  ${`${name}:`.padEnd(11)}${value}`.trimEnd());
  return 0;
}

function jsonOf({ id, path, operation, who, version, created, info, lease }: LockInfo): object {
  return { id, path, operation, who, version, created, info, ...(lease && { lease }) };
}

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
    return misused(parsed);
  }
  const { force, json } = parsed.values;
  if (json && !force) {
    view.diagnostics([
      errorDiagnostic(
        'Invalid usage',
        'Terraform cannot ask user input when `-json` flag is used. Therefore, `-force` is required too',
      ),
    ]);
    return 1;
  }
  const { world } = context;
  const { result, diagnostics } = await forceUnlock(projectFor(parsed, context), id, {
    force,
    ask: terminalAsk(world, view.style.color),
  });
  tell(view, diagnostics);
  if (result === undefined) return 1;
  if (result === 'cancelled') {
    view.line('force-unlock cancelled.', { message: 'force-unlock cancelled' });
    return 1;
  }
  const { color } = view.style;
  const title = paint(color, 'Terraform state has been successfully unlocked!', 'bold', 'green');
  const text =
    '\nThe state has been unlocked, and Terraform commands should now be able to\nobtain a new lock on the remote state.';
  view.line(`${title}\n${paint(color, text, 'green')}`, {
    message: text.replaceAll('\n', ' ').trim(),
  });
  return 0;
}
