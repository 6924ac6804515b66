import { quoteText } from '@terrane/cty';
import { sameState, type StateFile, type StateManager, type WritableState } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Question } from '../ask.ts';
import { withLockedState, type Outcome } from '../locked-state.ts';
import type { Project } from '../project.ts';
import { errorOf, joinedError, plainError } from '../run-ports.ts';
import { hasWorkspaces, stateManagerOf } from '../state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from '../state-options.ts';
import { DEFAULT_WORKSPACE, selectedWorkspace, selectWorkspace } from '../workspace.ts';
import { workspaceNames } from '../workspaces.ts';
import { CLOUD } from './backend-kind.ts';
import type { InitBackendOptions } from './init-options.ts';
import type { StateBackend } from './state-backend.ts';

/** The error for an approval with interactive input disabled. */
export const NO_INPUT =
  'Can\'t ask approval for state migration when interactive input is disabled.\n\nPlease remove the "-input=false" option and try again.';

/** A backend with the name of its kind. */
export interface NamedBackend {
  readonly type: string;
  readonly backend: StateBackend;
}

/** Copies the states of one backend to another after confirmation. After errors the caller must not change anything. */
export async function migrateStates(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  let names: readonly string[];
  try {
    names = await workspaceNames(project, from.backend);
  } catch (error) {
    return [loadFailed(from, [errorOf(error)])];
  }
  if (!hasWorkspaces(to.backend)) return await migrateToOne(project, from, to, names, options);
  if (names.length === 1 && names[0] === DEFAULT_WORKSPACE) {
    return await migrateState(project, from, to, DEFAULT_WORKSPACE, options, options.forceCopy);
  }
  if (!options.forceCopy) {
    const confirmed = await confirm(options, {
      id: 'backend-migrate-multistate-to-multistate',
      query: `Do you want to migrate all workspaces to ${quoteText(to.type)}?`,
      description: `Both the existing ${quoteText(from.type)} backend and the newly configured ${quoteText(to.type)} backend
support workspaces. When migrating between backends, Terraform will copy
all workspaces (with the same names). THIS WILL OVERWRITE any conflicting
states in the destination.

Terraform initialization doesn't currently migrate only select workspaces.
If you want to migrate a select number of workspaces, you must manually
pull and push those states.

If you answer "yes", Terraform will migrate all states. If you answer
"no", Terraform will abort.`,
    });
    if (typeof confirmed === 'string') {
      return [plainError(`Error asking for state migration action: ${confirmed}`)];
    }
    if (!confirmed) return [plainError('Migration aborted by user.')];
  }
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    const problems = await migrateState(project, from, to, name, options, true);
    if (!hasErrors(problems)) continue;
    return [
      plainError(
        `Error migrating the workspace ${quoteText(name)} from the previous ${quoteText(from.type)} backend
to the newly configured ${quoteText(to.type)} backend:
    ${textOf(problems)}

Terraform copies workspaces in alphabetical order. Any workspaces
alphabetically earlier than this one have been copied. Any workspaces
later than this haven't been modified in the destination. No workspaces
in the source state have been modified.

Please resolve the error above and run the initialization command again.
This will attempt to copy (with permission) all workspaces again.`,
      ),
    ];
  }
  return [];
}

/** Migrates to a backend with a single state: copies that of the selected workspace. */
async function migrateToOne(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  names: readonly string[],
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const { name: current } = await selectedWorkspace(project);
  if (names.length > 1 && !options.forceCopy) {
    const confirmed = await confirm(options, {
      id: 'backend-migrate-multistate-to-single',
      query:
        'Destination state ' +
        quoteText(to.type) +
        " doesn't support workspaces.\nDo you want to copy only your current workspace?",
      description: `The existing ${quoteText(from.type)} backend supports workspaces and you currently are
using more than one. The newly configured ${quoteText(to.type)} backend doesn't support
workspaces. If you continue, Terraform will copy your current workspace ${quoteText(current)}
to the default workspace in the new backend. Your existing workspaces in the
source backend won't be modified. If you want to switch workspaces, back them
up, or cancel altogether, answer "no" and Terraform will abort.`,
    });
    if (typeof confirmed === 'string') {
      return [plainError(`Error asking for state migration action: ${confirmed}`)];
    }
    if (!confirmed) return [plainError('Migration aborted by user.')];
  }
  const source = names.length > 1 ? current : (names[0] ?? DEFAULT_WORKSPACE);
  const problems = await migrateState(
    project,
    from,
    to,
    source,
    options,
    options.forceCopy,
    DEFAULT_WORKSPACE,
  );
  if (hasErrors(problems)) return problems;
  await selectWorkspace(project, DEFAULT_WORKSPACE);
  return problems;
}

