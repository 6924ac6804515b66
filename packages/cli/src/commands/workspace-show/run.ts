import { isWorkspaceName, selectedWorkspace } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import { projectOf } from '../../run/project-of.ts';
import { viewFor } from '../../run/views-for.ts';
import type { Parsed } from '../workspace/workspace-name.ts';

/** Shows which workspace is selected. */
export async function runWorkspaceShow(parsed: Parsed, context: CommandContext): Promise<number> {
  const view = viewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const { name, overridden } = await selectedWorkspace(projectOf(context));
  if (overridden && !isWorkspaceName(name)) {
    view.complain('Error selecting workspace: Invalid workspace name set using TF_WORKSPACE');
    return 1;
  }
  view.line(name);
  return 0;
}
