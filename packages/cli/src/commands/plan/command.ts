import type { Command } from '../../command.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { PLAN_FLAGS } from './flags.ts';

/** `terrane plan` */
export const command: Command = {
  name: 'plan',
  summary: 'Show changes required by the current configuration',
  flags: PLAN_FLAGS,
  help: `
Usage: terrane [global options] plan [options]

  Compares the configuration with what exists, and shows which actions would
  make the two equal. Nothing is changed.

  The plan can be saved to a file. Given that file, the "apply" command takes
  exactly the actions that were shown.

Plan Customization Options:

  These options decide what is planned. The "apply" command knows them too,
  where it is not given a saved plan.

  -destroy            Plan to destroy everything that the state records,
                      instead of what the configuration asks for.

  -allow-deferral     Leave what cannot be planned yet to a later plan, with
                      all that builds on it, instead of failing: where count
                      or for_each is not known, or a provider says so.

  -exclude=resource   Plan for everything but this module, resource or
                      instance, and what builds on it. May be given more than
                      once, and not together with -target.

  -exclude-file=file  The same for all addresses in this file, one in each line.
                      Lines that begin with "#" are comments.

  -invoke=action      Only plan to invoke this action, with what the state
                      says. With -target, the resources that it is called
                      for can be chosen, where it asks for its caller.

  -minimal-refresh    Only look at what something is planned for. Not
                      together with -refresh=false or -refresh-only.

  -refresh-only       Only look at what has changed outside since the last
                      apply, and plan to record that in the state.

  -refresh=false      Don't look at what has changed outside. Planning is
                      faster then, but may be based on what is no longer true.

  -replace=resource   Plan to replace this resource instance, whether or not
                      its configuration has changed. May be given more than
                      once.

  -target=resource    Only plan for this module, resource or instance, and for
                      what it depends on. May be given more than once. This is
                      for exceptional situations.

  -target-file=file   The same for all addresses in this file, as in
                      -exclude-file.

  -var 'foo=bar'      A value for a variable of the root module. May be given
                      more than once.

  -var-file=filename  A file with values for variables, besides those that are
                      always read: terraform.tfvars and *.auto.tfvars. May be
                      given more than once.

Other Options:

  -compact-warnings          Show only the summaries of warnings, unless there
                             are errors too.

  -concise                   Say nothing of what is in progress.

  -consolidate-errors        Show errors with the same summary once, and how
                             many more of them there are.

  -consolidate-warnings=false
                             Show all warnings, also those with the same
                             summary.

  -detailed-exitcode         Tell by the exit code what the plan holds:
                             0 - no changes
                             1 - an error
                             2 - changes

  -explain                   Also show why each action is planned, down to
                             the line or variable that is behind it.

  -generate-config-out=path  Write configuration for objects of import blocks
                             that have none into this file, which must not be
                             there yet.

  -input=true                Ask for variables that have no value.

  -json                      Print one JSON object a line, for programs.

  -json-into=path            Write what -json prints into this file or pipe,
                             besides showing the plan to people.

  -lock=true                 Lock the state also without -out, where a plan
                             otherwise uses a snapshot of the state.

  -lock=false                Don't lock the state with -out. The saved plan
                             may be out of date if others run commands for
                             the same workspace at the same time.

  -lock-timeout=0s           How long to wait for a lock that another user
                             holds.

  -no-color                  Print without colors.

  -out=path                  Save the plan under this name. The file may hold
                             secrets; only its owner can read it.

  -parallelism=n             How many operations may run at the same time; 10
                             by default.

  -policies=path             Evaluate the policies in this file or directory:
                             Terraform Policy files (.policy.hcl). May be given
                             more than once.

  -policy-input 'foo=bar'    A value for an input of the policies. May be given
                             more than once.

  -policy-report-only        Report failures of policies as warnings. They are
                             recorded in the saved plan, and an apply with the
                             same policies enforces them.

  -policy-sarif=path         Write the results of the policies into this file,
                             as SARIF.

  -override-policy=name      Go on although this policy fails, if its level is
                             mandatory_overridable. May be given more than
                             once. Recorded with the reason.

  -reason=text               Why policies are overridden.

  -redacted                  With -json, guarantee that no sensitive value is
                             printed.

  -show-sensitive            Show sensitive values too.

  -summary                   Show in short what is planned: which objects, by
                             module and action, without their values.

  -state=statefile           The state to plan for. Prefer the "path" argument
                             of the local backend.
`,
  async run(args, context) {
    const parsed = parseFlags(PLAN_FLAGS, args);
    return await (await import('./run.ts')).runPlan(parsed, context);
  },
};
