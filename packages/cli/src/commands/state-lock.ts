import type { Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags, type FlagTable, type ParsedFlags } from '../flags/parse-flags.ts';

/** What the command line of `state lock` says. */
export interface StateLockValues {
  readonly json: boolean;
}

const FLAGS: FlagTable<StateLockValues> = { json: bool(false) };

/** The command line of it, read. */
export type StateLockFlags = ParsedFlags<StateLockValues>;

/** `terrane state lock` */
export const command: Command = {
  name: 'state lock',
  summary: 'Show who holds the lock of the state',
  flags: FLAGS,
  help: `
Usage: terrane [global options] state lock [options]

  Shows who holds the lock of the selected workspace's state, since when, and
  what for. The lock is left as it is: "terrane force-unlock" removes one that
  nobody will give back any more.

Options:

  -json                  Show it as JSON: {"workspace": …, "lock": null or {…}}.
`,
  async run(args, context) {
    const parsed = parseFlags(FLAGS, args);
    return await (await import('../runs/run-state-lock.ts')).runStateLock(parsed, context);
  },
};
