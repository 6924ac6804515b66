import type { Command } from './command.ts';

/** A command that is not loaded yet. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

const entry = (name: string, summary: string, load: CommandEntry['load']): CommandEntry => ({
  name,
  summary,
  load,
});

/** The commands of the main workflow, in the order in which they are used. */
export const MAIN_COMMANDS: readonly string[] = ['init', 'validate', 'plan', 'apply', 'destroy'];

/** Every command by the words that call it. Loading one loads no other. */
export const COMMANDS: ReadonlyMap<string, CommandEntry> = new Map(
  [
    entry('init', 'Prepare your working directory for other commands', () => import('./commands/init.ts')),
    entry('validate', 'Check whether the configuration is valid', () => import('./commands/validate.ts')),
    entry('plan', 'Show changes required by the current configuration', () => import('./commands/plan.ts')),
    entry('apply', 'Create or update infrastructure', () => import('./commands/apply.ts')),
    entry('destroy', 'Destroy previously-created infrastructure', () => import('./commands/destroy.ts')),
    entry('console', 'Try expressions at an interactive command prompt', () => import('./commands/console.ts')),
    entry('fmt', 'Reformat your configuration in the standard style', () => import('./commands/fmt.ts')),
    entry('force-unlock', 'Release a stuck lock on the current workspace', () => import('./commands/force-unlock.ts')),
    entry('get', 'Install or upgrade modules', () => import('./commands/get.ts')),
    entry('output', 'Show output values from your root module', () => import('./commands/output.ts')),
    entry('providers', 'Show the providers required for this configuration', () => import('./commands/providers.ts')),
    entry('refresh', 'Update the state to match remote systems', () => import('./commands/refresh.ts')),
    entry('show', 'Show the current state or a saved plan', () => import('./commands/show.ts')),
    entry('state', 'Advanced state management', () => import('./commands/state.ts')),
    entry('state list', 'List resources in the state', () => import('./commands/state-list.ts')),
    entry('state mv', 'Move an item in the state', () => import('./commands/state-mv.ts')),
    entry('state pull', 'Pull current state and output to stdout', () => import('./commands/state-pull.ts')),
    entry('state push', 'Update remote state from a local state file', () => import('./commands/state-push.ts')),
    entry('state rm', 'Remove instances from the state', () => import('./commands/state-rm.ts')),
    entry('state show', 'Show a resource in the state', () => import('./commands/state-show.ts')),
    entry('taint', 'Mark a resource instance as not fully functional', () => import('./commands/taint.ts')),
    entry('untaint', "Remove the 'tainted' state from a resource instance", () => import('./commands/untaint.ts')),
    entry('version', 'Show the current version', () => import('./commands/version.ts')),
    entry('workspace', 'Workspace management', () => import('./commands/workspace.ts')),
    entry('workspace delete', 'Delete a workspace', () => import('./commands/workspace-delete.ts')),
    entry('workspace list', 'List Workspaces', () => import('./commands/workspace-list.ts')),
    entry('workspace new', 'Create a new workspace', () => import('./commands/workspace-new.ts')),
    entry('workspace select', 'Select a workspace', () => import('./commands/workspace-select.ts')),
    entry('workspace show', 'Show the name of the current workspace', () => import('./commands/workspace-show.ts')),
  ].map((each) => [each.name, each]),
);
