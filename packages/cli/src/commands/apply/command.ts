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

  Makes what exists equal to what the configuration in this directory asks
  for.

  Without a plan file, a plan is made and shown, and nothing happens before
  you approve it. Given a file that "terrane plan -out" has written, exactly
  the actions of that plan are taken, without a question.

Options:

  -auto-approve          Don't ask for approval.

  -backup=path           Where to keep the state as it was before. By default
                         this is the name of the new state with ".backup"
                         added. "-" means nowhere.

  -compact-warnings      Show only the summaries of warnings, unless there are
                         errors too.

  -concise               Say nothing of what is in progress.

  -invoke=action         Only invoke this action, with what the state says.

  -destroy               Destroy everything that the state records. The command
                         "terrane destroy" is short for this.

  -input=true            Ask for variables that have no value.

  -json                  Print one JSON object a line, for programs.

  -json-into=path        Write what -json prints into this file or pipe,
                         besides what people are shown.

  -lock=false            Don't lock the state while working. This is dangerous
                         if others might run commands for the same workspace at
                         the same time.

  -lock-timeout=0s       How long to wait for a lock that another user holds.

  -no-color              Print without colors.

  -parallelism=n         How many operations may run at the same time; 10 by
                         default.

  -state=path            The state to read, and to write unless -state-out says
                         otherwise; "terraform.tfstate" by default.

  -state-out=path        Where to write the state, to keep the old one as it is.

  -override-policy=name  Go on although this policy fails, if its level is
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

  -reason=text           Why policies are overridden.

  -show-sensitive        Show sensitive values too.

  -summary               Show in short what is planned: which objects, by
                         module and action, without their values.

  -suppress-forget-errors
                         Don't fail when everything is destroyed but objects
                         that "destroy = false" in a file of OpenTofu leaves as
                         they are.

  -var 'foo=bar'         A value for a variable of the root module. May be given
                         more than once.

  -var-file=filename     A file with values for variables, besides those that
                         are always read: terraform.tfvars and *.auto.tfvars.
                         May be given more than once.

  Without a plan file this command also knows the options by which "terrane
  plan" is told what to plan. To see them, run:
      terrane plan -help
`,
  async run(args, context) {
    const parsed = parseFlags(APPLY_FLAGS, args);
    return await (await import('./run.ts')).runApply(parsed, context, false);
  },
};
