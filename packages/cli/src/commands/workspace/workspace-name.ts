import { hasErrors } from '@terrane/hcl';
import { didYouMeanClosest } from '@terrane/engine';
import { userErrorText, programCommand } from '@terrane/host';
import {
  listWorkspaces,
  UNLISTED,
  type Project,
  selectWorkspace,
  type Workspaces,
} from '@terrane/ops';
import { paint } from '../../views/paint.ts';
import type { CommandView, ForPrograms } from '../../views/command-view.ts';

/** The parts of a parsed command line that workspace commands check. */
export type Parsed = { readonly rest: readonly string[]; readonly error?: string };

/** Lists the workspaces. Reports errors to the view and returns undefined after one. */
export async function workspacesFor(
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

/** Selects a workspace. Reports a failure to the view. */
export async function select(
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

/** Returns the only argument; reports any other number of arguments and returns undefined. */
export function onlyName({ rest }: Parsed, view: CommandView): string | undefined {
  if (rest.length === 1) return rest[0];
  view.complain('Expected a single argument: NAME.\n');
  return undefined;
}

/** Terraform 1.11 creates a workspace that TF_WORKSPACE cannot select; later releases reject it. */
export function refuseEmptyName(view: CommandView): number {
  view.complain(
    '\nThe workspace name "" is not allowed. The name must contain only URL safe\ncharacters, contain no path separators, and not be an empty string.\n',
    {
      message:
        'The workspace name "" is not allowed. The name must contain only URL safe characters, contain no path separators, and not be an empty string',
    },
  );
  return 1;
}

/** Reports an invalid workspace name and returns the exit code. */
export function refuseName(view: CommandView, name: string): number {
  view.complain(
    `\nThe workspace name ${JSON.stringify(name)} is not allowed. The name must contain only URL safe\ncharacters, and no path separators.\n`,
    {
      message: `The workspace name ${JSON.stringify(name)} is not allowed. The name must contain only URL safe characters, and no path separators`,
    },
  );
  return 1;
}

/** Returns the error text for a workspace that does not exist, with a suggestion. */
export function doesNotExist(name: string, known: readonly string[]): string {
  return `Workspace ${JSON.stringify(name)} doesn't exist.${didYouMeanClosest(name, known)}\n\nYou can create this workspace with the "new" subcommand \nor include the "-or-create" flag with the "select" subcommand.`;
}

/** Returns the machine-readable error for a workspace that does not exist. */
export function isMissing(name: string, known: readonly string[]): ForPrograms {
  return {
    message: `Workspace ${JSON.stringify(name)} doesn't exist.${didYouMeanClosest(name, known)} You can create this workspace with the "new" subcommand or include the "-or-create" flag with the "select" subcommand`,
  };
}

/** Reports that a workspace was created and selected. */
export function printCreated(view: CommandView, name: string): void {
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
