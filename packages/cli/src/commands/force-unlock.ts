import { SHOW_HELP, type Command } from '../command.ts';
import { bool } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';

const FLAGS = { force: bool(false) };

/** `terrane force-unlock` */
export const command: Command = {
  name: 'force-unlock',
  summary: 'Release a stuck lock on the current workspace',
  help: `
Usage: terrane [global options] force-unlock LOCK_ID

  Removes a lock that a run has left behind.

  Locks of states on this machine end with the process that holds them, so
  there is never one to remove: if a state is locked, a run is going on.

Options:

  -force                 Don't ask for confirmation.
`,
  run(args, context) {
    const { rest, error } = parseFlags(FLAGS, args);
    const { stderr } = context.world;
    if (error !== undefined) {
      stderr.write(`Error parsing command-line flags: ${error}\n\n`);
      return Promise.resolve(1);
    }
    if (rest.length !== 1) {
      stderr.write('Expected a single argument: LOCK_ID\n');
      return Promise.resolve(SHOW_HELP);
    }
    stderr.write('Local state cannot be unlocked by another process\n');
    return Promise.resolve(1);
  },
};
