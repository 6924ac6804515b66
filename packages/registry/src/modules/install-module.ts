import {
  cleanPath,
  type ModuleSource,
  moduleSourceText,
  parseModuleSource,
  type RemoteSource,
} from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import type { Diagnostic } from '@terrane/hcl';
import { createPool, type Environment, userErrorText, type Pool } from '@terrane/host';
import type { ServiceDirectory } from '../discovery/service-directory.ts';
import type { OciCredentials } from '../oci/oci-repository.ts';
import { copyDirectory } from './copy-directory.ts';
import { expandGlob } from './expand-glob.ts';
import type { FetchContext, FetchHost } from './fetch/fetch-context.ts';
import { scratchPath } from './fetch/fetch-context.ts';
import { fetchPackage, isLocalDirectory } from './fetch/fetch-package.ts';
import { redactedAddress } from './fetch/redact.ts';
import {
  failedModule,
  type InstalledCall,
  type InstalledModule,
  interruptedModule,
  placeOf,
  unreadable,
} from './installed-module.ts';
import type { ModuleRecord } from './module-manifest.ts';
import { ModulePlaces } from './module-places.ts';
import type { ModuleVerifier } from './module-verifier.ts';
import { selectRegistryVersion } from './registry-version.ts';
import { ModuleRegistry, type RegistryModule } from './module-registry.ts';

/** Options of the module installer. */
export interface ModuleInstallerOptions {
  readonly host: FetchHost;
  /** the directory of installed modules: `.terraform/modules` */
  readonly directory: string;
  /** the installed modules */
  readonly records?: Iterable<ModuleRecord>;
  readonly services: ServiceDirectory;
  /** returns the host of a registry module: the one in the address, or its replacement */
  readonly registryHost: (call: InstalledCall) => string | { readonly error: string };
  readonly signal: AbortSignal;
  /** verifies packages before they are installed; by default nothing is verified */
  readonly verifier?: ModuleVerifier | undefined;
  readonly ociCredentials?:
    | ((registry: string, repository: string) => Promise<OciCredentials | undefined>)
    | undefined;
}

/** The event before a module is fetched. */
export interface ModuleDownload {
  readonly package: string;
  readonly version?: string;
}

/** A module to install: the call, and the names of its parent calls. */
export interface ModuleRequest {
  readonly key: string;
  readonly call: InstalledCall;
}

/** The maximum number of concurrent fetches. */
const AT_ONCE = 8;

/**
 * Installs modules other than local directories, each in the module directory under its key. A module becomes visible
 * when it is complete. A package is fetched once for all modules that use it.
 */
export class ModuleInstaller {
  readonly #options: ModuleInstallerOptions;
  readonly #context: FetchContext;
  readonly #registry: ModuleRegistry;
  readonly #pool: Pool = createPool(AT_ONCE);
  readonly #places: ModulePlaces;
  /** the most recent pending removal */
  #cleared: Promise<void> = Promise.resolve();
  /** directories of fetched packages, by address */
  readonly #fetched: Map<string, Promise<string>> = new Map();

  constructor(options: ModuleInstallerOptions) {
    const { host, directory, services, signal, ociCredentials } = options;
    this.#options = options;
    const random = Buffer.from(host.random.bytes(6)).toString('hex');
    const scratch = `${directory}/${SCRATCH_PREFIX}${random}`;
    this.#places = new ModulePlaces(directory, options.records ?? [], host.files.nameRules);
    this.#context = { host, signal, scratch, ociCredentials };
    this.#registry = new ModuleRegistry(services);
  }

