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

  Shows why a plan does what it does with something: the chain of causes
  down to the line, variable, option or change outside that is behind it. Of
  what stays as it is, shows why nothing happens; of an attribute that is
  only known after apply, what it waits for.

  ADDRESS is a resource instance, a resource, a module, an attribute of an
  instance (test_thing.a.name), an output value (output.x) or an action, as
  the plan shows them.

  PLAN is a plan that was saved with "plan -out". Without it a plan is made,
  with the options below, and dropped. Nothing is changed.

Options:

  -destroy, -invoke=action, -refresh-only, -refresh=false,
  -replace=resource, -target=resource, -target-file=file, -exclude=resource,
  -exclude-file=file, -var 'foo=bar', -var-file=filename
                      As of the "plan" command: they decide which plan is
                      made, and cannot be used with a saved one.

  -input=true         Ask for variables that have no value.

  -json               Print as JSON, in the form that docs/explain.md tells.

  -lock=true          Lock the state while planning, instead of using a
                      snapshot of it.

  -lock-timeout=0s    How long to wait for a lock that another user holds.

  -no-color           Print without colors.

  -parallelism=n      How many operations may run at the same time; 10 by
                      default.
`,
  async run(args, context) {
    const parsed = parseFlags(EXPLAIN_FLAGS, args);
    return await (await import('./run.ts')).runExplain(parsed, context);
  },
};
