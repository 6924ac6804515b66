import { SHOW_HELP, type Command } from '../../command.ts';

/** `terrane policy` */
export const command: Command = {
  name: 'policy',
  summary: 'Validate and test policies',
  help: `
Usage: terrane [global options] policy <subcommand> [options] [args]

  The subcommands of this command validate and test policy files, which end
  in .policy.hcl. The commands "plan" and "apply" evaluate them with the
  option -policies.
`,
  run: () => Promise.resolve(SHOW_HELP),
};
