import { hasErrors, warningDiagnostic } from '@terrane/hcl';
import { didYouMeanClosest } from '@terrane/engine';
import { userErrorText, programCommand } from '@terrane/host';
import {
  createWorkspace,
  deleteWorkspace,
  isWorkspaceName,
  listWorkspaces,
  UNLISTED,
  type Project,
  readStateAt,
  selectedWorkspace,
  selectWorkspace,
  type Workspaces,
} from '@terrane/ops';
import type { CommandContext } from '../command.ts';
import type { WorkspaceDeleteFlags } from '../commands/workspace-delete.ts';
import type { WorkspaceListFlags } from '../commands/workspace-list.ts';
import type { WorkspaceNewFlags } from '../commands/workspace-new.ts';
import type { WorkspaceSelectFlags } from '../commands/workspace-select.ts';
import { paint } from '../views/paint.ts';
import type { CommandView, ForPrograms } from '../views/command-view.ts';
import { misused } from '../views/open-command-view.ts';
import { DocumentView, printsDocument } from '../views/document-view.ts';
import { flagProblems, stateOptions } from './operation-arguments.ts';
import { projectOf } from './project-of.ts';
import { commandViewFor, projectFor, tell, viewFor, waitingPorts } from './views-for.ts';

const OVERRIDDEN =
  '\n\nThe active workspace is being overridden using the TF_WORKSPACE environment\nvariable.\n';

type Parsed = { readonly rest: readonly string[]; readonly error?: string };

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
  const found = await workspacesFor(view, project);
  if (found === undefined) return 1;
  const { name, overridden } = await selectedWorkspace(project);
  if (view instanceof DocumentView) {
    const workspaces = found.names.map((each) =>
      each === name ? { name: each, is_current: true } : { name: each },
    );
    view.result(JSON.stringify(workspaces));
    if (overridden) view.diagnostics([warningDiagnostic(OVERRIDDEN.trim(), '')]);
    return 0;
  }
  view.line(found.names.map((each) => `${each === name ? '*' : ' '} ${each}\n`).join(''), {
    message: 'list of workspaces',
    type: 'workspace_list',
    members: { workspaces: found.names, current_workspace: name },
  });
  if (overridden) {
    view.line(OVERRIDDEN, {
      message:
        'The active workspace is being overridden using the TF_WORKSPACE environment variable',
    });
  }
  return 0;
}

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

/** Makes a workspace and selects it. */
export async function runWorkspaceNew(
  parsed: WorkspaceNewFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return misused(parsed);
  if (name === '') return refuseEmptyName(view);
  if (!isWorkspaceName(name)) return refuseName(view, name);
  const project = projectFor(parsed, context);
  const current = await selectedWorkspace(project);
  if (current.overridden && current.name !== name) {
    view.complain(
      '\nThe workspace is currently overridden using the TF_WORKSPACE environment\nvariable. You cannot create a new workspace when using this setting.\n\nTo create a new workspace, either unset this environment variable or update it\nto match the workspace name you are trying to create, and then run this command\nagain.\n',
      {
        message:
          'The workspace is currently overridden using the TF_WORKSPACE environment variable. You cannot create a new workspace when using this setting. To create a new workspace, either unset this environment variable or update it to match the workspace name you are trying to create, and then run this command again',
      },
    );
    return 1;
  }
  const failed = 'Failed to get configured named states: ';
  const found = await workspacesFor(view, project, failed);
  if (found === undefined) return 1;
  if (found.names.includes(name)) {
    const message = `Workspace ${JSON.stringify(name)} already exists`;
    view.complain(message, { message });
    return 1;
  }
  const { state } = parsed.values;
  const options = stateOptions({
    lock: parsed.values.lock,
    'lock-timeout': parsed.values['lock-timeout'],
  });
  const initial =
    state === ''
      ? undefined
      : await readStateAt(project, state).catch((error: unknown) => userErrorText(error, state));
  if (typeof initial === 'string') {
    view.complain(initial);
    return 1;
  }
  if (initial !== undefined && hasErrors(initial.diagnostics)) {
    view.separateDiagnostics(initial.diagnostics);
    return 1;
  }
  if (initial !== undefined && initial.file === undefined) {
    view.complain('no state');
    return 1;
  }
  const problems = await createWorkspace(
    project,
    found.backend,
    name,
    options,
    waitingPorts(view),
    initial?.file,
  );
  tell(view, problems);
  if (hasErrors(problems)) return 1;
  if (!(await select(project, name, view, 'Error selecting new workspace: '))) return 1;
  tellCreated(view, name);
  return 0;
}

