import type { Command } from './command.ts';

/** Loads a command. */
export type LoadCommand = () => Promise<{ readonly command: Command }>;

/** The commands of the main workflow, in the order in which they are used. */
export const MAIN_COMMANDS: readonly string[] = ['init', 'validate', 'plan', 'apply', 'destroy'];

/** Commands that only hold others. */
export const GROUPS: ReadonlySet<string> = new Set(['metadata', 'state', 'workspace']);

/** Every command by the words that call it. Loading one loads no other. */
export const COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['init', () => import('./commands/init.ts')],
  ['validate', () => import('./commands/validate.ts')],
  ['plan', () => import('./commands/plan.ts')],
  ['apply', () => import('./commands/apply.ts')],
  ['destroy', () => import('./commands/destroy.ts')],
  ['console', () => import('./commands/console.ts')],
  ['explain', () => import('./commands/explain.ts')],
  ['fmt', () => import('./commands/fmt.ts')],
  ['force-unlock', () => import('./commands/force-unlock.ts')],
  ['get', () => import('./commands/get.ts')],
  ['graph', () => import('./commands/graph.ts')],
  ['import', () => import('./commands/import.ts')],
  ['login', () => import('./commands/login.ts')],
  ['logout', () => import('./commands/logout.ts')],
  ['metadata', () => import('./commands/metadata.ts')],
  ['metadata functions', () => import('./commands/metadata-functions.ts')],
  ['modules', () => import('./commands/modules.ts')],
  ['output', () => import('./commands/output.ts')],
  ['providers', () => import('./commands/providers.ts')],
  ['providers lock', () => import('./commands/providers-lock.ts')],
  ['providers mirror', () => import('./commands/providers-mirror.ts')],
  ['providers schema', () => import('./commands/providers-schema.ts')],
  ['query', () => import('./commands/query.ts')],
  ['refresh', () => import('./commands/refresh.ts')],
  ['shim', () => import('./commands/shim.ts')],
  ['show', () => import('./commands/show.ts')],
  ['state', () => import('./commands/state.ts')],
  ['state identities', () => import('./commands/state-identities.ts')],
  ['state list', () => import('./commands/state-list.ts')],
  ['state lock', () => import('./commands/state-lock.ts')],
  ['state mv', () => import('./commands/state-mv.ts')],
  ['state pull', () => import('./commands/state-pull.ts')],
  ['state push', () => import('./commands/state-push.ts')],
  ['state recover', () => import('./commands/state-recover.ts')],
  ['state replace-provider', () => import('./commands/state-replace-provider.ts')],
  ['state rm', () => import('./commands/state-rm.ts')],
  ['state show', () => import('./commands/state-show.ts')],
  ['taint', () => import('./commands/taint.ts')],
  ['test', () => import('./commands/test.ts')],
  ['test cleanup', () => import('./commands/test-cleanup.ts')],
  ['untaint', () => import('./commands/untaint.ts')],
  ['version', () => import('./commands/version.ts')],
  ['workspace', () => import('./commands/workspace.ts')],
  ['workspace delete', () => import('./commands/workspace-delete.ts')],
  ['workspace list', () => import('./commands/workspace-list.ts')],
  ['workspace new', () => import('./commands/workspace-new.ts')],
  ['workspace select', () => import('./commands/workspace-select.ts')],
  ['workspace show', () => import('./commands/workspace-show.ts')],
]);

const former =
  (load: LoadCommand): LoadCommand =>
  async () => {
    const [{ command }, { formerly }] = await Promise.all([load(), import('./commands/former.ts')]);
    return { command: formerly(command) };
  };

/**
 * Commands that the help does not list, but that scripts may call: obsolete commands, other names that OpenTofu has,
 * and commands of Terraform that are refused.
 */
export const FORMER_COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['env', async () => ({ command: (await import('./commands/former.ts')).env })],
  ['env delete', former(() => import('./commands/workspace-delete.ts'))],
  ['env list', former(() => import('./commands/workspace-list.ts'))],
  ['env new', former(() => import('./commands/workspace-new.ts'))],
  ['env select', former(() => import('./commands/workspace-select.ts'))],
  ['state ls', () => import('./commands/state-list.ts')],
  ['state move', () => import('./commands/state-mv.ts')],
  ['state remove', () => import('./commands/state-rm.ts')],
  ['push', async () => ({ command: (await import('./commands/former.ts')).push })],
  ['rpcapi', async () => ({ command: (await import('./commands/unsupported.ts')).rpcapi })],
  ['stacks', async () => ({ command: (await import('./commands/unsupported.ts')).stacks })],
]);
