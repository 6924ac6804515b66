import { compareProviderSources, type ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { createPool, type Pool, withSpan, programCommand, userErrorText } from '@terrane/host';
import {
  isLockable,
  type LockedProvider,
  normalHashes,
  type ProviderLocks,
} from '../lock/dependency-lock.ts';
import {
  allowsVersion,
  constraintsText,
  type ProviderConstraints,
} from '../versions/provider-constraints.ts';
import { parseVersion } from '../versions/version.ts';
import { type AuthenticationResult, thirdPartyKey } from './authentication-result.ts';
import { IMPLIED_HOST, registryOf } from './default-registry.ts';
import type { InstallOptions, InstallOutcome } from './install-options.ts';
import {
  builtInProblem,
  cacheProblem,
  fetchProblem,
  queryProblem,
  registryWarnings,
  standInMismatch,
} from './install-problems.ts';
import { executableIn } from './installed-package.ts';
import { ChecksumMismatch, PackageDirectory } from './package-directory.ts';
import { directoryHash } from './package-hash.ts';
import { isKnownHash, packageMatches } from './package-match.ts';
import type { PackageSource } from './package-source.ts';
import { packageSource } from './package-sources.ts';
import { currentPlatform } from './platform.ts';
import { readConstraints } from './required-constraints.ts';
import { SourceError } from './source-error.ts';

/** The maximum number of concurrent registry requests and of concurrent downloads. */
const QUERIES = 10;
const DOWNLOADS = 4;

/**
 * Installs the providers of a configuration and a state in the data directory: selects versions by the lock file or the
 * constraints, fetches packages according to the installation, verifies them, and returns the new content of the lock
 * file. Providers are queried and fetched concurrently; messages are in the order of their addresses.
 */
export async function installProviders(options: InstallOptions): Promise<InstallOutcome> {
  const constraints = readConstraints(options.required);
  if ('diagnostics' in constraints) return failedInstall(options.lock, constraints.diagnostics);
  const { source, diagnostics } = await packageSource({
    ...options,
    hostOf: registryOf(
      options.defaultRegistry,
      (provider) =>
        options.required.get(provider)?.explicitHost === true ||
        options.services.isOverridden(IMPLIED_HOST),
    ),
  });
  if (hasErrors(diagnostics)) return failedInstall(options.lock, diagnostics);
  return await new Installation(options, source, constraints.constraints).run();
}

function failedInstall(lock: ProviderLocks, diagnostics: readonly Diagnostic[]): InstallOutcome {
  return { lock, diagnostics, incomplete: [], failures: new Map() };
}

/** A version that was chosen for a provider. */
interface Chosen {
  readonly provider: ProviderSource;
  readonly version: string;
}

class Installation {
  readonly #options: InstallOptions;
  readonly #source: PackageSource;
  readonly #constraints: ReadonlyMap<ProviderSource, ProviderConstraints>;
  readonly #target: PackageDirectory;
  readonly #cache: PackageDirectory | undefined;
  readonly #downloads: Pool = createPool(DOWNLOADS);
  readonly #problems: Map<ProviderSource, Diagnostic[]> = new Map();
  readonly #results: AuthenticationResult[] = [];
  readonly #incomplete: string[] = [];
  readonly #failures: Map<ProviderSource, string> = new Map();
  readonly #lock: Map<ProviderSource, LockedProvider>;

  constructor(
    options: InstallOptions,
    source: PackageSource,
    constraints: ReadonlyMap<ProviderSource, ProviderConstraints>,
  ) {
    const { host, dataDirectory, cacheDirectory, platform } = options;
    const here = platform ?? currentPlatform(host.environment);
    this.#options = options;
    this.#source = source;
    this.#constraints = constraints;
    this.#target = new PackageDirectory(host, `${dataDirectory}/providers`, here);
    this.#cache =
      cacheDirectory === undefined ? undefined : new PackageDirectory(host, cacheDirectory, here);
    this.#lock = new Map(options.lock);
  }

  async run(): Promise<InstallOutcome> {
    const { signal, lock } = this.#options;
    try {
      this.#tell({ kind: 'begin' });
      const selections = await this.#choose();
      signal?.throwIfAborted();
      await Promise.all(
        selections.map((each) => this.#downloads.run(() => this.#install(each), signal)),
      );
      signal?.throwIfAborted();
    } catch (error) {
      if (signal?.aborted !== true) throw error;
      return failedInstall(lock, [
        errorDiagnostic('Provider installation was canceled by an interrupt signal.', ''),
      ]);
    }
    if (this.#results.some((each) => thirdPartyKey(each) !== undefined)) {
      this.#tell({ kind: 'third-party-signed' });
    }
    for (const provider of lock.keys()) {
      if (!this.#options.required.has(provider)) this.#lock.delete(provider);
    }
    const diagnostics = [...this.#problems]
      .sort(([a], [b]) => compareProviderSources(a, b))
      .flatMap(([, problems]) => problems);
    return {
      lock: hasErrors(diagnostics) ? lock : this.#lock,
      diagnostics,
      incomplete: this.#incomplete.sort(),
      failures: new Map([...this.#failures].sort(([a], [b]) => compareProviderSources(a, b))),
    };
  }

  #tell(event: Parameters<NonNullable<InstallOptions['events']>>[0]): void {
    this.#options.events?.(event);
  }

  #report(provider: ProviderSource, problem: Diagnostic): void {
    const existing = this.#problems.get(provider);
    if (existing === undefined) this.#problems.set(provider, [problem]);
    else existing.push(problem);
  }

  #fail(provider: ProviderSource, problem: Diagnostic, reason: unknown): void {
    this.#failures.set(provider, userErrorText(reason));
    this.#report(provider, problem);
  }

  /** The versions that are needed, in order of addresses. */
  async #choose(): Promise<Chosen[]> {
    const { unmanaged, signal } = this.#options;
    const queries = createPool(QUERIES);
    const providers = [...this.#constraints.keys()].sort(compareProviderSources);
    const selections = providers.map(async (provider): Promise<Chosen | undefined> => {
      if (provider.isBuiltin) {
        this.#builtIn(provider);
        return undefined;
      }
      if (unmanaged?.has(provider) === true) return undefined;
      const constraints = this.#constraints.get(provider) ?? { terms: [] };
      const selected = this.#selected(provider, constraints);
      if (selected === 'refused') return undefined;
      if (selected === undefined) {
        this.#tell({ kind: 'finding', provider, constraints: constraintsText(constraints) });
      } else this.#tell({ kind: 'reusing', provider });
      const version = await queries.run(() => this.#query(provider, constraints, selected), signal);
      return version === undefined ? undefined : { provider, version };
    });
    return (await Promise.all(selections)).filter((each) => each !== undefined);
  }

  #builtIn(provider: ProviderSource): void {
    const { builtIn } = this.#options;
    if (builtIn?.has(provider.type) !== true) {
      const reason = `this Terraform release has no built-in provider named "${provider.type}"`;
      this.#fail(provider, builtInProblem(provider, reason), reason);
    } else if ((this.#constraints.get(provider)?.terms.length ?? 0) > 0) {
      const reason = 'built-in providers do not support explicit version constraints';
      this.#fail(provider, builtInProblem(provider, reason), reason);
    } else this.#tell({ kind: 'built-in', provider });
  }

  /** Returns the version that the lock file selects; `refused`, and reported, if the constraints do not allow it. */
  #selected(provider: ProviderSource, constraints: ProviderConstraints): string | undefined {
    const locked = this.#options.lock.get(provider);
    if (locked === undefined || this.#options.upgrade === true) return undefined;
    const version = parseVersion(locked.version);
    if (!('error' in version) && allowsVersion(constraints, version)) return locked.version;
    this.#tell({ kind: 'reusing', provider });
    const reason = new Error(
      `locked provider ${provider.text} ${locked.version} does not match configured version constraint ${constraintsText(constraints)}; must use ${programCommand('init -upgrade')} to allow selection of new versions`,
    );
    this.#fail(provider, queryProblem(provider, reason, undefined), reason);
    return 'refused';
  }

  async #query(
    provider: ProviderSource,
    constraints: ProviderConstraints,
    selected: string | undefined,
  ): Promise<string | undefined> {
    const { signal } = this.#options;
    try {
      const { versions, warnings } = await this.#source.availableVersions(provider, signal);
      if (warnings.length > 0) this.#report(provider, registryWarnings(provider, warnings));
      const newest = versions.findLast((version) =>
        selected === undefined ? allowsVersion(constraints, version) : version.text === selected,
      );
      if (newest !== undefined) return newest.text;
      throw new Error(
        selected === undefined
          ? `no available releases match the given constraints ${constraintsText(constraints)}`
          : `the previously-selected version ${selected} is no longer available`,
      );
    } catch (error) {
      signal?.throwIfAborted();
      const alternative = await this.#alternative(provider, error);
      this.#fail(provider, queryProblem(provider, error, alternative), error);
      return undefined;
    }
  }

  /** Returns the suggestion for an unknown provider in HashiCorp's namespace. */
  async #alternative(provider: ProviderSource, error: unknown): Promise<string | undefined> {
    if (!(error instanceof SourceError) || error.problem.kind !== 'not-known') return undefined;
    if (!provider.isDefault) return undefined;
    for (const other of this.#constraints.keys()) {
      if (other !== provider && other.type === provider.type) return other.display;
    }
    const namespace = await this.#source
      .legacyNamespace?.(provider, this.#options.signal)
      .catch(() => undefined);
    if (namespace === undefined || namespace === provider.namespace) return undefined;
    return `${namespace}/${provider.type}`;
  }

  async #install(chosen: Chosen): Promise<void> {
    const { provider, version } = chosen;
    const attributes = { 'terrane.provider': provider.text, 'terrane.version': version };
    const { traces } = this.#options.host;
    await withSpan(traces, 'install provider', attributes, () => this.#installUntold(chosen));
  }

  async #installUntold({ provider, version }: Chosen): Promise<void> {
    const locked = this.#options.lock.get(provider);
    // Other versions have other packages, and so other checksums.
    const prior = locked?.version === version ? locked.hashes : [];
    const allowed = prior.filter(isKnownHash);
    const installed = await this.#target.find(provider, version);
    if (installed !== undefined && (await this.#hasOneOf(installed, allowed))) {
      this.#tell({ kind: 'already-installed', provider, version });
      return;
    }
    const cache = this.#cache;
    if (cache === undefined) {
      await this.#fetch(provider, version, allowed, this.#target);
      return;
    }
    const { signal } = this.#options;
    try {
      await cache.alone(
        provider,
        version,
        async () => {
          if (await this.#useCached(cache, provider, version, allowed)) return;
          await this.#fetch(provider, version, allowed, cache);
        },
        () => this.#tell({ kind: 'waiting-for-cache', directory: cache.base }),
        signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      this.#fail(provider, cacheProblem(provider, version, error), error);
    }
  }

  async #hasOneOf(directory: string, hashes: readonly string[]): Promise<boolean> {
    if (hashes.length === 0) return false;
    try {
      const { files } = this.#options.host;
      return await packageMatches(files, { kind: 'directory', path: directory }, hashes);
    } catch {
      // Unreadable files do not match.
      return false;
    }
  }

  /** Returns the `h1:` checksum of an unpacked package, or of a linked package. */
  async #hash(directory: string): Promise<string> {
    const { files } = this.#options.host;
    return await directoryHash(files, await files.realPath(directory));
  }

  /** Links a package of the shared cache, if it has one that the lock file vouches for. */
  async #useCached(
    cache: PackageDirectory,
    provider: ProviderSource,
    version: string,
    allowed: readonly string[],
  ): Promise<boolean> {
    const cached = await cache.find(provider, version);
    if (cached === undefined) return false;
    const fits = await this.#hasOneOf(cached, allowed);
    if (!fits && this.#options.cacheMayBreakLock !== true) return false;
    this.#tell({ kind: 'from-cache', provider, version });
    try {
      if ((await executableIn(this.#options.host.files, cached, provider)) === undefined) {
        throw new Error(
          `provider binary not found: could not find executable file starting with terraform-provider-${provider.type}`,
        );
      }
      if (!fits && allowed.length > 0) {
        throw new Error(
          `the provider cache at ${this.#target.base} has a copy of ${provider.text} ${version} that doesn't match any of the checksums recorded in the dependency lock file`,
        );
      }
      await this.#target.link(cached, provider, version);
      const hash = await this.#hash(cached);
      this.#record(provider, version, { local: hash, prior: allowed, signed: [] });
    } catch (error) {
      this.#fail(provider, cacheProblem(provider, version, error), error);
    }
    return true;
  }

  async #fetch(
    provider: ProviderSource,
    version: string,
    allowed: readonly string[],
    directory: PackageDirectory,
  ): Promise<void> {
    const { signal, force } = this.#options;
    let standIn: string | undefined;
    try {
      const { platform } = directory;
      const meta = await this.#source.packageMeta(provider, version, platform, signal);
      standIn = meta.standIn;
      this.#tell({ kind: 'installing', provider, version });
      const { path, authenticated } = await directory.install(meta, {
        allowed: force === true ? [] : allowed,
        signal,
        progress: (received, total) =>
          this.#tell({
            kind: 'progress',
            provider,
            version,
            received,
            ...(total !== undefined && { total }),
          }),
      });
      if (directory !== this.#target) await this.#target.link(path, provider, version);
      const hash = await this.#hash(path);
      const result = authenticated?.result;
      if (result !== undefined) this.#results.push(result);
      this.#record(provider, version, {
        local: hash,
        prior: allowed,
        packageHashes: authenticated?.packageHashes ?? [],
        signed: authenticated?.hashes ?? [],
      });
      this.#tell({ kind: 'installed', provider, version, authentication: result });
    } catch (error) {
      signal?.throwIfAborted();
      const constraints = this.#constraints.get(provider) ?? { terms: [] };
      const problem = fetchProblem(provider, version, constraintsText(constraints), error);
      const hint =
        error instanceof ChecksumMismatch && standIn !== undefined
          ? standInMismatch(provider, standIn)
          : '';
      this.#fail(provider, { ...problem, detail: problem.detail + hint }, error);
    }
  }

  /** Records the checksums of a package: its own, the known ones, and the signed ones. */
  #record(
    provider: ProviderSource,
    version: string,
    hashes: {
      readonly local: string;
      readonly prior: readonly string[];
      readonly packageHashes?: readonly string[];
      readonly signed: readonly string[];
    },
  ): void {
    const { local, prior, packageHashes = [], signed } = hashes;
    const constraints = constraintsText(this.#constraints.get(provider) ?? { terms: [] });
    if (isLockable(provider)) {
      const all = normalHashes([local, ...prior, ...packageHashes, ...signed]);
      this.#lock.set(provider, { version, constraints, hashes: all });
    }
    // Only checksums of this platform: other platforms will reject their packages.
    const onlyLocal = prior.length === 0 || (prior.length === 1 && prior[0] === local);
    if (signed.length === 0 && onlyLocal) this.#incomplete.push(provider.display);
  }
}