  /** Installs one module. `started` is called when the package to fetch is determined. */
  async install(
    { key, call }: ModuleRequest,
    started: (download: ModuleDownload) => void,
  ): Promise<InstalledModule> {
    const { source } = call;
    if (source === undefined || source.kind === 'local') return { diagnostics: [] };
    const { verifier } = this.#options;
    if (verifier !== undefined && isLockedSource(call, this.#options.host.environment)) {
      const refusal = verifier.refusal(key, call);
      if (refusal !== undefined) return { diagnostics: [refusal] };
    }
    try {
      await this.#clear(key);
    } catch (error) {
      return failedModule(
        'Failed to remove local module cache',
        `Terraform tried to remove ${this.#place(key)} in order to reinstall this module, but encountered an error: ${userErrorText(error)}`,
      );
    }
    if (source.kind === 'registry') return await this.#fromRegistry(key, call, source, started);
    return await this.#fromRemote(key, call, source, started);
  }

  /** Returns the directory of the package of a module. */
  directoryOf(key: string): string {
    return this.#place(key);
  }

  /** Removes temporary files. */
  async finish(): Promise<void> {
    await this.#options.host.files.removeTree(this.#context.scratch);
  }

  /**
   * Clears the directory of a module. Calls are serialized, so that modules continue in the order of their requests:
   * the first module from a directory is a link to it, the others are copies.
   */
  async #clear(key: string): Promise<void> {
    const clearing = this.#cleared.then(() =>
      this.#options.host.files.removeTree(this.#place(key)),
    );
    this.#cleared = clearing.catch(() => undefined);
    await clearing;
  }

  #place(key: string): string {
    return this.#places.of(key);
  }

  async #fromRemote(
    key: string,
    call: InstalledCall,
    source: RemoteSource,
    started: (download: ModuleDownload) => void,
  ): Promise<InstalledModule> {
    const displayPackage = redactedAddress(source.package);
    started({ package: displayPackage });
    if (call.version !== undefined) {
      return failedModule(
        'Invalid version constraint',
        `Cannot apply a version constraint to module ${quoteText(call.name)} (at ${placeOf(call)}) because it doesn't come from a module registry.`,
        call,
      );
    }
    let warnings: readonly Diagnostic[];
    try {
      warnings = await this.#fetch(source.package, { key, call });
    } catch (error) {
      if (this.#options.signal.aborted) return interruptedModule(call);
      if (error instanceof PackageRejected) return { diagnostics: [error.diagnostic] };
      return failedModule(
        'Failed to download module',
        `Could not download module ${quoteText(call.name)} (${placeOf(call)}) source code from ${quoteText(displayPackage)}: ${userErrorText(error)}`,
        call,
      );
    }
    let directory: string;
    try {
      directory = await expandGlob(this.#options.host.files, this.#place(key), source.subdirectory);
    } catch (error) {
      return failedModule('Failed to expand subdir globs', userErrorText(error));
    }
    const record = { key, source: moduleSourceText(source), directory: cleanPath(directory) };
    if ((await this.#options.host.files.stat(directory))?.kind !== 'directory') {
      return {
        ...failedModule('Unreadable module directory', unreadable(record.directory)),
        record,
      };
    }
    return { record, diagnostics: warnings };
  }

  async #fromRegistry(
    key: string,
    call: InstalledCall,
    source: Extract<ModuleSource, { kind: 'registry' }>,
    started: (download: ModuleDownload) => void,
  ): Promise<InstalledModule> {
    const { host, name, namespace, system, subdirectory } = source;
    const { signal } = this.#options;
    const servedBy = this.#options.registryHost(call);
    if (typeof servedBy !== 'string') {
      return failedModule(
        'Invalid default registry',
        `The host that stands in for ${host} cannot be used: ${servedBy.error}. It is set by TERRANE_DEFAULT_REGISTRY.`,
        call,
      );
    }
    const module: RegistryModule = { ...source, servedBy };
    const address = moduleSourceText(source);
    const packageAddress = `${host}/${namespace}/${name}/${system}`;
    const locked = this.#options.verifier?.lockedVersion(key, call);
    const selection =
      locked === undefined
        ? await selectRegistryVersion(call, module, address, {
            versions: (module) =>
              this.#pool.run(() => this.#registry.versions(module, signal), signal),
            signal,
          })
        : { match: locked, diagnostics: [] };
    const { match } = selection;
    if (match === undefined) return { diagnostics: selection.diagnostics };
    started({ package: packageAddress, version: match });
    const fetched = await this.#fetchVersion(key, call, { module, address, match });
    const warnings = [...selection.diagnostics, ...fetched.diagnostics];
    if (fetched.subdirectory === undefined) return { diagnostics: warnings };
    const inside = [fetched.subdirectory, subdirectory].filter((part) => part !== '').join('/');
    const record = { key, source: address, version: match };
    const installed = await this.#installedIn(record, inside === '' ? '' : cleanPath(inside));
    return { ...installed, diagnostics: [...warnings, ...installed.diagnostics] };
  }

  /** Returns the record of a module, with an error if the called directory is not in its package. */
  async #installedIn(
    module: Omit<ModuleRecord, 'directory'>,
    relative: string,
  ): Promise<InstalledModule> {
    const directory = cleanPath(`${this.#place(module.key)}/${relative}`);
    const record: ModuleRecord = { ...module, directory };
    const { files } = this.#options.host;
    if ((await files.stat(directory))?.kind === 'directory') return { record, diagnostics: [] };
    const missing = failedModule(
      relative === '' ? 'Unreadable module directory' : 'Unreadable module subdirectory',
      relative === ''
        ? unreadable(directory)
        : `The directory ${directory} does not exist. The target submodule ${relative} does not exist within the target module.`,
    );
    return { record, diagnostics: missing.diagnostics };
  }

  async #fetchVersion(
    key: string,
    call: InstalledCall,
    { module, address, match }: { module: RegistryModule; address: string; match: string },
  ): Promise<{ readonly subdirectory?: string; readonly diagnostics: readonly Diagnostic[] }> {
    const { signal } = this.#options;
    const { host } = module;
    const request = { key, call, version: match };
    let location: Awaited<ReturnType<ModuleRegistry['location']>>;
    try {
      location = await this.#pool.run(() => this.#registry.location(module, match, signal), signal);
    } catch (error) {
      if (signal.aborted) return interruptedModule(call, address);
      return failedModule(
        'Error accessing remote module registry',
        `Failed to retrieve a download URL for ${address} ${match} from ${host}: ${userErrorText(error)}`,
      );
    }
    let source: RemoteSource | undefined;
    if (location.kind === 'address') {
      const parsed = parseModuleSource(location.address, false);
      const invalid = `Module registry ${host} returned invalid source location ${quoteText(location.address)} for ${address} ${match}: `;
      const summary = 'Invalid package location from module registry';
      if ('error' in parsed) return failedModule(summary, `${invalid}${parsed.error}.`);
      if (parsed.source.kind !== 'remote') {
        return failedModule(summary, `${invalid}must be a direct remote package address.`);
      }
      source = parsed.source;
    }
    let warnings: readonly Diagnostic[] = [];
    try {
      if (source !== undefined) warnings = await this.#fetch(source.package, request);
      else if (location.kind === 'direct') warnings = await this.#fetchDirect(location, request);
    } catch (error) {
      if (signal.aborted) return interruptedModule(call, address);
      if (error instanceof PackageRejected) return { diagnostics: [error.diagnostic] };
      const from = source === undefined ? address : redactedAddress(moduleSourceText(source));
      return failedModule(
        'Failed to download module',
        `Could not download module ${quoteText(call.name)} (${placeOf(call)}) source code from ${quoteText(from)}: ${userErrorText(error)}.`,
        call,
      );
    }
    return { subdirectory: source?.subdirectory ?? '', diagnostics: warnings };
  }

  async #fetchDirect(
    location: Extract<Awaited<ReturnType<ModuleRegistry['location']>>, { kind: 'direct' }>,
    request: PackageRequest,
  ): Promise<readonly Diagnostic[]> {
    return await this.#fetchOnce(`direct ${location.url}`, request, async (place) => {
      const archive = await this.#registry.archive(location, this.#options.signal);
      const { unpackAny } = await import('./archives/unpack-any.ts');
      await unpackAny(this.#options.host.files, archive, place);
    });
  }

  async #fetch(address: string, request: PackageRequest): Promise<readonly Diagnostic[]> {
    return await this.#fetchOnce(address, request, async (place) => {
      try {
        await fetchPackage(this.#context, address, place);
      } catch (error) {
        // Programs name the temporary directory, not the final directory of the module.
        if (error instanceof Error) {
          error.message = this.#withoutScratch(error.message, place, request.key);
        }
        throw error;
      }
    });
  }

  #withoutScratch(message: string, place: string, key: string): string {
    const { environment } = this.#options.host;
    const final = this.#place(key);
    return message.replaceAll(`${environment.cwd}/${place}`, final).replaceAll(place, final);
  }

  /**
   * Installs a package at the directory of a module: the first module fetches it, further ones copy it. The package is
   * verified before it is moved there. Returns the warnings of the verification.
   */
  async #fetchOnce(
    address: string,
    request: PackageRequest,
    fetch: (place: string) => Promise<void>,
  ): Promise<readonly Diagnostic[]> {
    const { files } = this.#options.host;
    const target = this.#place(request.key);
    const before = this.#fetched.get(address);
    const first = before === undefined ? undefined : await before.catch(() => undefined);
    const install = async (
      fill: (place: string) => Promise<void>,
    ): Promise<readonly Diagnostic[]> => {
      await files.makeDirectory(this.#context.scratch);
      const place = scratchPath(this.#context);
      try {
        await fill(place);
        const warnings = await this.#verify(request, place, address);
        await files.rename(place, target);
        return warnings;
      } catch (error) {
        await files.removeTree(place);
        throw error;
      }
    };
    if (first !== undefined) return await install((place) => copyDirectory(files, first, place));
    const fetching = this.#pool.run(() => install(fetch), this.#options.signal);
    // If the shared fetch fails, each waiting module fetches the package itself, to have its own error.
    if (before === undefined) {
      const installed = fetching.then(() => target);
      installed.catch(() => undefined);
      this.#fetched.set(address, installed);
    }
    return await fetching;
  }

  /** Verifies a fetched package; rejects with `PackageRejected` if it must not be installed. */
  async #verify(
    request: PackageRequest,
    place: string,
    address: string,
  ): Promise<readonly Diagnostic[]> {
    const { verifier, host } = this.#options;
    if (verifier === undefined || isLocalDirectory(address, host.environment)) return [];
    // Registries and pages can point to a directory of this machine, too.
    if ((await host.files.readLink(place)) !== undefined) return [];
    const { error, warning } = await verifier.verify(request, place);
    if (error !== undefined) throw new PackageRejected(error);
    return warning === undefined ? [] : [warning];
  }
}

/** A module whose package is fetched; the version is that of a registry. */
interface PackageRequest extends ModuleRequest {
  readonly version?: string;
}

/** A package that differs from its lock. */
class PackageRejected extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.summary);
    this.diagnostic = diagnostic;
  }
}

/** Returns true if the package of a module is recorded in lock files: all except directories of this machine. */
export function isLockedSource(
  { source }: InstalledCall,
  environment: Pick<Environment, 'platform'>,
): boolean {
  if (source === undefined || source.kind === 'local') return false;
  return source.kind === 'registry' || !isLocalDirectory(source.package, environment);
}

/** The prefix of directories with incomplete content. */
const SCRATCH_PREFIX = '.fetching-';