/**
 * Copies a state, after confirmation unless `sure`. If the target backend has no default workspace and `there` is
 * undefined, prompts for a name and selects it.
 */
export async function migrateState(
  project: Project,
  from: NamedBackend,
  to: NamedBackend,
  workspace: string,
  options: InitBackendOptions,
  sure: boolean,
  there: string = workspace,
): Promise<readonly Diagnostic[]> {
  const state = {
    ...DEFAULT_STATE_OPTIONS,
    lock: options.lock,
    lockTimeoutMs: options.lockTimeoutMs,
  };
  let source: StateManager;
  try {
    source = await stateManagerOf(project, from.backend, workspace, state);
  } catch (error) {
    return [loadFailed(from, [errorOf(error)])];
  }
  const read = await source.read();
  if (hasErrors(read.diagnostics)) return [loadFailed(from, read.diagnostics)];
  if (isEmpty(read.file)) return [];
  let destination: StateManager;
  try {
    let target = there;
    if (target === DEFAULT_WORKSPACE && areNamed(to)) {
      target = await askNewName(options, to.type);
      const { name: selected } = await selectedWorkspace(project);
      if (selected === DEFAULT_WORKSPACE) await selectWorkspace(project, target);
    }
    destination = await stateManagerOf(project, to.backend, target, state);
  } catch (error) {
    return [loadFailed(to, [errorOf(error)])];
  }
  const destinationState = await destination.read();
  if (hasErrors(destinationState.diagnostics))
    return [loadFailed(to, destinationState.diagnostics)];
  if (isSameState(read.file, destinationState.file)) return [];
  const ports = { clock: project.host.clock, ...options.ports };
  const copied = await withLockedState(source, state, 'migration source state', ports, (old) =>
    withLockedState(destination, state, 'migration destination state', ports, (present) =>
      copyState(present, old.file, from, to, options, sure),
    ),
  );
  return copied.diagnostics;
}

async function copyState(
  destination: WritableState,
  old: StateFile | undefined,
  from: NamedBackend,
  to: NamedBackend,
  options: InitBackendOptions,
  sure: boolean,
): Promise<Outcome<true>> {
  const { file: present } = destination;
  if (old === undefined || isEmpty(old)) return { diagnostics: [] };
  // For HCP Terraform the copy has been confirmed already.
  if (!sure && !(to.type === CLOUD && isEmpty(present))) {
    if (!options.input) {
      return {
        diagnostics: [plainError(NO_INPUT)],
      };
    }
    const question = isEmpty(present) ? emptyQuestion(from, to) : occupiedQuestion(from, to);
    const confirmed = await confirm(options, question);
    if (typeof confirmed === 'string') {
      return { diagnostics: [plainError(`Error asking for confirmation: ${confirmed}`)] };
    }
    if (!confirmed) return { diagnostics: [] };
  }
  // Lineage and serial are retained: it is the same state in another place, unless a server had another one.
  const serial = old.serial + (to.backend.kind === 'local' || present === undefined ? 0 : 1);
  const writeProblems = await destination.write({ ...old, serial }, { force: true });
  if (!hasErrors(writeProblems)) return { result: true, diagnostics: writeProblems };
  return {
    diagnostics: [
      plainError(
        `Error copying state from the previous ${quoteText(from.type)} backend to the newly configured
${quoteText(to.type)} backend:
    ${textOf(writeProblems)}

The state in the previous backend remains intact and unmodified. Please resolve
the error above and try again.`,
      ),
    ],
  };
}

