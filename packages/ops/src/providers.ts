import { dirname } from 'node:path';
import { parseVersionConstraint, ProviderSource, providersRequired } from '@terrane/engine';
import type { Configuration, ProviderPort, ResourceMode, Schemas, State } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Plugin, PluginTarget } from '@terrane/plugin';
import {
  type BundledProvider,
  type CheckedProvider,
  enforceContract,
  type Provider,
  type ProviderPorts,
  type ProviderSchema,
  type Schema,
} from '@terrane/provider';
import type { LockedProvider } from '@terrane/registry';
import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import { BUNDLED_ADDRESSES, bundledProvider } from './bundled-providers.ts';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import type { Project } from './project.ts';
import { plainError } from './run-ports.ts';
import { readRemoteState, validateRemoteState } from './remote-state.ts';

/** Where a provider comes from. */
export type ProviderOrigin =
  | { readonly kind: 'bundled'; readonly provider: BundledProvider }
  /** a package in the project's data directory */
  | {
      readonly kind: 'installed';
      readonly version: string;
      readonly executable: string;
      /** the checksum of the lock file that the package has */
      readonly checksum?: string;
    }
  /** `dev_overrides` of the CLI configuration name its directory */
  | { readonly kind: 'override'; readonly directory: string; readonly executable: string }
  /** `TF_REATTACH_PROVIDERS` says where it runs */
  | { readonly kind: 'running'; readonly target: PluginTarget };

/** A provider that this run uses. */
export interface ChosenProvider {
  readonly source: ProviderSource;
  readonly origin: ProviderOrigin;
  /** the configuration's version constraints, as written */
  readonly constraints: readonly string[];
  /** the lock file names the version */
  readonly locked: boolean;
}

