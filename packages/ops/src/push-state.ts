import {
  checkPush,
  EMPTY_STATE,
  pushedFile,
  readStateFile,
  TERRAFORM_VERSION,
} from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { mentionsEncryption } from './encryption.ts';
import { loadRootModule } from './load-project.ts';
import { withLockedState, type Outcome } from './locked-state.ts';
import { observedState } from './observed-state.ts';
import { problemsText } from './problems-text.ts';
import type { Project } from './project.ts';
import { checkRemoteVersion } from './remote-version.ts';
import { decodedState, openProjectState, type ReadState } from './read-state.ts';
import { plainError, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/** A state, as bytes, that replaces the stored one. */
export interface PushRequest {
  readonly bytes: Uint8Array;
  /** the origin of the bytes, for messages */
  readonly name: string;
  /** permits replacing a newer state, or one of another lineage */
  readonly force: boolean;
}

/** Replaces the stored state by another one, unless the new one is older or has another lineage. */
export async function pushState(
  project: Project,
  request: PushRequest,
  options: StateOptions,
  ports: Pick<RunPorts, 'waiting' | 'signal'>,
): Promise<readonly Diagnostic[]> {
  if (request.bytes.length === 0) {
    const name = JSON.stringify(request.name);
    return [plainError(`Error reading source state ${name}: no state`)];
  }
  let read: ReadState = readStateFile(request.bytes);
  const readFailure = (): readonly Diagnostic[] => {
    const text = problemsText(read.diagnostics);
    return [plainError(`Error reading source state ${JSON.stringify(request.name)}: ${text}`)];
  };
  const isInvalid = hasErrors(read.diagnostics);
  if (isInvalid && !mentionsEncryption(project, (await loadRootModule(project)).configuration)) {
    return readFailure();
  }
  const { result: opened, diagnostics } = await openProjectState(project, options);
  if (opened === undefined) return diagnostics;
  if (isInvalid) {
    // An errored.tfstate file of an encrypted project is encrypted.
    read = await decodedState(opened.project, request.bytes);
    if (hasErrors(read.diagnostics)) return readFailure();
  }
  const lockPorts = { ...ports, clock: project.host.clock };
  const { manager } = opened;
  const versions = await checkRemoteVersion(opened, options);
  if (hasErrors(versions)) return versions;
  const pushed = await withLockedState(
    manager,
    options,
    'state-push',
    lockPorts,
    async (lockedState): Promise<Outcome<never>> => {
      const state = observedState(lockedState, { project, operation: 'state-push', opened });
      const base = state.file;
      const file = read.file ?? {
        state: EMPTY_STATE,
        lineage: project.host.random.uuid(),
        serial: 0,
        terraformVersion: TERRAFORM_VERSION,
      };
      const refusal = request.force ? undefined : checkPush(file, base);
      if (refusal !== undefined)
        return { diagnostics: [plainError(`Failed to write state: ${refusal}`)] };
      const next = pushedFile(file, base, {
        isLocal: opened.backend.kind === 'local',
        newLineage: project.host.random.uuid,
      });
      if (next === undefined) return { diagnostics: [] };
      return { diagnostics: await state.write(next, { force: request.force }) };
    },
  );
  return [...versions, ...pushed.diagnostics];
}
