import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { DEFAULT_LOCAL_BACKEND, type LocalBackend, stateLocation } from '../local-backend.ts';
import type { Project } from '../project.ts';
import { plainError } from '../run-ports.ts';
import { stateManagerOf } from '../state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from '../state-options.ts';
import { workspaceNames } from '../workspaces.ts';
import type { InitBackendOptions } from './init-options.ts';
import { isEmpty } from './migrate-states.ts';
import { moveStates } from './move-states.ts';
import type { StateBackend } from './state-backend.ts';

/** Returns the workspaces with non-empty local states. */
export async function presentStates(
  project: Project,
): Promise<{ readonly names: readonly string[] } | { readonly problems: readonly Diagnostic[] }> {
  const local = DEFAULT_LOCAL_BACKEND;
  const names: string[] = [];
  for (const name of await workspaceNames(project, local)) {
    const manager = await stateManagerOf(project, local, name, DEFAULT_STATE_OPTIONS);
    const { file, diagnostics } = await manager.read();
    if (hasErrors(diagnostics)) return { problems: [localReadFailed(diagnostics)] };
    if (!isEmpty(file)) names.push(name);
  }
  return { names };
}

/** Copies local states to the first configured backend; the originals are kept as backups. */
export async function moveLocalStates(
  project: Project,
  present: readonly string[],
  to: { readonly type: string; readonly backend: StateBackend },
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const local = DEFAULT_LOCAL_BACKEND;
  if (present.length === 0) return [];
  const problems = await moveStates(project, { type: 'local', backend: local }, to, options);
  if (hasErrors(problems)) return problems;
  const statePaths = await statePlaces(project, local);
  const newPlaces = to.backend.kind === 'local' ? await statePlaces(project, to.backend) : [];
  if (newPlaces.some((path) => statePaths.includes(path))) return problems;
  for (const name of present) await emptyState(project, local, name);
  return problems;
}

async function statePlaces(project: Project, backend: LocalBackend): Promise<readonly string[]> {
  const names = await workspaceNames(project, backend);
  return names.map((name) => stateLocation(backend, name, DEFAULT_STATE_OPTIONS).path);
}

/** Replaces a state by an empty file, and keeps it as a backup. */
async function emptyState(project: Project, backend: LocalBackend, name: string): Promise<void> {
  const { files } = project.host;
  const { path } = stateLocation(backend, name, DEFAULT_STATE_OPTIONS);
  if ((await files.stat(path)) === undefined) return;
  const old = await files.readFile(path);
  const { stateCodec: codec } = project;
  const backedUp =
    codec === undefined || old.length === 0
      ? old
      : await codec.encode([(await codec.decode(old)).bytes], { lineage: '' });
  await files.replaceFile(`${path}.backup`, backedUp, { mode: 0o600 });
  await files.replaceFile(path, '');
}

function localReadFailed(diagnostics: readonly Diagnostic[]): Diagnostic {
  const reason = diagnostics.map(({ summary }) => summary).join('; ');
  return plainError(`Error reading local state: ${reason}

Terraform is trying to read your local state to determine if there is
state to migrate to your newly configured backend. Terraform can't continue
without this check because that would risk losing state. Please resolve the
error above and try again.`);
}