/** Selects a workspace. */
export async function runWorkspaceSelect(
  parsed: WorkspaceSelectFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return misused(parsed);
  const project = projectFor(parsed, context);
  const current = await selectedWorkspace(project);
  if (current.overridden) {
    view.complain(
      '\nThe selected workspace is currently overridden using the TF_WORKSPACE\nenvironment variable.\n\nTo select a new workspace, either update this environment variable or unset\nit and then run this command again.\n',
      {
        message:
          'The selected workspace is currently overridden using the TF_WORKSPACE environment variable. To select a new workspace, either update this environment variable or unset it and then run this command again',
      },
    );
    return 1;
  }
  if (!isWorkspaceName(name)) return refuseName(view, name);
  const found = await workspacesFor(view, project);
  if (found === undefined) return 1;
  if (name === current.name) return 0;
  const exists = found.names.includes(name);
  if (!exists && !parsed.values['or-create']) {
    view.complain(`\n${doesNotExist(name, found.names)}`, isMissing(name, found.names));
    return 1;
  }
  if (!exists && name === '') return refuseEmptyName(view);
  if (!exists) {
    const ports = waitingPorts(view);
    const problems = await createWorkspace(project, found.backend, name, stateOptions({}), ports);
    view.separateDiagnostics(problems);
    if (hasErrors(problems)) return 1;
  }
  if (!(await select(project, name, view, ''))) return 1;
  if (exists)
    view.line(
      paint(view.style.color, `Switched to workspace ${JSON.stringify(name)}.`, 'reset', 'green'),
      { message: `Switched to workspace ${JSON.stringify(name)}` },
    );
  else tellCreated(view, name);
  return 0;
}

/** Deletes a workspace that is not selected. */
export async function runWorkspaceDelete(
  parsed: WorkspaceDeleteFlags,
  context: CommandContext,
): Promise<number> {
  const view = commandViewFor(parsed, context, 'with help');
  if (view === undefined) return 1;
  const name = onlyName(parsed, view);
  if (name === undefined) return misused(parsed);
  const project = projectFor(parsed, context);
  const found = await workspacesFor(view, project);
  if (found === undefined) return 1;
  if (!found.names.includes(name)) {
    view.complain(doesNotExist(name, found.names), isMissing(name, found.names));
    return 1;
  }
  if (name === (await selectedWorkspace(project)).name) {
    view.complain(
      `Workspace ${JSON.stringify(name)} is your active workspace.\n\nYou cannot delete the currently active workspace. Please switch\nto another workspace and try again.`,
      {
        message: `Workspace ${JSON.stringify(name)} is your active workspace. You cannot delete the currently active workspace. Please switch to another workspace and try again`,
      },
    );
    return 1;
  }
  const { force, lock } = parsed.values;
  const options = {
    ...stateOptions({ lock, 'lock-timeout': parsed.values['lock-timeout'] }),
    force,
  };
  const { result, diagnostics } = await deleteWorkspace(
    project,
    found.backend,
    name,
    options,
    waitingPorts(view),
  );
  tell(view, diagnostics);
  if (result === undefined || hasErrors(diagnostics)) return 1;
  const { color } = view.style;
  view.line(paint(color, `Deleted workspace ${JSON.stringify(name)}!`, 'reset', 'green'), {
    message: `Deleted workspace ${JSON.stringify(name)}`,
  });
  if (!result.wasEmpty) {
    view.line(
      paint(
        color,
        `WARNING: ${JSON.stringify(name)} was non-empty.\nThe resources managed by the deleted workspace may still exist,\nbut are no longer manageable by ${view.named('Terrane')} since the state has\nbeen deleted.\n`,
        'reset',
        'yellow',
      ),
      {
        level: 'warn',
        message: `${JSON.stringify(name)} was non-empty. The resources managed by the deleted workspace may still exist, but are no longer manageable by ${view.named('Terrane')} since the state has been deleted`,
      },
    );
  }
  return 0;
}

