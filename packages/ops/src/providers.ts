import { parseVersionConstraint, providersRequired } from '@terrane/engine';
import type {
  Configuration,
  ProviderPort,
  ProviderSource,
  ResourceMode,
  Schemas,
  State,
} from '@terrane/engine';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import {
  type BundledProvider,
  type CheckedProvider,
  enforceContract,
  type ProviderPorts,
  type ProviderSchema,
  type Schema,
} from '@terrane/provider';
import { BUNDLED_ADDRESSES, bundledProvider } from './bundled-providers.ts';
import { readDependencyLock } from './dependency-lock.ts';
import { LOCK_FILE } from './lock-file-name.ts';
import type { Project } from './project.ts';
import { readRemoteState, validateRemoteState } from './remote-state.ts';

/** A provider that this run uses. */
export interface ChosenProvider {
  readonly source: ProviderSource;
  readonly bundled: BundledProvider;
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
 * Chooses a provider for everything that the configuration and the state need: the bundled one where
 * the constraints and the version in the lock file allow it.
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
  const lock = readDependencyLock(project);
  const diagnostics: Diagnostic[] = [...lock.diagnostics];
  const providers: ChosenProvider[] = [];
  const sources = [...required.keys()].sort((a, b) => (a.text < b.text ? -1 : 1));
  const loaded = await Promise.all(sources.map((source) => bundledProvider(source.text)));
  for (const [index, source] of sources.entries()) {
    const bundled = loaded[index];
    const constraints = required.get(source) ?? [];
    const locked = lock.providers.get(source);
    const problem = problemOf(source, bundled, constraints, locked?.version);
    if (problem !== undefined) diagnostics.push(problem);
    else if (bundled !== undefined) {
      providers.push({ source, bundled, constraints, locked: locked !== undefined });
    }
  }
  return { providers, diagnostics };
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
        .join(', ')}.`,
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
export class Providers implements Schemas, ProviderPort {
  readonly chosen: readonly ChosenProvider[];
  readonly #bundled: ReadonlyMap<ProviderSource, BundledProvider>;
  readonly #schemas: Map<ProviderSource, ProviderSchema> = new Map();
  readonly #ports: ProviderPorts;

  private constructor(chosen: readonly ChosenProvider[], ports: ProviderPorts) {
    this.chosen = chosen;
    this.#bundled = new Map(chosen.map((each) => [each.source, each.bundled]));
    this.#ports = ports;
  }

  /** Starts with the schemas of all providers loaded. */
  static async open(project: Project, chosen: readonly ChosenProvider[]): Promise<Providers> {
    const { files, clock, random, spawn, environment } = project.host;
    const providers = new Providers(chosen, {
      files,
      clock,
      random,
      spawn,
      environment,
      readRemoteState: (request) => readRemoteState(project, request),
      validateRemoteState: (request) => validateRemoteState(request),
    });
    for (const { source } of chosen) {
      const provider = providers.start(source);
      providers.#schemas.set(source, await provider.schema());
      await provider.close();
    }
    return providers;
  }

  /** None at all, for a state that nobody can interpret. */
  static none(project: Project): Promise<Providers> {
    return Providers.open(project, []);
  }

  start(source: ProviderSource): CheckedProvider {
    const bundled = this.#bundled.get(source);
    if (bundled === undefined) throw new Error(`provider ${source.text} was not chosen`);
    return enforceContract(bundled.create(this.#ports), `provider[${JSON.stringify(source.text)}]`);
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