/** The providers of a configuration and a state, or why some of them cannot be had. */
export interface ProviderChoice {
  readonly providers: readonly ChosenProvider[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Chooses a provider for everything that the configuration and the state need: one that somebody else
 * runs, one under development, the package that is installed in the version of the lock file, or else the
 * bundled one where the constraints and the version in the lock file allow it.
 */
export async function chooseProviders(
  project: Project,
  configuration: Configuration | undefined,
  state: State | undefined,
): Promise<ProviderChoice> {
  const required = new Map<ProviderSource, readonly string[]>();
  if (configuration !== undefined) {
    for (const [source, { constraints }] of providersRequired(configuration)) {
      required.set(source, constraints);
    }
  }
  for (const source of state === undefined ? [] : providersOfState(state)) {
    if (!required.has(source)) required.set(source, []);
  }
  const { readDependencyLock } = await import('./locked-packages.ts');
  const lock = readDependencyLock(project.host.files);
  const diagnostics: Diagnostic[] = [...lock.diagnostics];
  const providers: ChosenProvider[] = [];
  const sources = [...required.keys()].sort((a, b) => (a.text < b.text ? -1 : 1));
  const elsewhere = [await runningProviders(project), overrides(project)] as const;
  for (const found of elsewhere) diagnostics.push(...found.diagnostics);
  const [running, overridden] = elsewhere;
  const chosen = await Promise.all(
    sources.map(async (source) => {
      const constraints = required.get(source) ?? [];
      const locked = lock.providers.get(source);
      const origin =
        givenOrigin(project, source) ??
        running.origins.get(source) ??
        (await overridden.origins.get(source)?.()) ??
        (await originOf(project, source, constraints, locked));
      return 'severity' in origin
        ? origin
        : { source, origin, constraints, locked: locked !== undefined };
    }),
  );
  for (const each of chosen) {
    if ('severity' in each) diagnostics.push(each);
    else providers.push(each);
  }
  return { providers, diagnostics };
}

/** The installed package or the bundled provider, or why neither will do. */
async function originOf(
  project: Project,
  source: ProviderSource,
  constraints: readonly string[],
  locked: LockedProvider | undefined,
): Promise<ProviderOrigin | Diagnostic> {
  const { installedPackage } = await import('./locked-packages.ts');
  const found =
    locked === undefined || locked.version === '' || source.isBuiltin
      ? undefined
      : await installedPackage(
          { ...project.host, dataDirectory: project.dataDirectory },
          source,
          locked,
        );
  if (found === undefined) {
    const provider = await bundledProvider(source.text);
    const problem = problemOf(source, provider, constraints, locked?.version);
    if (provider === undefined || problem !== undefined) {
      return problem ?? errorDiagnostic('Provider not available', source.display);
    }
    return { kind: 'bundled', provider };
  }
  if ('problem' in found) {
    return errorDiagnostic(
      'Required plugins are not installed',
      `The installed provider plugins are not consistent with the packages selected in the dependency lock file:\n  - ${source.text}: ${found.problem}\n\nTerraform uses external plugins to integrate with a variety of different infrastructure services. To download the plugins required for this configuration, run:\n  terraform init`,
    );
  }
  const refused = constraints.filter(
    (text) => parseVersionConstraint(text).allows?.(found.version) === false,
  );
  if (refused.length > 0) {
    return errorDiagnostic(
      'Inconsistent dependency lock file',
      `The following dependency selections recorded in the lock file are inconsistent with the current configuration:\n  - provider ${source.text}: locked version selection ${found.version} doesn't match the updated version constraints ${JSON.stringify(constraints.join(', '))}\n\nTo update the locked dependency selections to match a changed configuration, run:\n  terraform init -upgrade`,
    );
  }
  return { kind: 'installed', ...found };
}

/** The provider that the caller of the library brings along. */
function givenOrigin(project: Project, source: ProviderSource): ProviderOrigin | undefined {
  const given = project.providers?.get(source.text);
  switch (given?.kind) {
    case undefined:
      return undefined;
    case 'in-process':
      return {
        kind: 'bundled',
        provider: { address: source.text, version: '', create: given.create },
      };
    case 'executable':
      return { kind: 'override', directory: dirname(given.path), executable: given.path };
  }
}

/** The providers that somebody else runs. */
async function runningProviders(project: Project): Promise<{
  readonly origins: ReadonlyMap<ProviderSource, ProviderOrigin>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const origins = new Map<ProviderSource, ProviderOrigin>();
  const text = project.host.environment.get('TF_REATTACH_PROVIDERS') ?? '';
  if (text === '') return { origins, diagnostics: [] };
  const { parseReattach, PluginError } = await import('@terrane/plugin');
  try {
    for (const [address, handshake] of parseReattach(text)) {
      const source = ProviderSource.parse(address);
      if ('error' in source) {
        throw new PluginError(`Error parsing ${JSON.stringify(address)} as a provider address`);
      }
      origins.set(source, { kind: 'running', target: { kind: 'running', handshake } });
    }
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { origins, diagnostics: [plainError(error.message)] };
  }
  return { origins, diagnostics: [] };
}

/** The providers under development, and the warning that there are some. */
function overrides(project: Project): {
  readonly origins: ReadonlyMap<ProviderSource, () => Promise<ProviderOrigin | Diagnostic>>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const directories = cliConfigOf(project).providerInstallation?.developmentOverrides;
  if (directories === undefined || directories.size === 0)
    return { origins: new Map(), diagnostics: [] };
  const { files } = project.host;
  const origins = new Map<ProviderSource, () => Promise<ProviderOrigin | Diagnostic>>();
  for (const [source, directory] of directories) {
    origins.set(source, async () => {
      const { executableIn } = await import('./locked-packages.ts');
      const executable = await executableIn(files, directory, source);
      if (executable !== undefined) {
        const path = await files.realPath(executable);
        return { kind: 'override', directory, executable: path };
      }
      return schemaProblem(
        source,
        `could not find executable file starting with terraform-provider-${source.type} in ${directory}`,
      );
    });
  }
  const lines = [...directories].map(
    ([source, directory]) => ` - ${source.display} in ${directory}\n`,
  );
  const warning: Diagnostic = {
    severity: 'warning',
    summary: 'Provider development overrides are in effect',
    detail: `The following provider development overrides are set in the CLI configuration:\n${lines.join('')}\nThe behavior may therefore not match any released version of the provider and applying changes may cause the state to become incompatible with published releases.`,
  };
  return { origins, diagnostics: [warning] };
}

const SCHEMA_PROBLEM = 'Failed to load plugin schemas';

function schemaProblem(source: ProviderSource, reason: string): Diagnostic {
  return errorDiagnostic(
    SCHEMA_PROBLEM,
    `Error while loading schemas for plugin components: Failed to obtain provider schema: Could not load the schema for provider ${source.text}: failed to instantiate provider ${JSON.stringify(source.text)} to obtain schema: ${reason}${reason.includes('\n') ? '' : '..'}`,
  );
}

/** The providers that objects in a state belong to. */
export function providersOfState(state: State): ReadonlySet<ProviderSource> {
  const sources = new Set<ProviderSource>();
  for (const resource of state.resources()) {
    const provider = state.resourceProvider(resource);
    if (provider !== undefined) sources.add(provider.provider);
  }
  return sources;
}

function problemOf(
  source: ProviderSource,
  bundled: BundledProvider | undefined,
  constraints: readonly string[],
  locked: string | undefined,
): Diagnostic | undefined {
  const name = source.display;
  if (bundled === undefined) {
    if (source.isBuiltin) {
      return errorDiagnostic(
        'Invalid dependency on built-in provider',
        `Cannot use ${source.text}: this Terrane release has no built-in provider named ${JSON.stringify(source.type)}.`,
      );
    }
    return errorDiagnostic(
      'Provider not available',
      `Provider ${name} does not come with this version of Terrane, which cannot install other providers yet. These are bundled: ${BUNDLED_ADDRESSES.filter(
        (each) => !each.startsWith('terraform.io/'),
      )
        .map((each) => each.slice(each.indexOf('/') + 1))
        .join(
          ', ',
        )}. Others are used where Terraform's init has installed them: run "terraform init".`,
    );
  }
  if (source.isBuiltin) {
    if (constraints.length === 0) return undefined;
    return errorDiagnostic(
      'Invalid dependency on built-in provider',
      `Cannot use ${source.text}: built-in providers do not support explicit version constraints.`,
    );
  }
  const refused = constraints.find(
    (text) => parseVersionConstraint(text).allows?.(bundled.version) === false,
  );
  if (refused !== undefined) {
    return errorDiagnostic(
      'Failed to query available provider packages',
      `Could not retrieve the list of available versions for provider ${name}: no available releases match the given constraints ${constraints.join(', ')}. The provider that comes with Terrane has the behavior of version ${bundled.version}, and other versions cannot be installed yet.\n\nTo see which modules are currently depending on ${name} and what versions are specified, run the following command:\n    terraform providers`,
    );
  }
  if (locked !== undefined && locked !== '' && locked !== bundled.version) {
    return errorDiagnostic(
      'Provider version not available',
      `The dependency lock file ${LOCK_FILE} selects version ${locked} of provider ${name}, but the one that comes with Terrane has the behavior of version ${bundled.version}. Other versions cannot be installed yet: remove the provider's entry from the lock file to use ${bundled.version}.`,
    );
  }
  return undefined;
}

/** The chosen providers at work: their schemas, and new instances of them. */
export class Providers implements Schemas, ProviderPort, AsyncDisposable {
  readonly chosen: readonly ChosenProvider[];
  /** why some schemas could not be had */
  readonly diagnostics: readonly Diagnostic[];
  readonly #makers: ReadonlyMap<ProviderSource, () => Provider>;
  readonly #plugins: readonly Plugin[];
  readonly #schemas: Map<ProviderSource, ProviderSchema> = new Map();

  private constructor(
    chosen: readonly ChosenProvider[],
    makers: ReadonlyMap<ProviderSource, () => Provider>,
    plugins: readonly Plugin[],
    diagnostics: readonly Diagnostic[],
  ) {
    this.chosen = chosen;
    this.diagnostics = diagnostics;
    this.#makers = makers;
    this.#plugins = plugins;
  }

  /** Starts with the schemas of all providers loaded. */
  static async open(project: Project, chosen: readonly ChosenProvider[]): Promise<Providers> {
    const { host } = project;
    const { files, clock, random, spawn, environment } = host;
    const ports: ProviderPorts = {
      files,
      clock,
      random,
      spawn,
      environment,
      readRemoteState: (request) => readRemoteState(project, request),
      validateRemoteState: (request) => validateRemoteState(request),
    };
    const makers = new Map<ProviderSource, () => Provider>();
    const plugins: Plugin[] = [];
    for (const { source, origin } of chosen) {
      if (origin.kind === 'bundled') {
        makers.set(source, () => origin.provider.create(ports));
        continue;
      }
      // Loaded where it is needed: it takes a good part of a start.
      const { openPlugin } = await import('@terrane/plugin');
      const target =
        origin.kind === 'running'
          ? origin.target
          : {
              kind: 'executable' as const,
              path: origin.executable,
              ...(origin.kind === 'installed' && origin.checksum !== undefined
                ? { checksum: origin.checksum }
                : {}),
            };
      const plugin = openPlugin(source.text, target, host);
      plugins.push(plugin);
      makers.set(source, () => plugin.create());
    }
    const diagnostics: Diagnostic[] = [];
    const providers = new Providers(chosen, makers, plugins, diagnostics);
    const loaded = await Promise.all(
      chosen.map(async ({ source }) => {
        const provider = providers.start(source);
        const schema = await provider.schema();
        await provider.close();
        return { source, schema };
      }),
    );
    for (const { source, schema } of loaded) {
      providers.#schemas.set(source, schema);
      for (const { severity, summary, detail } of schema.diagnostics ?? []) {
        if (severity === 'error') {
          const said = [summary === SCHEMA_PROBLEM ? '' : summary, detail]
            .filter((text) => text !== '')
            .join(': ');
          diagnostics.push(schemaProblem(source, said));
        } else diagnostics.push({ severity, summary, detail });
      }
    }
    if (hasErrors(diagnostics)) await providers.close();
    return providers;
  }

  /** None at all, for a state that nobody can interpret. */
  static none(project: Project): Promise<Providers> {
    return Providers.open(project, []);
  }

  start(source: ProviderSource): CheckedProvider {
    const make = this.#makers.get(source);
    if (make === undefined) throw new Error(`provider ${source.text} was not chosen`);
    return enforceContract(make(), `provider[${JSON.stringify(source.text)}]`);
  }

  /** Begins to start the processes that will be asked, while other work goes on. */
  warm(): void {
    for (const plugin of this.#plugins) plugin.warm();
  }

  /** Ends the processes of all providers. The schemas stay. */
  async close(): Promise<void> {
    await Promise.all(this.#plugins.map((plugin) => plugin.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  provider(source: ProviderSource): ProviderSchema | undefined {
    return this.#schemas.get(source);
  }

  resource(source: ProviderSource, mode: ResourceMode, type: string): Schema | undefined {
    const schema = this.#schemas.get(source);
    switch (mode) {
      case 'managed':
        return schema?.resources[type];
      case 'data':
        return schema?.dataSources[type];
      case 'ephemeral':
        return schema?.ephemeralResources[type];
    }
  }
}
