import { objectOf, quoteText, str, type Value } from '@terrane/cty';
import type { Configuration } from '@terrane/engine';
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { DEFAULT_LOCAL_BACKEND } from '../local-backend.ts';
import type { Project } from '../project.ts';
import { errorOf, plainError } from '../run-ports.ts';
import { CLOUD } from './backend-kind.ts';
import { backendOptions } from './backend-options.ts';
import {
  backendConfigForCloud,
  type CloudChange,
  cloudChange,
  cloudOptionProblems,
} from './cloud-mode.ts';
import { configuredBackend, type ConfiguredBackend } from './configured-backend.ts';
import { backendSaved, isSame, openBackend, type FoundBackend } from './current-backend.ts';
import { ensureWorkspace } from './ensure-workspace.ts';
import type { InitBackendOptions } from './init-options.ts';
import { moveLocalStates, presentStates } from './local-states.ts';
import { moveStates } from './move-states.ts';
import {
  readSavedBackend,
  savedBackendOf,
  type SavedBackend,
  writeSavedBackend,
} from './saved-backend.ts';
import type { StateBackend } from './state-backend.ts';

/** Events of the backend set-up. */
export type BackendEvent =
  | { readonly kind: 'backend-set' | 'backend-unset'; readonly type: string }
  | { readonly kind: 'backend-unsetting'; readonly type: string }
  /** the same type of backend, with another configuration */
  | { readonly kind: 'backend-reconfigured' }
  | { readonly kind: 'backend-changed'; readonly from: string; readonly to: string }
  /** several workspaces have been renamed during the migration */
  | {
      readonly kind: 'workspaces-moved';
      readonly names: readonly string[];
      readonly selected: string;
    }
  /** the settings of the `cloud` block are others */
  | { readonly kind: 'cloud-changed' }
  /** migration from a backend to the `cloud` block */
  | { readonly kind: 'cloud-entering'; readonly from: string }
  /** migration from the `cloud` block to a backend; without one to local files */
  | { readonly kind: 'cloud-leaving'; readonly to?: string };

/** Sets up the configured backend, and migrates states if requested. */
export async function initBackend(
  project: Project,
  configuration: Configuration | undefined,
  options: InitBackendOptions,
  emit: (event: BackendEvent) => void,
): Promise<FoundBackend> {
  if (configuration?.root.cloud !== undefined && options.backendConfig.length > 0) {
    return { diagnostics: [backendConfigForCloud()] };
  }
  const override = backendOptions(project.host.files, options.backendConfig);
  const requested = await configuredBackend(configuration, override);
  const warnings: Diagnostic[] = [];
  if (configuration?.root.backend === undefined && options.backendConfig.length > 0) {
    warnings.push(missingBackend());
  }
  if (hasErrors(requested.diagnostics))
    return { diagnostics: [...warnings, ...requested.diagnostics] };
  const read = readSavedBackend(project);
  if (hasErrors(read.diagnostics)) return { diagnostics: [...warnings, ...read.diagnostics] };
  const saved = options.reconfigure ? undefined : read.saved;
  const selection = await decide(project, requested.configured, saved, options, emit);
  return {
    ...selection,
    diagnostics: [...warnings, ...requested.diagnostics, ...selection.diagnostics],
  };
}

/** The backend that an earlier `init` has set up, for `init -backend=false`. */
export async function previousBackend(project: Project): Promise<FoundBackend> {
  const { saved, diagnostics } = readSavedBackend(project);
  if (hasErrors(diagnostics)) return { diagnostics };
  return saved === undefined
    ? { backend: DEFAULT_LOCAL_BACKEND, diagnostics: [] }
    : await backendSaved(project, saved);
}

