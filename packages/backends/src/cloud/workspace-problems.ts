import type { BackendProblem } from '../backend.ts';

/** Terraform's description of the arguments of `workspaces` in a `cloud` block. */
const HELP = `The 'workspaces' block configures how Terraform CLI maps its workspaces for this single
configuration to workspaces within an HCP Terraform or Terraform Enterprise organization. Two strategies are available:

[bold]tags[reset] - A set of tags used to select remote HCP Terraform or Terraform Enterprise workspaces to be used for this single
configuration. New workspaces will automatically be tagged with these tag values. Generally, this
is the primary and recommended strategy to use.  This option conflicts with "name".

[bold]name[reset] - The name of a single HCP Terraform or Terraform Enterprise workspace to be used with this configuration.
When configured, only the specified workspace can be used. This option conflicts with "tags"
and with the TF_WORKSPACE environment variable.`;

/** The error for a `workspaces` block without a name or tags. */
export const NOTHING_MAPPED: BackendProblem = invalid(
  'Missing workspace mapping strategy. Either workspace "tags" or "name" is required.',
);
/** Both a name and tags are set. */
export const TAGS_AND_NAME: BackendProblem = invalid(
  'Only one of workspace "tags" or "name" is allowed.',
);
/** The environment names another workspace than the configuration. */
export const NAME_CONFLICT: BackendProblem = invalid(
  'Specified workspace "name" conflicts with TF_WORKSPACE environment variable.',
);

function invalid(reason: string): BackendProblem {
  return {
    severity: 'error',
    summary: 'Invalid workspaces configuration',
    detail: `${reason}\n\n${HELP}`,
    argument: ['workspaces'],
  };
}
