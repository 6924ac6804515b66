import type { LockInfo } from '@terrane/host';
import { inspectLock } from '@terrane/ops';
import { SHOW_HELP, type CommandContext } from '../../command.ts';
import type { StateLockFlags } from './flags.ts';
import { projectOf } from '../../run/project-of.ts';
import { printDiagnostics, viewFor } from '../../run/views-for.ts';

/** Shows who holds the lock of a state. */
export async function runStateLock(
  parsed: StateLockFlags,
  context: CommandContext,
): Promise<number> {
  const view = viewFor(parsed, context);
  if (view === undefined) return SHOW_HELP;
  const { result, diagnostics } = await inspectLock(projectOf(context));
  printDiagnostics(view, diagnostics);
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
