import type { CommandView } from '../../views/command-view.ts';

/** Returns the only argument of a command, the ID of a run; undefined after reporting another number of arguments. */
export function runArgument(
  view: Pick<CommandView, 'complain'>,
  command: string,
  [id, ...more]: readonly string[],
): string | undefined {
  if (id !== undefined && more.length === 0) return id;
  view.complain(`The ${command} command expects exactly one argument, the ID of a run.\n`);
  return undefined;
}
