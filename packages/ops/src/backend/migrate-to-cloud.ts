import { quoteText } from '@terrane/cty';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Question } from '../ask.ts';
import type { Project } from '../project.ts';
import { errorOf, joinedError, plainError } from '../run-ports.ts';
import { stateManagerOf } from '../state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from '../state-options.ts';
import { DEFAULT_WORKSPACE, selectedWorkspace, selectWorkspace } from '../workspace.ts';
import { workspaceNames } from '../workspaces.ts';
import type { InitBackendOptions } from './init-options.ts';
import {
  askNewName,
  confirm,
  isEmpty,
  migrateState,
  NO_INPUT,
  type NamedBackend,
} from './migrate-states.ts';

/** Copies states of a backend to the workspaces of a `cloud` block, after confirmation. */
export async function migrateToCloud(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const { backend } = to;
  const cloud = backend.kind === 'opened' ? backend.backend.cloud : undefined;
  if (cloud === undefined) return [];
  const { appName, name: only } = cloud;
  try {
    const names = await workspaceNames(project, from.backend);
    const { name: current } = await selectedWorkspace(project);
    if (names.length <= 1) {
      if (await isEmptyState(project, from, current)) return [];
      const goes = await isConfirmed(options, {
        id: 'backend-migrate-state-single-to-cloud-single',
        query: 'Do you wish to proceed?',
        description: `As part of migrating to ${appName}, Terraform can optionally copy
your current workspace state to the configured ${appName} workspace.

Answer "yes" to copy the latest state snapshot to the configured
${appName} workspace.

Answer "no" to ignore the existing state and just activate the configured
${appName} workspace with its existing state, if any.

Should Terraform migrate your existing state?`,
      });
      if (!goes) return [];
      return await migrateState(project, from, to, current, options, false, only);
    }
    if (only !== undefined) {
      const goes = await isConfirmed(options, {
        id: 'backend-migrate-multistate-to-single',
        query: 'Do you want to copy only your current workspace?',
        description: `The previous backend ${quoteText(from.type)} has multiple workspaces, but ${appName} has
been configured to use a single workspace (${quoteText(only)}). By continuing, you will
only migrate your current workspace. If you wish to migrate all workspaces
from the previous backend, you may cancel this operation and use the 'tags'
strategy in your workspace configuration block instead.

Enter "yes" to proceed or "no" to cancel.`,
      });
      if (!goes) return [plainError('Migration aborted by user.')];
      return await migrateState(project, from, to, current, options, false, only);
    }
    return await migrateAll(project, from, to, names, current, appName, options);
  } catch (error) {
    return [errorOf(error)];
  }
}

/** Copies every workspace under a new name. */
async function migrateAll(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  names: readonly string[],
  current: string,
  appName: string,
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const renamed = new Map<string, string>();
  if (
    names.includes(DEFAULT_WORKSPACE) &&
    !(await isEmptyState(project, from, DEFAULT_WORKSPACE))
  ) {
    renamed.set(DEFAULT_WORKSPACE, await askNewName(options, to.type));
  }
  const pattern = await patternFor(from, appName, options);
  let selected: string | undefined;
  for (const name of names) {
    if (name === DEFAULT_WORKSPACE && !renamed.has(name)) continue;
    const targetName = pattern.replace('*', () => renamed.get(name) ?? name);
    const problems = await migrateState(project, from, to, name, options, true, targetName);
    if (hasErrors(problems)) {
      return [
        plainError(`Error migrating the workspace ${quoteText(name)} from the previous ${quoteText(from.type)} backend
to the newly configured ${quoteText(to.type)} backend:
    ${joinedError('', problems).summary}

Terraform copies workspaces in alphabetical order. Any workspaces
alphabetically earlier than this one have been copied. Any workspaces
later than this haven't been modified in the destination. No workspaces
in the source state have been modified.

Please resolve the error above and run the initialization command again.
This will attempt to copy (with permission) all workspaces again.`),
      ];
    }
    if (name === current) selected = targetName;
  }
  // A workspace without a state was not copied; init prompts for the workspace to select.
  if (selected === undefined) return [];
  const createdNames = await workspaceNames(project, to.backend);
  if (!createdNames.includes(selected)) return [];
  await selectWorkspace(project, selected);
  options.moved?.(createdNames, selected);
  return [];
}

