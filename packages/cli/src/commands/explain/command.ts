import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { EXPLAIN_FLAGS } from './flags.ts';

/** `terrane explain` */
export const command: Command = {
  name: 'explain',
  summary: 'Show why something is planned, or is not',
  flags: EXPLAIN_FLAGS,
  help: `
Usage: terrane [global options] explain [options] ADDRESS [PLAN]

  Explains a planned action: the chain of causes, down to a line, variable,
  option or change outside of Terrane. For unchanged objects, explains why no
  action is planned; for attributes that are known after apply, the values
  that they depend on.

  ADDRESS is a resource instance, a resource, a module, an attribute of an
  instance (test_thing.a.name), an output value (output.x) or an action, as
  the plan shows them.

  PLAN is a plan that was saved with "plan -out". By default, creates a plan
  with the options below and discards it. Nothing is changed.

Options:

  -destroy, -invoke=action, -refresh-only, -refresh=false,
  -replace=resource, -target=resource, -target-file=file, -exclude=resource,
  -exclude-file=file, -var 'foo=bar', -var-file=filename
                      Options of the "plan" command for the new plan. They
                      cannot be used with a saved plan.

  -input=true         Prompt for variables without a value.

  -json               Print JSON in the format that docs/explain.md describes.

  -lock=true          Lock the state while planning, instead of using a
                      snapshot of it.

  -lock-timeout=0s    The time to wait for a lock that another user holds.

  -no-color           Print without colors.

  -parallelism=n      The limit of concurrent operations; 10 by
                      default.
`,
  async run(args, context) {
    const parsed = parseFlags(EXPLAIN_FLAGS, args);
    return await (await import('./run.ts')).runExplain(parsed, context);
  },
};
