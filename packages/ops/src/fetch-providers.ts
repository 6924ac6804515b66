import { ProviderSource } from '@terrane/addresses';
import { withTestModules } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import type { LockEvent, MirrorEvent, Platform, ProviderLocks } from '@terrane/registry';
import { programCommand } from '@terrane/host';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import { loadProject } from './load-project.ts';
import { noSelection, refusedSelection } from './lock-problem.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { requirementsOf, type ProviderRequirement } from './provider-requirements.ts';

/** The options of `providers lock`. */
export interface LockRequest {
  /** as written; if empty, this machine's platform */
  readonly platforms: readonly string[];
  readonly filesystemMirror: string | undefined;
  readonly networkMirror: string | undefined;
  /** a level 1 URI template of the repository address, of `hostname`, `namespace` and `type` */
  readonly ociMirror?: string | undefined;
  /** the test directory, if the providers of its files are locked too */
  readonly testDirectory?: string | undefined;
  /** the shared cache of the CLI configuration may be used */
  readonly usePluginCache: boolean;
  /** addresses as written; none: all providers */
  readonly providers: readonly string[];
  readonly signal: AbortSignal;
}

/** Adds package checksums for several platforms to the lock file. Returns whether the file changed. */
export async function lockProjectProviders(
  project: Project,
  request: LockRequest,
  emit: (event: LockEvent) => void,
): Promise<Outcome<{ readonly changed: boolean }>> {
  const { filesystemMirror, networkMirror, ociMirror, signal } = request;
  const mirrors = [filesystemMirror, networkMirror, ociMirror].filter((each) => each !== undefined);
  if (mirrors.length > 1) {
    const names = ociMirror === undefined ? '-fs-mirror and -net-mirror' : 'mirror';
    return {
      diagnostics: [
        errorDiagnostic(
          'Invalid installation method options',
          `The ${names} command line options are mutually-exclusive.`,
        ),
      ],
    };
  }
  const opened = await open(project, request.platforms, request.testDirectory);
  const { diagnostics, lock, platforms, registry } = opened;
  const required = selectedPackages(opened.required, request.providers, diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  const { lockProviders, writeDependencyLock } = await import('@terrane/registry');
  const { ociCredentialsOf, serviceDirectory } = await import('./registry-access.ts');
  const config = cliConfigOf(project);
  const outcome = await lockProviders({
    host: project.host,
    services: serviceDirectory(project),
    required,
    lock,
    platforms,
    filesystemMirror,
    networkMirror,
    ociMirror,
    ociCredentials: ociCredentialsOf(project),
    ...(request.usePluginCache ? { cacheDirectory: config.pluginCacheDirectory } : {}),
    cacheMayBreakLock: config.pluginCacheMayBreakLockFile,
    defaultRegistry: registry,
    events: emit,
    signal,
  });
  diagnostics.push(...outcome.diagnostics);
  if (hasErrors(diagnostics)) return { diagnostics };
  diagnostics.push(...(await writeDependencyLock(project.host.files, outcome.lock)));
  return { result: { changed: outcome.changed }, diagnostics };
}

/** The options of `providers mirror`. */
export interface MirrorRequest {
  /** as written; if empty, this machine's platform */
  readonly platforms: readonly string[];
  readonly directory: string;
  /** uses the versions in the lock file, if there is one */
  readonly useLockFile: boolean;
  readonly signal: AbortSignal;
}

/** Downloads the required provider packages to a directory. */
export async function mirrorProjectProviders(
  project: Project,
  request: MirrorRequest,
  emit: (event: MirrorEvent) => void,
): Promise<readonly Diagnostic[]> {
  const opened = await open(project, request.platforms);
  const { diagnostics, lock, platforms, registry, required } = opened;
  const usesLock = request.useLockFile && lock.size > 0;
  if (usesLock) diagnostics.push(...(await selectionProblems(required, lock)));
  if (hasErrors(diagnostics)) return diagnostics;
  const { mirrorProviders } = await import('@terrane/registry');
  const { serviceDirectory } = await import('./registry-access.ts');
  const problems = await mirrorProviders({
    host: project.host,
    services: serviceDirectory(project),
    required,
    lock: usesLock ? lock : undefined,
    platforms,
    target: request.directory,
    defaultRegistry: registry,
    events: emit,
    signal: request.signal,
  });
  return [...diagnostics, ...problems];
}

type Required = ReadonlyMap<ProviderSource, ProviderRequirement>;

interface Opened {
  readonly required: Required;
  readonly lock: ProviderLocks;
  readonly platforms: readonly Platform[];
  readonly registry: string;
  readonly diagnostics: Diagnostic[];
}

async function open(
  project: Project,
  platformTexts: readonly string[],
  testDirectory?: string,
): Promise<Opened> {
  const { currentPlatform, defaultRegistry, parsePlatform, readDependencyLock } =
    await import('@terrane/registry');
  const diagnostics: Diagnostic[] = [];
  const { environment, files } = project.host;
  const platforms: Platform[] = platformTexts.length === 0 ? [currentPlatform(environment)] : [];
  for (const text of platformTexts) {
    const platform = parsePlatform(text);
    if (!('error' in platform)) platforms.push(platform);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Invalid target platform',
          `The string ${JSON.stringify(text)} given in the -platform option is not a valid target platform: ${platform.error}.`,
        ),
      );
    }
  }
  const registry = defaultRegistry(environment, cliConfigOf(project).defaultRegistry);
  if (typeof registry !== 'string') {
    diagnostics.push(errorDiagnostic('Invalid default registry', `${registry.error}.`));
  }
  const loaded = await loadProject(project, project.variables, testDirectory);
  diagnostics.push(...loaded.diagnostics);
  const lock = readDependencyLock(files);
  diagnostics.push(...lock.diagnostics);
  return {
    required: requirementsOf(
      loaded.configuration && withTestModules(loaded.configuration, loaded.tests),
      undefined,
    ),
    lock: lock.providers,
    platforms,
    registry: typeof registry === 'string' ? registry : '',
    diagnostics,
  };
}

/** Returns the named providers, or all of them without names. */
function selectedPackages(
  required: Required,
  addresses: readonly string[],
  diagnostics: Diagnostic[],
): Required {
  if (addresses.length === 0) return required;
  const selected = new Map<ProviderSource, ProviderRequirement>();
  for (const address of addresses) {
    const source = ProviderSource.parse(address);
    if ('error' in source) {
      diagnostics.push(errorDiagnostic(source.summary, source.error));
      continue;
    }
    const requirement = required.get(source);
    if (requirement !== undefined) selected.set(source, requirement);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Invalid provider argument',
          `The provider ${source.text} is not required by the current configuration.`,
        ),
      );
    }
  }
  return selected;
}

async function selectionProblems(
  required: Required,
  lock: ProviderLocks,
): Promise<readonly Diagnostic[]> {
  const problems: string[] = [];
  for (const [source, { constraints }] of required) {
    if (source.isBuiltin) continue;
    const locked = lock.get(source);
    const problem =
      locked === undefined
        ? noSelection(source)
        : await refusedSelection(source, constraints, locked.version);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length === 0) return [];
  return [
    errorDiagnostic(
      'Inconsistent dependency lock file',
      `To update the locked dependency selections to match a changed configuration, run:\n  ${programCommand('init -upgrade')}\n got:[${problems.join(' ')}]`,
    ),
  ];
}
