import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Project } from '../project.ts';
import { checkRemoteVersion } from '../remote-version.ts';
import { errorOf } from '../run-ports.ts';
import { workspaceNames } from '../workspaces.ts';
import { CLOUD } from './backend-kind.ts';
import type { InitBackendOptions } from './init-options.ts';
import { migrateStates, type NamedBackend } from './migrate-states.ts';
import { migrateToCloud } from './migrate-to-cloud.ts';

/**
 * Copies the states of one backend to another, by the migration procedure of the target. The caller must not change
 * anything after errors.
 */
export async function moveStates(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  const ignored = options.ignoreRemoteVersion === true;
  try {
    for (const name of await workspaceNames(project, to.backend)) {
      problems.push(
        ...(await checkRemoteVersion(
          { backend: to.backend, workspace: name },
          { ignoreRemoteVersion: ignored },
        )),
      );
    }
  } catch (error) {
    return [errorOf(error)];
  }
  if (hasErrors(problems)) return problems;
  const move = to.type === CLOUD ? migrateToCloud : migrateStates;
  return [...problems, ...(await move(project, from, to, options))];
}
