import type { ProviderSource } from '@terrane/addresses';
import type { Configuration, State } from '@terrane/engine';
import { errorDiagnostic, hasErrors, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import type {
  InstallEvent,
  InstallOutcome,
  LockedProvider,
  ProviderLocks,
} from '@terrane/registry';
import type { BundledProvider } from '@terrane/provider';
import { programCommand } from '@terrane/host';
import { bundledProvider } from './bundled-providers.ts';
import { servingBundled } from './bundled-rule.ts';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import { goPlatform } from './cli-config/go-platform.ts';
import { providerInstaller } from './provider-installer.ts';
import type { Project } from './project.ts';
import { requirementsOf, type ProviderRequirement } from './provider-requirements.ts';
import { runningProviders } from './providers-elsewhere.ts';
import { plainError } from './run-ports.ts';

/** Events of provider installation. */
export type ProvidersEvent =
  | { readonly kind: 'providers' }
  | { readonly kind: 'provider-built-in'; readonly source: ProviderSource }
  | {
      readonly kind: 'provider-bundled';
      readonly source: ProviderSource;
      readonly version: string;
    }
  | { readonly kind: 'provider-install'; readonly event: InstallEvent }
  | { readonly kind: 'lock-created' | 'lock-changed' };

/** The options of provider installation. */
export interface InstallProvidersOptions {
  readonly upgrade: boolean;
  readonly readonlyLock: boolean;
  /** the `-plugin-dir` options: packages are installed from there only */
  readonly pluginDirectories: readonly string[];
  readonly ports: { readonly signal?: AbortSignal };
}

/** Installs the required providers that are not provided otherwise, and updates the lock file. */
export async function installProjectProviders(
  project: Project,
  configuration: Configuration,
  state: State | undefined,
  options: InstallProvidersOptions,
  emit: (event: ProvidersEvent) => void,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = [...overrideWarnings(project)];
  const required = requirementsOf(configuration, state);
  const { constraintProblems } = await import('@terrane/registry');
  const problems = constraintProblems(required.values());
  if (problems.length > 0) return [...diagnostics, ...problems];
  for (const source of required.keys())
    if (source.namespace === '-') diagnostics.push(legacy(source));
  const { readDependencyLock } = await import('./locked-packages.ts');
  const lock = readDependencyLock(project.host.files);
  diagnostics.push(...lock.diagnostics);
  const running = await runningProviders(project);
  diagnostics.push(...running.diagnostics);
  if (hasErrors(diagnostics)) return diagnostics;
  if (options.upgrade && options.readonlyLock) {
    return [...diagnostics, plainError('The -upgrade flag conflicts with -lockfile=readonly.')];
  }
  emit({ kind: 'providers' });
  const overridden = cliConfigOf(project).providerInstallation?.developmentOverrides ?? new Map();
  const served = new Map<ProviderSource, BundledProvider>();
  const requirements = new Map<ProviderSource, ProviderRequirement>();
  for (const [source, requirement] of required) {
    const isRunning = running.origins.has(source) || project.providers?.has(source.text) === true;
    if (overridden.has(source) || isRunning) continue;
    if (source.isBuiltin) {
      diagnostics.push(...(await reportBuiltIn(source, requirement, emit)));
      continue;
    }
    const locked = lock.providers.get(source);
    const bundled = await bundledFor(project, source, requirement, locked, options);
    if (bundled === undefined) requirements.set(source, requirement);
    else served.set(source, bundled);
  }
  for (const [source, { version }] of served) emit({ kind: 'provider-bundled', source, version });
  if (hasErrors(diagnostics)) return diagnostics;
  const isServed = (source: ProviderSource): boolean =>
    served.has(source) || overridden.has(source);
  const servedLocks = new Map([...lock.providers].filter(([source]) => isServed(source)));
  const before: ProviderLocks = lock.providers;
  if (requirements.size === 0) {
    return [...diagnostics, ...(await keepLock(project, before, servedLocks, [], options, emit))];
  }
  const others = new Map([...before].filter(([source]) => !isServed(source)));
  const outcome = await downloadProviders(project, requirements, others, options, emit);
  diagnostics.push(...outcome.diagnostics);
  if (hasErrors(diagnostics)) return diagnostics;
  const after = new Map<ProviderSource, LockedProvider>([...servedLocks, ...outcome.lock]);
  const lockProblems = await keepLock(project, before, after, outcome.incomplete, options, emit);
  return [...diagnostics, ...lockProblems];
}

/** Downloads and verifies providers. An interrupt is one of the errors. */
async function downloadProviders(
  project: Project,
  required: ReadonlyMap<ProviderSource, ProviderRequirement>,
  lock: ProviderLocks,
  { pluginDirectories, upgrade, ports }: InstallProvidersOptions,
  emit: (event: ProvidersEvent) => void,
): Promise<InstallOutcome> {
  const installer = await providerInstaller(project, pluginDirectories);
  const outcome = await installer.install({
    required,
    lock,
    upgrade,
    ...(ports.signal === undefined ? {} : { signal: ports.signal }),
    events: (event) => {
      if (event.kind !== 'begin') emit({ kind: 'provider-install', event });
    },
  });
  if (ports.signal?.aborted !== true) return outcome;
  const interrupted = plainError('Provider installation was canceled by an interrupt signal.');
  return { ...outcome, diagnostics: [...outcome.diagnostics, interrupted] };
}

async function bundledFor(
  project: Project,
  source: ProviderSource,
  { constraints }: ProviderRequirement,
  locked: LockedProvider | undefined,
  { upgrade, pluginDirectories }: InstallProvidersOptions,
): Promise<BundledProvider | undefined> {
  if (pluginDirectories.length > 0) return undefined;
  if (locked !== undefined && (await isInstalled(project, source, locked))) return undefined;
  // With an upgrade, the locked version is ignored.
  const version = upgrade ? undefined : locked?.version;
  return await servingBundled(project, source, constraints, version);
}

async function isInstalled(
  project: Project,
  source: ProviderSource,
  locked: LockedProvider,
): Promise<boolean> {
  const { installedPackage } = await import('./locked-packages.ts');
  const { files, environment } = project.host;
  const { dataDirectory } = project;
  const location = { files, environment, dataDirectory };
  return (await installedPackage(location, source, locked)) !== undefined;
}

async function reportBuiltIn(
  source: ProviderSource,
  { constraints }: ProviderRequirement,
  emit: (event: ProvidersEvent) => void,
): Promise<readonly Diagnostic[]> {
  const reject = (reason: string): readonly Diagnostic[] => [
    errorDiagnostic(
      'Invalid dependency on built-in provider',
      `Cannot use ${source.text}: ${reason}.`,
    ),
  ];
  if ((await bundledProvider(source.text)) === undefined) {
    return reject(
      `this Terraform release has no built-in provider named ${JSON.stringify(source.type)}`,
    );
  }
  if (constraints.length > 0) {
    return reject('built-in providers do not support explicit version constraints');
  }
  emit({ kind: 'provider-built-in', source });
  return [];
}

/** Writes the lock file if it changed, or returns the errors that prevent it. */
async function keepLock(
  project: Project,
  before: ProviderLocks,
  after: ProviderLocks,
  incomplete: readonly string[],
  { readonlyLock }: InstallProvidersOptions,
  emit: (event: ProvidersEvent) => void,
): Promise<readonly Diagnostic[]> {
  if (before.size === 0 && after.size === 0) return [];
  const { sameLockedProviders, sameLocks, writeDependencyLock } = await import('@terrane/registry');
  if (sameLocks(before, after)) return [];
  if (readonlyLock) {
    return sameLockedProviders(before, after)
      ? [
          warningDiagnostic(
            'Provider lock file not updated',
            `Changes to the provider selections were detected, but not saved in the .terraform.lock.hcl file. To record these selections, run "${programCommand('init')}" without the "-lockfile=readonly" flag.`,
          ),
        ]
      : [
          errorDiagnostic(
            'Provider dependency changes detected',
            `Changes to the required provider dependencies were detected, but the lock file is read-only. To use and record these requirements, run "${programCommand('init')}" without the "-lockfile=readonly" flag.`,
          ),
        ];
  }
  const diagnostics: Diagnostic[] = [];
  if (incomplete.length > 0) diagnostics.push(incompleteLock(project, incomplete));
  emit({ kind: before.size === 0 ? 'lock-created' : 'lock-changed' });
  diagnostics.push(...(await writeDependencyLock(project.host.files, after)));
  return diagnostics;
}

function incompleteLock({ host }: Project, providers: readonly string[]): Diagnostic {
  return warningDiagnostic(
    'Incomplete lock file information for providers',
    `Due to your customized provider installation methods, Terraform was forced to calculate lock file checksums locally for the following providers:
  - ${[...providers].sort().join('\n  - ')}

The current .terraform.lock.hcl file only includes checksums for ${goPlatform(host.environment)}, so Terraform running on another platform will fail to install these providers.

To calculate additional checksums for another platform, run:
  ${programCommand('providers lock -platform=linux_amd64')}
(where linux_amd64 is the platform to generate)`,
  );
}

function legacy({ type }: ProviderSource): Diagnostic {
  return errorDiagnostic(
    'Invalid legacy provider address',
    `This configuration or its associated state refers to the unqualified provider ${JSON.stringify(type)}.\n\nYou must complete the Terraform 0.13 upgrade process before upgrading to later versions.`,
  );
}

function overrideWarnings(project: Project): readonly Diagnostic[] {
  const overrides = cliConfigOf(project).providerInstallation?.developmentOverrides;
  if (overrides === undefined || overrides.size === 0) return [];
  const lines = [...overrides].map(([source, path]) => ` - ${source.display} in ${path}\n`);
  return [
    warningDiagnostic(
      'Provider development overrides are in effect',
      `The following provider development overrides are set in the CLI configuration:\n${lines.join('')}\nThese providers are not installed as part of init since they were overwritten. If this is unintentional please re-run without the development overrides set.`,
    ),
  ];
}
