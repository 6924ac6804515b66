import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { LOGIN_FLAGS } from './flags.ts';

/** `terrane login` */
export const command: Command = {
  name: 'login',
  summary: 'Obtain and save credentials for a remote host',
  flags: LOGIN_FLAGS,
  help: `
Usage: terrane [global options] login [hostname]

  Obtains a token for a host, app.terraform.io unless another one is named,
  and stores it for all later commands: with the credentials helper that the
  CLI configuration names, or else in credentials.tfrc.json in the directory
  .terraform.d of your home.

  A host that supports it asks you to agree in your browser; the program that
  BROWSER names is started for it, or that of the system. With others you
  make a token on a page of theirs and paste it.
`,
  async run(args, context) {
    const { values, rest, error } = parseFlags(LOGIN_FLAGS, args);
    const { stderr } = context.world;
    if (error !== undefined) {
      stderr.write(`${context.help}${error}\n`);
      return 1;
    }
    if (rest.length > 1) {
      stderr.write(
        `The login command expects at most one argument: the host to log in to.\n${context.help}`,
      );
      return 1;
    }
    return await (await import('./run.ts')).runLogin(rest[0], values.input, context);
  },
};