async function workspacesFor(
  view: CommandView,
  project: Project,
  failed = '',
): Promise<Workspaces | undefined> {
  const { result, diagnostics } = await listWorkspaces(project);
  for (const each of diagnostics) {
    if (each.extra?.kind === UNLISTED) view.complain(`${failed}${each.summary}`);
    else view.separateDiagnostics([each]);
  }
  if (hasErrors(diagnostics) || result === undefined) return undefined;
  if (result.canBeMade) return result;
  view.complain(`${failed}workspaces not supported`);
  return undefined;
}

/** Selects a workspace; where that can't be, says why. */
async function select(
  project: Project,
  name: string,
  view: CommandView,
  failed: string,
): Promise<boolean> {
  try {
    await selectWorkspace(project, name);
    return true;
  } catch (error) {
    view.complain(`${failed}${userErrorText(error)}`);
    return false;
  }
}

function onlyName({ rest }: Parsed, view: CommandView): string | undefined {
  if (rest.length === 1) return rest[0];
  view.complain('Expected a single argument: NAME.\n');
  return undefined;
}

/** Terraform 1.11 creates a workspace that cannot be named by TF_WORKSPACE; later releases refuse it. */
function refuseEmptyName(view: CommandView): number {
  view.complain(
    '\nThe workspace name "" is not allowed. The name must contain only URL safe\ncharacters, contain no path separators, and not be an empty string.\n',
    {
      message:
        'The workspace name "" is not allowed. The name must contain only URL safe characters, contain no path separators, and not be an empty string',
    },
  );
  return 1;
}

function refuseName(view: CommandView, name: string): number {
  view.complain(
    `\nThe workspace name ${JSON.stringify(name)} is not allowed. The name must contain only URL safe\ncharacters, and no path separators.\n`,
    {
      message: `The workspace name ${JSON.stringify(name)} is not allowed. The name must contain only URL safe characters, and no path separators`,
    },
  );
  return 1;
}

function doesNotExist(name: string, known: readonly string[]): string {
  return `Workspace ${JSON.stringify(name)} doesn't exist.${didYouMeanClosest(name, known)}\n\nYou can create this workspace with the "new" subcommand \nor include the "-or-create" flag with the "select" subcommand.`;
}

function isMissing(name: string, known: readonly string[]): ForPrograms {
  return {
    message: `Workspace ${JSON.stringify(name)} doesn't exist.${didYouMeanClosest(name, known)} You can create this workspace with the "new" subcommand or include the "-or-create" flag with the "select" subcommand`,
  };
}

function tellCreated(view: CommandView, name: string): void {
  const { color } = view.style;
  view.line(
    `${paint(color, `Created and switched to workspace ${JSON.stringify(name)}!`, 'reset', 'green', 'bold')}${paint(
      color,
      view.named(
        `\n\nYou're now on a new, empty workspace. Workspaces isolate their state,\nso if you run "terrane plan" Terrane will not see any existing state\nfor this configuration.`,
      ),
      'reset',
      'green',
    )}`,
    {
      message: view.named(
        `Created and switched to workspace ${JSON.stringify(name)}. You're now on a new, empty workspace. Workspaces isolate their state, so if you run "${programCommand('plan')}" Terrane will not see any existing state for this configuration`,
      ),
    },
  );
}