/** Returns the pattern for workspace names; `*` represents the old name. */
async function patternFor(
  from: NamedBackend,
  appName: string,
  options: InitBackendOptions,
): Promise<string> {
  const known = from.backend.kind === 'opened' ? from.backend.backend.namePattern : undefined;
  if (known !== undefined) {
    const goes = await isConfirmed(options, {
      id: 'backend-migrate-remote-multistate-to-cloud',
      query: 'Do you wish to proceed?',
      description: `When migrating from the 'remote' backend to Terraform's native integration
with ${appName}, Terraform will automatically 
create or use existing workspaces based on the previous backend configuration's 
'prefix' value.

When the migration is complete, workspace names in Terraform will match the
fully qualified ${appName} workspace name. If necessary, the workspace 
tags configured in the 'cloud' option block will be added to the associated 
${appName} workspaces.

Enter "yes" to proceed or "no" to cancel.`,
    });
    if (!goes) throw new Error('Migration aborted by user.');
    return known;
  }
  const wants = await requiredInput(options, {
    id: 'backend-migrate-multistate-to-tfc',
    query: 'Would you like to rename your workspaces?',
    description: `Unlike typical Terraform workspaces representing an environment associated with a particular
configuration (e.g. production, staging, development), HCP Terraform and Terraform Enterprise 
workspaces are named uniquely across all configurations used within an organization. A typical 
strategy to start with is <COMPONENT>-<ENVIRONMENT>-<REGION> (e.g. networking-prod-us-east, 
networking-staging-us-east).

For more information on workspace naming, see https://developer.hashicorp.com/terraform/cloud-docs/workspaces/create

When migrating existing workspaces from the backend ${quoteText(from.type)} to ${appName}, 
would you like to rename your workspaces? Enter 1 or 2.

1. Yes, I'd like to rename all workspaces according to a pattern I will provide.
2. No, I would not like to rename my workspaces. Migrate them as currently named.`,
  });
  if (wants === '2') return '*';
  if (wants !== '1') throw new Error('Please select 1 or 2 as part of this option.');
  const pattern = await requiredInput(options, {
    id: 'backend-migrate-multistate-to-tfc-pattern',
    query: 'How would you like to rename your workspaces?',
    description: `Enter a pattern with an asterisk (*) to rename all workspaces based on their
previous names. The asterisk represents the current workspace name.

For example, if a workspace is currently named 'prod', the pattern 'app-*' would yield
'app-prod' for a new workspace name; 'app-*-region1' would  yield 'app-prod-region1'.`,
  });
  const stars = pattern.split('*').length - 1;
  if (stars === 0) throw new Error("The pattern must have an '*'");
  if (stars > 1) throw new Error("The pattern '*' cannot be used more than once.");
  return pattern;
}

async function isEmptyState(
  project: Project,
  from: NamedBackend,
  workspace: string,
): Promise<boolean> {
  const manager = await stateManagerOf(project, from.backend, workspace, DEFAULT_STATE_OPTIONS);
  const { file, diagnostics } = await manager.read();
  if (hasErrors(diagnostics)) throw new Error(joinedError('', diagnostics).summary);
  return isEmpty(file);
}

async function isConfirmed(options: InitBackendOptions, question: Question): Promise<boolean> {
  if (!options.input) throw new Error(NO_INPUT);
  const confirmed = await confirm(options, question);
  if (typeof confirmed === 'boolean') return confirmed;
  throw new Error(`Error asking for state migration action: ${confirmed}`);
}

async function requiredInput(options: InitBackendOptions, question: Question): Promise<string> {
  const input = await options.ask?.input(question, options.ports.signal);
  if (input !== undefined && !('problem' in input)) return input.text;
  const reason = input?.problem ?? 'input is disabled';
  throw new Error(`Error asking for state migration action: ${reason}`);
}