async function decide(
  project: Project,
  configured: ConfiguredBackend | undefined,
  saved: SavedBackend | undefined,
  options: InitBackendOptions,
  emit: (event: BackendEvent) => void,
): Promise<FoundBackend> {
  const migrates = options.migrateState || options.forceCopy;
  if (configured === undefined) {
    if (saved === undefined) return { backend: DEFAULT_LOCAL_BACKEND, diagnostics: [] };
    return migrates || saved.type === CLOUD
      ? await unset(project, saved, options, emit)
      : { diagnostics: [configurationChanged()] };
  }
  if (saved === undefined) return await configure(project, configured, undefined, options, emit);
  const overridden = options.backendConfig.length > 0;
  if (saved.hash === configured.hash && !overridden) return await reuse(project, saved, options);
  if (isSame(configured, saved)) {
    const { hash } = configured;
    const problems =
      saved.hash === hash ? [] : await writeSavedBackend(project, { ...saved, hash });
    return hasErrors(problems) ? { diagnostics: problems } : await reuse(project, saved, options);
  }
  const change = cloudChange(saved.type, configured.kind.type, false);
  return migrates || change !== undefined
    ? await configure(project, configured, saved, options, emit)
    : { diagnostics: [configurationChanged()] };
}

async function reuse(
  project: Project,
  saved: SavedBackend,
  options: InitBackendOptions,
): Promise<FoundBackend> {
  const selection = await backendSaved(project, saved);
  if (selection.backend === undefined) return selection;
  const problems = await ensureWorkspace(project, selection.backend, options);
  return hasErrors(problems) ? { diagnostics: problems } : selection;
}

/** Migrates from a backend to the local one. */
async function unset(
  project: Project,
  saved: SavedBackend,
  options: InitBackendOptions,
  emit: (event: BackendEvent) => void,
): Promise<FoundBackend> {
  const { type } = saved;
  const unfit = cloudOptionProblems(cloudChange(type, undefined, false), options);
  if (hasErrors(unfit)) return { diagnostics: unfit };
  emit(type === CLOUD ? { kind: 'cloud-leaving' } : { kind: 'backend-unsetting', type });
  const old = await backendSaved(project, saved);
  if (old.backend === undefined) return old;
  const to = { type: 'local', backend: DEFAULT_LOCAL_BACKEND };
  const problems = await moveStates(project, { type, backend: old.backend }, to, options);
  if (hasErrors(problems)) return { diagnostics: problems };
  const writeProblems = await writeSavedBackend(project, undefined);
  if (hasErrors(writeProblems)) return { diagnostics: writeProblems };
  emit({ kind: 'backend-unset', type });
  return { backend: DEFAULT_LOCAL_BACKEND, diagnostics: [...problems] };
}

/** Migrates from the local or another backend to the configured one. */
async function configure(
  project: Project,
  configured: ConfiguredBackend,
  saved: SavedBackend | undefined,
  options: InitBackendOptions,
  emit: (event: BackendEvent) => void,
): Promise<FoundBackend> {
  const { kind, body, hash } = configured;
  const { type } = kind;
  const local = saved === undefined ? await presentStates(project) : { names: [] };
  if ('problems' in local) return { diagnostics: local.problems };
  const change = cloudChange(saved?.type, type, local.names.length > 0);
  const unfit = cloudOptionProblems(change, options);
  if (hasErrors(unfit)) return { diagnostics: unfit };
  if (saved !== undefined) emit(changeEvent(change, saved.type, type));
  const completed = await promptForArguments(project, configured, options);
  if ('problem' in completed) return { diagnostics: [plainError(completed.problem)] };
  const { value } = completed;
  const diagnostics: Diagnostic[] = [...kind.check(value, body, project)];
  if (hasErrors(diagnostics)) return { diagnostics };
  const opened = await openBackend(project, kind, value, body);
  const { backend } = opened;
  if (backend === undefined) return { diagnostics: [...diagnostics, ...opened.diagnostics] };
  diagnostics.push(...(await verifyLocks(backend)));
  if (hasErrors(diagnostics)) return { diagnostics };
  const cloudOptions: InitBackendOptions = {
    ...options,
    moved: (names, selected) => emit({ kind: 'workspaces-moved', names, selected }),
  };
  const moved =
    saved === undefined
      ? await moveLocalStates(project, local.names, { type, backend }, cloudOptions)
      : change === 'in-place'
        ? []
        : await moveSavedStates(project, saved, { type, backend }, cloudOptions);
  diagnostics.push(...moved);
  if (hasErrors(diagnostics)) return { diagnostics };
  diagnostics.push(...(await ensureWorkspace(project, backend, options)));
  // Workspaces of the remote backend are created by `workspace new`, which requires that it is set up.
  if (hasErrors(diagnostics) && type !== 'remote') return { diagnostics };
  const writeProblems = await writeSavedBackend(project, savedBackendOf(kind, value, hash));
  if (hasErrors(writeProblems)) return { diagnostics: [...diagnostics, ...writeProblems] };
  // This one is reported at the end.
  if (type !== CLOUD) emit({ kind: 'backend-set', type });
  return hasErrors(diagnostics) ? { diagnostics } : { backend, diagnostics };
}

