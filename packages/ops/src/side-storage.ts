import { localSideStorage } from '@terrane/backends';
import type { SideStorage } from '@terrane/host';
import type { OpenedState } from './opened-state.ts';

/**
 * Returns the storage of further data of a state: beside the state, or in the data directory of this working directory
 * if the backend can store states only.
 */
export async function sideStorageOf({
  project,
  backend,
  workspace,
  manager,
}: Pick<OpenedState, 'project' | 'backend' | 'workspace' | 'manager'>): Promise<SideStorage> {
  const { host, dataDirectory } = project;
  if (backend.kind === 'local')
    return localSideStorage(host, manager.journalPath.replace(/\.journal$/, '.history'));
  const beside = await backend.backend.sideStorage?.(workspace);
  return (
    beside ?? localSideStorage(host, `${dataDirectory}/history/${backend.identity}-${workspace}`)
  );
}
