import { quoteText } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import type { Project } from '../project.ts';
import { errorOf, plainError } from '../run-ports.ts';
import { selectedWorkspace, selectWorkspace } from '../workspace.ts';
import { workspaceNames } from '../workspaces.ts';
import type { InitBackendOptions } from './init-options.ts';
import type { StateBackend } from './state-backend.ts';

/** Selects a workspace that the backend has, if the selected one does not exist in it. */
export async function ensureWorkspace(
  project: Project,
  backend: StateBackend,
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const { input, ask, ports } = options;
  let names: readonly string[];
  try {
    names = await workspaceNames(project, backend);
  } catch (error) {
    return [plainError(`Failed to get existing workspaces: ${errorOf(error).summary}`)];
  }
  if (names.length === 0) return await firstWorkspace(project, backend, options);
  const { name } = await selectedWorkspace(project);
  if (names.includes(name)) return [];
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    await selectWorkspace(project, only);
    return [];
  }
  if (!input || ask === undefined) {
    return [plainError(`Currently selected workspace ${quoteText(name)} does not exist`)];
  }
  const list = names.map((each, index) => `${index + 1}. ${each}\n`).join('');
  const answer = await ask.input(
    {
      id: 'select-workspace',
      query: `\nThe currently selected workspace (${name}) does not exist.`,
      description: `This is expected behavior when the selected workspace did not have an\nexisting non-empty state. Please enter a number to select a workspace:\n\n${list}`,
    },
    ports.signal,
  );
  if ('problem' in answer) return [plainError(`Failed to select workspace: ${answer.problem}`)];
  const selectedName = /^[+-]?\d+$/.test(answer.text) ? names[Number(answer.text) - 1] : undefined;
  if (selectedName === undefined) {
    return [plainError('Failed to select workspace: input not a valid number')];
  }
  await selectWorkspace(project, selectedName);
  return [];
}

/** The result for a backend without any workspaces, when none is required. */
async function firstWorkspace(
  project: Project,
  backend: StateBackend,
  { input, ask, ports }: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const cloud = backend.kind === 'opened' ? backend.backend.cloud : undefined;
  if (cloud === undefined || !input || ask === undefined) {
    return [
      plainError(
        `No existing workspaces.\n\nUse the "${programCommand('workspace')}" command to create and select a new workspace.\nIf the backend already contains existing workspaces, you may need to update\nthe backend configuration.`,
      ),
    ];
  }
  const answer = await ask.input(
    {
      id: 'create-workspace',
      query: '\nNo workspaces found.',
      description: `\nThere are no workspaces with the configured tags (${cloud.tags})\nin your HCP Terraform organization. To finish initializing, Terraform needs at\nleast one workspace available.\n\nTerraform can create a properly tagged workspace for you now. Please enter a\nname to create a new HCP Terraform workspace.\n`,
    },
    ports.signal,
  );
  const failed = "Couldn't create initial workspace: ";
  if ('problem' in answer) return [plainError(`${failed}${answer.problem}`)];
  const name = answer.text.trim();
  if (name === '') return [plainError(`${failed}no name provided`)];
  await selectWorkspace(project, name);
  return [];
}