function changeEvent(change: CloudChange, from: string, to: string): BackendEvent {
  switch (change) {
    case 'in-place':
      return { kind: 'cloud-changed' };
    case 'in':
      return { kind: 'cloud-entering', from };
    case 'out':
      return { kind: 'cloud-leaving', to };
    case undefined:
      return from === to ? { kind: 'backend-reconfigured' } : { kind: 'backend-changed', from, to };
  }
}

/** Prompts for missing required backend arguments and returns the completed configuration. */
async function promptForArguments(
  project: Project,
  { kind, value }: ConfiguredBackend,
  { input, ask, ports }: InitBackendOptions,
): Promise<{ readonly value: Value } | { readonly problem: string }> {
  if (!input || ask === undefined) return { value };
  const answers = new Map<string, Value>();
  const missing = kind.asked(project).filter(({ name }) => value.attr(name).isNull);
  for (const { name, description } of missing.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const answer = await ask.input({ id: name, query: name, description }, ports.signal);
    if ('problem' in answer) {
      return {
        problem: `Error asking for input to configure backend ${quoteText(kind.type)}: ${name}: ${answer.problem}`,
      };
    }
    answers.set(name, str(answer.text));
  }
  if (answers.size === 0 || value.type.kind !== 'object') return { value };
  const { type } = value;
  const attributes = type.names.map((name) => answers.get(name) ?? value.attr(name));
  return { value: objectOf(type, attributes) };
}

async function moveSavedStates(
  project: Project,
  saved: SavedBackend,
  to: { readonly type: string; readonly backend: StateBackend },
  options: InitBackendOptions,
): Promise<readonly Diagnostic[]> {
  const old = await backendSaved(project, saved);
  if (old.backend === undefined) return old.diagnostics;
  return await moveStates(project, { type: saved.type, backend: old.backend }, to, options);
}

/** Verifies that locks of a backend work, and returns the diagnostics. */
async function verifyLocks(backend: StateBackend): Promise<readonly Diagnostic[]> {
  if (backend.kind === 'local') return [];
  try {
    await backend.backend.verify?.();
    return [];
  } catch (error) {
    return [errorOf(error)];
  }
}

function configurationChanged(): Diagnostic {
  return errorDiagnostic(
    'Backend configuration changed',
    `A change in the backend configuration has been detected, which may require migrating existing state.\n\nIf you wish to attempt automatic migration of the state, use "${programCommand('init -migrate-state')}".\nIf you wish to store the current configuration with no changes to the state, use "${programCommand('init -reconfigure')}".`,
  );
}

function missingBackend(): Diagnostic {
  return warningDiagnostic(
    'Missing backend configuration',
    `-backend-config was used without a "backend" block in the configuration.

If you intended to override the default local backend configuration,
no action is required, but you may add an explicit backend block to your
configuration to clear this warning:

terraform {
  backend "local" {}
}

However, if you intended to override a defined backend, please verify that
the backend configuration is present and valid.
`,
  );
}
