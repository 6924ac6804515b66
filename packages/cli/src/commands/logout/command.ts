import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';

/** `terrane logout` */
export const command: Command = {
  name: 'logout',
  summary: 'Remove locally-stored credentials for a remote host',
  help: `
Usage: terrane [global options] logout [hostname]

  Removes the token that "terrane login" has stored for a host; the default is
  app.terraform.io.

  The token itself stays valid until you revoke it at the host.
`,
  async run(args, context) {
    const { rest, error } = parseFlags({}, args);
    const { stderr } = context.world;
    if (error !== undefined) {
      stderr.write(`${context.help}${error}\n`);
      return 1;
    }
    if (rest.length > 1) {
      stderr.write(
        `The logout command expects at most one argument: the host to log out of.\n${context.help}`,
      );
      return 1;
    }
    return await (await import('./run.ts')).runLogout(rest[0], context);
  },
};
