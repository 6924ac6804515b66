import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { APPLY_FLAGS } from './flags.ts';

/** `terrane apply` */
export const command: Command = {
  name: 'apply',
  summary: 'Create or update infrastructure',
  flags: APPLY_FLAGS,
  help: `
Usage: terrane [global options] apply [options] [PLAN]

  Creates, updates or destroys objects to match the configuration in this
  directory.

  Without a plan file, creates and shows a plan, and prompts for approval
  before it changes anything. With a file written by "terrane plan -out",
  performs exactly the actions of that plan, without a prompt.

Options:

  -auto-approve          Don't prompt for approval.

  -backup=path           The file for a backup of the previous state. By
                         default this is the name of the new state with
                         ".backup" appended. "-" disables the backup.

  -compact-warnings      Show only the summaries of warnings, unless there are
                         errors too.

  -concise               Don't print the progress of operations.

  -invoke=action         Only invoke this action, with values from the state.

  -destroy               Destroy all objects in the state. The command "terrane
                         destroy" is short for this.

  -input=true            Prompt for variables without a value.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write the output of -json to this file or pipe, in
                         addition to the usual output.

  -lock=false            Don't lock the state. This is dangerous if other
                         commands may run for the same workspace at the same
                         time.

  -lock-timeout=0s       The time to wait for a lock that another user holds.

  -no-color              Print without colors.

  -parallelism=n         The limit of concurrent operations; 10 by
                         default.

  -state=path            The state to read, and to write without -state-out;
                         "terraform.tfstate" by default.

  -state-out=path        The file for the new state; keeps the old one.

  -override-policy=name  Override the failure of this policy, if its level is
                         mandatory_overridable. May be given more than once.
                         Recorded with the reason.

  -policies=path         Evaluate the policies in this file or directory:
                         Terraform Policy files (.policy.hcl). May be given
                         more than once.

  -policy-input 'foo=bar'
                         A value for an input of the policies. May be given
                         more than once.

  -policy-sarif=path     Write the results of the policies into this file, as
                         SARIF.

  -reason=text           The reason for overrides of policies.

  -show-sensitive        Show sensitive values too.

  -summary               Show a summary of the plan: its objects by module and
                         action, without values.

  -suppress-forget-errors
                         Don't fail if a complete destroy leaves objects in
                         place because of "destroy = false" in a file of
                         OpenTofu.

  -var 'foo=bar'         A value for a variable of the root module. May be given
                         more than once.

  -var-file=filename     A file with values for variables, in addition to
                         terraform.tfvars and *.auto.tfvars. May be given more
                         than once.

  Without a plan file this command also accepts the plan customization options
  of "terrane plan". To see them, run:
      terrane plan -help
`,
  async run(args, context) {
    const parsed = parseFlags(APPLY_FLAGS, args);
    return await (await import('./run.ts')).runApply(parsed, context, false);
  },
};
