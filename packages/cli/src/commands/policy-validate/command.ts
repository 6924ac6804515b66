import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { POLICY_VALIDATE_FLAGS } from './flags.ts';

/** `terrane policy validate` */
export const command: Command = {
  name: 'policy validate',
  summary: 'Check whether policy files are valid',
  flags: POLICY_VALIDATE_FLAGS,
  help: `
Usage: terrane [global options] policy validate [options] [path...]

  Checks policy files by themselves: their syntax, references, functions and
  enforcement levels. Paths are files or directories, which are searched with
  their subdirectories for files that end in .policy.hcl; the current
  directory by default.

Options:

  -json            Print the result as JSON.

  -no-color        Print without colors.

  -policies=path   Another path of policies. May be given more than once.
`,
  async run(args, context) {
    const parsed = parseFlags(POLICY_VALIDATE_FLAGS, args);
    return await (await import('./run.ts')).runPolicyValidate(parsed, context);
  },
};
