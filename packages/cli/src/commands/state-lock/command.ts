import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { STATE_LOCK_FLAGS } from './flags.ts';

/** `terrane state lock` */
export const command: Command = {
  name: 'state lock',
  summary: 'Show who holds the lock of the state',
  flags: STATE_LOCK_FLAGS,
  help: `
Usage: terrane [global options] state lock [options]

  Shows the holder of the lock of the selected workspace's state, the time and
  the operation. The lock is not changed; "terrane force-unlock" removes a
  stale one.

Options:

  -json                  Show it as JSON: {"workspace": …, "lock": null or {…}}.
`,
  async run(args, context) {
    const parsed = parseFlags(STATE_LOCK_FLAGS, args);
    return await (await import('./run.ts')).runStateLock(parsed, context);
  },
};
