import { checkCoreVersions, type Configuration, type LoadResult } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { ModuleDownload } from '@terrane/registry';
import { backendOf } from './local-backend.ts';
import { installModules, type ModuleEvent } from './install-modules.ts';
import { hasConfiguration, loadProject, loadRootModule } from './load-project.ts';
import type { Project } from './project.ts';
import { chooseProviders, type ChosenProvider } from './providers.ts';
import { openState } from './open-run.ts';
import { joinedError } from './run-ports.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

/** What `init` does, as it does it. */
export type InitEvent =
  | { readonly kind: 'empty' }
  | { readonly kind: 'backend'; readonly type?: string }
  | { readonly kind: 'modules' }
  | ({ readonly kind: 'download'; readonly path: string } & ModuleDownload)
  | { readonly kind: 'module'; readonly path: string; readonly directory: string }
  | { readonly kind: 'providers' }
  | { readonly kind: 'provider'; readonly provider: ChosenProvider };

/** What `init` finds wrong, and whether it is the configuration itself. */
export interface Initialised {
  readonly diagnostics: readonly Diagnostic[];
  readonly invalidConfiguration: boolean;
  /** the configuration and its modules could be loaded */
  readonly loaded: boolean;
}

/** What `init` is to do. */
export interface InitOptions {
  readonly backend: boolean;
  /** modules are installed; otherwise they have to be there */
  readonly modules: boolean;
  readonly upgrade: boolean;
  readonly signal: AbortSignal;
}

/**
 * Checks that everything a configuration needs is there: modules, backend and providers. Bundled
 * providers need no preparation, so nothing is written; the lock file is read and left alone.
 */
export async function initialise(
  project: Project,
  options: InitOptions,
  emit: (event: InitEvent) => void,
): Promise<Initialised> {
  if (!hasConfiguration(project)) {
    emit({ kind: 'empty' });
    return { diagnostics: [], invalidConfiguration: false, loaded: true };
  }
  const { configuration: early } = await loadRootModule(project);
  const declared = early?.root.backend;
  if (options.backend) {
    emit({ kind: 'backend', ...(declared === undefined ? {} : { type: declared.type }) });
  }
  let loaded: LoadResult;
  if (options.modules && early !== undefined && early.root.calls.size > 0) {
    emit({ kind: 'modules' });
    const installed = await installModules(project, { ...options, emit: tellModule(emit) });
    ({ loaded } = installed);
    if (installed.failed) {
      return { diagnostics: loaded.diagnostics, invalidConfiguration: false, loaded: false };
    }
  } else loaded = await loadProject(project);
  const { configuration, diagnostics } = loaded;
  if (configuration === undefined || hasErrors(diagnostics)) {
    const versions = configuration === undefined ? [] : checkCoreVersions(configuration);
    // What a later version understands may be what looks wrong to this one.
    if (versions.length > 0) {
      return { diagnostics: versions, invalidConfiguration: false, loaded: false };
    }
    // Where modules are called, Terraform stops at them before it tells of the backend.
    const tellsBackend = options.backend && configuration?.root.calls.size === 0;
    const unsuitable = tellsBackend ? backendOf(project, configuration).diagnostics : [];
    return {
      diagnostics: [...diagnostics, ...unsuitable],
      invalidConfiguration: needsExplanation(loaded),
      loaded: false,
    };
  }
  const backend = backendOf(project, configuration);
  if (options.backend && backend.backend === undefined) {
    const all = [...diagnostics, ...backend.diagnostics];
    return { diagnostics: all, invalidConfiguration: false, loaded: true };
  }
  const providers = await tellProviders(project, configuration, options, emit);
  return { diagnostics: [...diagnostics, ...providers], invalidConfiguration: false, loaded: true };
}

/**
 * Whether the configuration as such has to be named as what is wrong. Where modules are called, Terraform
 * meets what the root module declares wrongly while it installs them, and says no more.
 */
function needsExplanation({ configuration, rootFault }: LoadResult): boolean {
  if (configuration === undefined) return true;
  return rootFault === 'syntax' || (rootFault !== undefined && configuration.root.calls.size === 0);
}

/** Tells of modules in the words of `init`. */
export function tellModule(emit: (event: InitEvent) => void): (event: ModuleEvent) => void {
  return (event) => {
    const { key: path } = event;
    if (event.kind === 'download') emit({ ...event, path });
    else emit({ kind: 'module', path, directory: event.directory });
  };
}

async function tellProviders(
  project: Project,
  configuration: Configuration,
  options: { readonly backend: boolean },
  emit: (event: InitEvent) => void,
): Promise<readonly Diagnostic[]> {
  const opened = options.backend
    ? await openState(project, configuration, DEFAULT_STATE_OPTIONS)
    : undefined;
  const read = await opened?.place?.manager.read();
  if (read !== undefined && hasErrors(read.diagnostics))
    return [joinedError('Error refreshing state', read.diagnostics)];
  emit({ kind: 'providers' });
  const choice = await chooseProviders(project, configuration, read?.file?.state);
  for (const provider of choice.providers) emit({ kind: 'provider', provider });
  return choice.diagnostics;
}