function emptyQuestion({ type: from }: NamedBackend, { type: to }: NamedBackend): Question {
  return {
    id: 'backend-migrate-copy-to-empty',
    query: 'Do you want to copy existing state to the new backend?',
    description: `Pre-existing state was found while migrating the previous ${quoteText(from)} backend to the
newly configured ${quoteText(to)} backend. No existing state was found in the newly
configured ${quoteText(to)} backend. Do you want to copy this state to the new ${quoteText(to)}
backend? Enter "yes" to copy and "no" to start with an empty state.`,
  };
}

function occupiedQuestion(from: NamedBackend, to: NamedBackend): Question {
  const cloud = to.backend.kind === 'opened' ? to.backend.backend.cloud : undefined;
  if (cloud !== undefined) {
    const { appName } = cloud;
    return {
      id: 'backend-migrate-to-tfc',
      query: 'Do you want to copy existing state to HCP Terraform?',
      description: `Pre-existing state was found while migrating the previous ${quoteText(from.type)} backend to
${appName}. An existing non-empty state already exists in ${appName}.

Previous (type ${quoteText(from.type)}): ${placeOf(from)}
New      (${appName}): ${placeOf(to)}

Do you want to overwrite the state in ${appName} with the previous state?
Enter "yes" to copy and "no" to start with the existing state in ${appName}.`,
    };
  }
  return {
    id: 'backend-migrate-to-backend',
    query: 'Do you want to copy existing state to the new backend?',
    description: `Pre-existing state was found while migrating the previous ${quoteText(from.type)} backend to the
newly configured ${quoteText(to.type)} backend. An existing non-empty state already exists in
the new backend.

Previous (type ${quoteText(from.type)}): ${placeOf(from)}
New      (type ${quoteText(to.type)}): ${placeOf(to)}

Do you want to overwrite the state in the new backend with the previous state?
Enter "yes" to copy and "no" to start with the existing state in the newly
configured ${quoteText(to.type)} backend.`,
  };
}

function placeOf({ type, backend }: NamedBackend): string {
  return backend.kind === 'local' ? backend.path : `kept by the ${quoteText(type)} backend`;
}

/** Prompts for the new name of the default workspace, for a backend without a default workspace. */
export async function askNewName(options: InitBackendOptions, type: string): Promise<string> {
  if (!options.input || options.ask === undefined) throw new Error(NO_INPUT);
  const input = await options.ask.input(
    {
      id: 'new-state-name',
      query:
        type === 'cloud'
          ? 'HCP Terraform and Terraform Enterprise require all workspaces to be given an explicit name.'
          : `The ${quoteText(type)} backend configuration only allows named workspaces!`,
      description: `Please provide a new workspace name (e.g. dev, test) that will be used
to migrate the existing default workspace.`,
    },
    options.ports.signal,
  );
  if ('problem' in input) throw new Error(`Error asking for new state name: ${input.problem}`);
  return input.text;
}

function areNamed({ backend }: NamedBackend): boolean {
  return backend.kind === 'opened' && backend.backend.workspaces?.areNamed === true;
}

/** Prompts for confirmation, at most twice. A string is the reason why there was no input. */
export async function confirm(
  { ask, input, ports }: InitBackendOptions,
  question: Question,
): Promise<boolean | string> {
  if (!input || ask === undefined) return 'input is disabled';
  for (let attempt = 0; attempt < 2; attempt++) {
    const answer = await ask.input(question, ports.signal);
    if ('problem' in answer) return answer.problem;
    const choice = answer.text.toLowerCase();
    if (choice === 'yes' || choice === 'no') return choice === 'yes';
  }
  return false;
}

/** Returns true if a state has no objects and no outputs. */
export function isEmpty(file: StateFile | undefined): boolean {
  return file?.state.isEmpty ?? true;
}

function isSameState(a: StateFile | undefined, b: StateFile | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.lineage === b.lineage && sameState(a.state, b.state);
}

function loadFailed({ type }: NamedBackend, diagnostics: readonly Diagnostic[]): Diagnostic {
  return plainError(`Error loading state:
    ${textOf(diagnostics)}

Terraform failed to load the default state from the ${quoteText(type)} backend.
State migration cannot occur unless the state can be loaded. Backend
modification and state migration has been aborted. The state in both the
source and the destination remain unmodified. Please resolve the
above error and try again.`);
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return joinedError('', diagnostics).summary;
}
