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

  Compares the configuration with the existing objects, and shows the actions
  that would make them match. Nothing is changed.

  The plan can be saved to a file. The "apply" command with that file performs
  exactly the planned actions.

Plan Customization Options:

  These options select the changes to plan. The "apply" command accepts them
  too, unless it applies a saved plan.

  -destroy            Plan to destroy all objects in the state, regardless of
                      the configuration.

  -allow-deferral     Defer resources that cannot be planned yet, and their
                      dependents, instead of failing: if count or for_each is
                      unknown, or if a provider defers the change.

  -exclude=resource   Exclude this module, resource or instance, and its
                      dependents, from the plan. May be repeated. Cannot be
                      combined with -target.

  -exclude-file=file  Exclude all addresses in this file, one per line. Lines
                      that start with "#" are comments.

  -invoke=action      Only plan to invoke this action, with values from the
                      state. If the action refers to its caller, -target
                      selects the resources that call it.

  -minimal-refresh    Only refresh objects with planned changes. Cannot be
                      combined with -refresh=false or -refresh-only.

  -refresh-only       Only detect changes outside of Terrane since the last
                      apply, and plan to record them in the state.

  -refresh=false      Don't detect changes outside of Terrane. Planning is
                      faster, but may be based on outdated values.

  -replace=resource   Plan to replace this resource instance, whether or not
                      its configuration has changed. May be given more than
                      once.

  -target=resource    Only plan for this module, resource or instance, and its
                      dependencies. May be given more than once. Use it in
                      exceptional situations only.

  -target-file=file   Target all addresses in this file, which has the format
                      of -exclude-file.

  -var 'foo=bar'      A value for a variable of the root module. May be given
                      more than once.

  -var-file=filename  A file with values for variables, in addition to
                      terraform.tfvars and *.auto.tfvars. May be given more
                      than once.

Other Options:

  -compact-warnings          Show only the summaries of warnings, unless there
                             are errors too.

  -concise                   Don't print the progress of operations.

  -consolidate-errors        Show errors with the same summary once, with
                             their number.

  -consolidate-warnings=false
                             Show all warnings, also those with the same
                             summary.

  -detailed-exitcode         Return the result of the plan as exit code:
                             0 - no changes
                             1 - an error
                             2 - changes

  -explain                   Also show the causes of each action, down to the
                             line or variable.

  -generate-config-out=path  Generate configuration for import blocks without
                             a resource block, and write it to this file,
                             which must not exist.

  -input=true                Prompt for variables without a value.

  -json                      Print one JSON object a line, for programs.

  -json-into=path            Write the output of -json to this file or pipe,
                             in addition to the usual output.

  -lock=true                 Lock the state also without -out. By default such
                             a plan uses a snapshot of the state.

  -lock=false                Don't lock the state with -out. The saved plan
                             may be stale if other commands run for the same
                             workspace at the same time.

  -lock-timeout=0s           The time to wait for a lock that another user
                             holds.

  -no-color                  Print without colors.

  -out=path                  Save the plan to this file. It may contain
                             secrets; only its owner can read it.

  -parallelism=n             The limit of concurrent operations; 10 by
                             default.

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

  -override-policy=name      Override the failure of this policy, if its level
                             is mandatory_overridable. May be given more than
                             once. Recorded with the reason.

  -reason=text               The reason for overrides of policies.

  -redacted                  With -json, guarantee that no sensitive value is
                             printed.

  -show-sensitive            Show sensitive values too.

  -summary                   Show a summary of the plan: its objects by module
                             and action, without values.

  -state=statefile           The state to plan for. Prefer the "path" argument
                             of the local backend.
`,
  async run(args, context) {
    const parsed = parseFlags(PLAN_FLAGS, args);
    return await (await import('./run.ts')).runPlan(parsed, context);
  },
};
