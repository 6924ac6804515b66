import type { Command } from './command.ts';

/** Loads a command. */
export type LoadCommand = () => Promise<{ readonly command: Command }>;

/** The commands of the main workflow, in the order in which they are used. */
export const MAIN_COMMANDS: readonly string[] = ['init', 'validate', 'plan', 'apply', 'destroy'];

/** Commands that only hold others. */
export const GROUPS: ReadonlySet<string> = new Set([
  'metadata',
  'policy',
  'refactor',
  'state',
  'workspace',
]);

/** All commands by name, loaded separately. */
export const COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['init', () => import('./commands/init/command.ts')],
  ['validate', () => import('./commands/validate/command.ts')],
  ['plan', () => import('./commands/plan/command.ts')],
  ['apply', () => import('./commands/apply/command.ts')],
  ['destroy', () => import('./commands/destroy/command.ts')],
  ['adopt', () => import('./commands/adopt/command.ts')],
  ['agent', () => import('./commands/agent/command.ts')],
  ['console', () => import('./commands/console/command.ts')],
  ['drift', () => import('./commands/drift/command.ts')],
  ['explain', () => import('./commands/explain/command.ts')],
  ['fmt', () => import('./commands/fmt/command.ts')],
  ['force-unlock', () => import('./commands/force-unlock/command.ts')],
  ['get', () => import('./commands/get/command.ts')],
  ['graph', () => import('./commands/graph/command.ts')],
  ['history', () => import('./commands/history/command.ts')],
  ['history diff', () => import('./commands/history-diff/command.ts')],
  ['history show', () => import('./commands/history-show/command.ts')],
  ['import', () => import('./commands/import/command.ts')],
  ['login', () => import('./commands/login/command.ts')],
  ['logout', () => import('./commands/logout/command.ts')],
  ['lsp', () => import('./commands/lsp/command.ts')],
  ['mcp', () => import('./commands/mcp/command.ts')],
  ['mcp approve', () => import('./commands/mcp-approve/command.ts')],
  ['mcp reject', () => import('./commands/mcp-reject/command.ts')],
  ['mcp tickets', () => import('./commands/mcp-tickets/command.ts')],
  ['metadata', () => import('./commands/metadata/command.ts')],
  ['metadata functions', () => import('./commands/metadata-functions/command.ts')],
  ['modules', () => import('./commands/modules/command.ts')],
  ['output', () => import('./commands/output/command.ts')],
  ['policy', () => import('./commands/policy/command.ts')],
  ['policy test', () => import('./commands/policy-test/command.ts')],
  ['policy validate', () => import('./commands/policy-validate/command.ts')],
  ['providers', () => import('./commands/providers/command.ts')],
  ['providers lock', () => import('./commands/providers-lock/command.ts')],
  ['providers mirror', () => import('./commands/providers-mirror/command.ts')],
  ['providers schema', () => import('./commands/providers-schema/command.ts')],
  ['query', () => import('./commands/query/command.ts')],
  ['refactor', () => import('./commands/refactor/command.ts')],
  ['refactor extract', () => import('./commands/refactor-extract/command.ts')],
  ['refactor moved', () => import('./commands/refactor-moved/command.ts')],
  ['refactor split', () => import('./commands/refactor-split/command.ts')],
  ['refresh', () => import('./commands/refresh/command.ts')],
  ['server', () => import('./commands/server/command.ts')],
  ['server import', () => import('./commands/server-import/command.ts')],
  ['shim', () => import('./commands/shim/command.ts')],
  ['show', () => import('./commands/show/command.ts')],
  ['state', () => import('./commands/state/command.ts')],
  ['state identities', () => import('./commands/state-identities/command.ts')],
  ['state list', () => import('./commands/state-list/command.ts')],
  ['state lock', () => import('./commands/state-lock/command.ts')],
  ['state mv', () => import('./commands/state-mv/command.ts')],
  ['state pull', () => import('./commands/state-pull/command.ts')],
  ['state push', () => import('./commands/state-push/command.ts')],
  ['state recover', () => import('./commands/state-recover/command.ts')],
  ['state replace-provider', () => import('./commands/state-replace-provider/command.ts')],
  ['state restore', () => import('./commands/state-restore/command.ts')],
  ['state rm', () => import('./commands/state-rm/command.ts')],
  ['state show', () => import('./commands/state-show/command.ts')],
  ['taint', () => import('./commands/taint/command.ts')],
  ['test', () => import('./commands/test/command.ts')],
  ['test cleanup', () => import('./commands/test-cleanup/command.ts')],
  ['undo', () => import('./commands/undo/command.ts')],
  ['untaint', () => import('./commands/untaint/command.ts')],
  ['version', () => import('./commands/version/command.ts')],
  ['workspace', () => import('./commands/workspace/command.ts')],
  ['workspace delete', () => import('./commands/workspace-delete/command.ts')],
  ['workspace list', () => import('./commands/workspace-list/command.ts')],
  ['workspace new', () => import('./commands/workspace-new/command.ts')],
  ['workspace select', () => import('./commands/workspace-select/command.ts')],
  ['workspace show', () => import('./commands/workspace-show/command.ts')],
]);

const former =
  (load: LoadCommand): LoadCommand =>
  async () => {
    const [{ command }, { formerly }] = await Promise.all([
      load(),
      import('./commands/former/command.ts'),
    ]);
    return { command: formerly(command) };
  };

/**
 * Commands that the help does not list, but that scripts may call: obsolete commands, OpenTofu's alternative names, and
 * unsupported commands of Terraform.
 */
export const FORMER_COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['env', async () => ({ command: (await import('./commands/former/command.ts')).env })],
  ['env delete', former(() => import('./commands/workspace-delete/command.ts'))],
  ['env list', former(() => import('./commands/workspace-list/command.ts'))],
  ['env new', former(() => import('./commands/workspace-new/command.ts'))],
  ['env select', former(() => import('./commands/workspace-select/command.ts'))],
  ['state ls', () => import('./commands/state-list/command.ts')],
  ['state move', () => import('./commands/state-mv/command.ts')],
  ['state remove', () => import('./commands/state-rm/command.ts')],
  ['push', async () => ({ command: (await import('./commands/former/command.ts')).push })],
  ['rpcapi', async () => ({ command: (await import('./commands/unsupported/command.ts')).rpcapi })],
  ['stacks', async () => ({ command: (await import('./commands/unsupported/command.ts')).stacks })],
]);
