import { lockInfoText } from '@terrane/engine';
import type { LockInfo, Storage } from '@terrane/host';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Ask } from './ask.ts';
import { backendOf } from './backend/current-backend.ts';
import { loadRootModule } from './load-project.ts';
import { stateLocation } from './local-backend.ts';
import { localStorage } from '@terrane/backends';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { errorOf, plainError } from './run-ports.ts';
import { storageElsewhere } from './state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';
import { selectedWorkspace, workspaceProblem } from './workspace.ts';

/** The lock of the selected workspace's state. */
export interface StateLock {
  readonly workspace: string;
  /** the holder of the lock; `undefined` if it is not locked */
  readonly holder: LockInfo | undefined;
}

/** Returns the holder of the state lock of the selected workspace, without changing it. */
export async function inspectLock(project: Project): Promise<Outcome<StateLock>> {
  const location = await findStorage(project);
  if (location.result === undefined) return { diagnostics: location.diagnostics };
  const { storage, workspace } = location.result;
  if (storage.lockHolder === undefined) {
    return { diagnostics: [plainError('The backend does not tell who holds a lock.')] };
  }
  try {
    const holder = await storage.lockHolder();
    return { result: { workspace, holder }, diagnostics: location.diagnostics };
  } catch (error) {
    return { diagnostics: [errorOf(error)] };
  }
}

/** The result of `force-unlock`. */
export type Unlocked = 'unlocked' | 'cancelled';

/** Releases the lock with an ID, regardless of its holder, after confirmation unless `force` is set. */
export async function forceUnlock(
  project: Project,
  id: string,
  options: { readonly force: boolean; readonly ask?: Ask; readonly signal?: AbortSignal },
): Promise<Outcome<Unlocked>> {
  const location = await findStorage(project);
  if (location.result === undefined) return { diagnostics: location.diagnostics };
  const { storage, isLocal } = location.result;
  if (isLocal) {
    const text = options.force
      ? 'Failed to unlock state: LocalState not locked'
      : 'Local state cannot be unlocked by another process';
    return { diagnostics: [plainError(text)] };
  }
  if (!options.force) {
    const answer = await options.ask?.input(
      {
        id: 'force-unlock',
        query: 'Do you really want to force-unlock?',
        description: `Terraform will remove the lock on the remote state.
This will allow local Terraform commands to modify this state, even though it
may still be in use. Only 'yes' will be accepted to confirm.`,
      },
      options.signal ?? new AbortController().signal,
    );
    if (answer === undefined || 'problem' in answer) {
      const reason = answer?.problem ?? 'input is disabled';
      return { diagnostics: [plainError(`Error asking for confirmation: ${reason}`)] };
    }
    if (answer.text !== 'yes') return { result: 'cancelled', diagnostics: [] };
  }
  try {
    if (storage.unlock === undefined) throw new Error('the backend has no locks');
    await storage.unlock(id);
    return { result: 'unlocked', diagnostics: location.diagnostics };
  } catch (error) {
    const text = `Failed to unlock state: ${errorOf(error).summary}`;
    // Shows the holder, in case the ID was that of another lock.
    const holder = await storage.lockHolder?.().catch(() => undefined);
    const isOther = holder !== undefined && holder.id !== id;
    return { diagnostics: [plainError(isOther ? `${text}\n${lockInfoText(holder)}` : text)] };
  }
}

interface FoundStorage {
  readonly storage: Storage;
  readonly workspace: string;
  readonly isLocal: boolean;
}

async function findStorage(project: Project): Promise<Outcome<FoundStorage>> {
  const { configuration, diagnostics } = await loadRootModule(project);
  if (hasErrors(diagnostics)) return { diagnostics };
  const selection = await backendOf(project, configuration);
  const { backend } = selection;
  if (backend === undefined) return { diagnostics: selection.diagnostics };
  const problem = await workspaceProblem(project);
  if (problem !== undefined) return { diagnostics: [problem] };
  const { name: workspace } = await selectedWorkspace(project);
  const warnings: readonly Diagnostic[] = selection.diagnostics;
  try {
    const isLocal = backend.kind === 'local';
    if (!isLocal) {
      const storage = await storageElsewhere(backend, workspace);
      return { result: { storage, workspace, isLocal }, diagnostics: warnings };
    }
    const { path, outPath } = stateLocation(backend, workspace, DEFAULT_STATE_OPTIONS);
    const storage = localStorage(project.host, { path: outPath, readPath: path });
    return { result: { storage, workspace, isLocal }, diagnostics: warnings };
  } catch (error) {
    return { diagnostics: [plainError(`Failed to load state: ${errorOf(error).summary}`)] };
  }
}
