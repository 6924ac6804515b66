import { warningDiagnostic } from '@terrane/hcl';
import { selectedWorkspace } from '@terrane/ops';
import type { CommandContext } from '../../command.ts';
import type { WorkspaceListFlags } from './flags.ts';
import type { CommandView } from '../../views/command-view.ts';
import { DocumentView, printsDocument } from '../../views/document-view.ts';
import { flagProblems } from '../../run/operation-arguments.ts';
import { commandViewFor, projectFor } from '../../run/views-for.ts';
import { workspacesFor } from '../workspace/workspace-name.ts';

const OVERRIDDEN =
  '\n\nThe active workspace is being overridden using the TF_WORKSPACE environment\nvariable.\n';

/** Lists workspaces, the selected one marked. */
export async function runWorkspaceList(
  parsed: WorkspaceListFlags,
  context: CommandContext,
): Promise<number> {
  if (!printsDocument(parsed, context)) {
    const view = commandViewFor(parsed, context, 'with help');
    return view === undefined ? 1 : await listInto(view, parsed, context);
  }
  const view = new DocumentView(context);
  view.diagnostics(flagProblems(parsed));
  const code = parsed.error === undefined ? await listInto(view, parsed, context) : 1;
  view.finish('workspaces', '[]');
  return code;
}

async function listInto(
  view: CommandView | DocumentView,
  parsed: WorkspaceListFlags,
  context: CommandContext,
): Promise<number> {
  if (parsed.rest.length > 0) {
    view.complain('Too many command line arguments. Did you mean to use -chdir?');
    return 1;
  }
  const project = projectFor(parsed, context);
  const listed = await workspacesFor(view, project);
  if (listed === undefined) return 1;
  const { name, overridden } = await selectedWorkspace(project);
  if (view instanceof DocumentView) {
    const workspaces = listed.names.map((each) =>
      each === name ? { name: each, is_current: true } : { name: each },
    );
    view.result(JSON.stringify(workspaces));
    if (overridden) view.diagnostics([warningDiagnostic(OVERRIDDEN.trim(), '')]);
    return 0;
  }
  view.line(listed.names.map((each) => `${each === name ? '*' : ' '} ${each}\n`).join(''), {
    message: 'list of workspaces',
    type: 'workspace_list',
    members: { workspaces: listed.names, current_workspace: name },
  });
  if (overridden) {
    view.line(OVERRIDDEN, {
      message:
        'The active workspace is being overridden using the TF_WORKSPACE environment variable',
    });
  }
  return 0;
}
