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

  Shows who holds the lock of the selected workspace's state, since when, and
  what for. The lock is left as it is: "terrane force-unlock" removes one that
  nobody will give back any more.

Options:

  -json                  Show it as JSON: {"workspace": …, "lock": null or {…}}.
`,
  async run(args, context) {
    const parsed = parseFlags(STATE_LOCK_FLAGS, args);
    return await (await import('./run.ts')).runStateLock(parsed, context);
  },
};
