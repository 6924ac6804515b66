import { type FileLock, type FileSystem, type Host, pathsOf, userErrorText } from '@terrane/host';
import type { ProviderSource } from '@terrane/addresses';
import { type Download, download } from './download.ts';
import { executableIn } from './installed-package.ts';
import type { Authenticated } from './package-authentication.ts';
import { directoryHash, filePieces } from './package-hash.ts';
import { type LocalPackage, packageMatches } from './package-match.ts';
import { unpackedPlace } from './package-place.ts';
import type { PackageMeta } from './package-source.ts';
import type { Platform } from './platform.ts';

/** Options of installing a package. */
export interface InstallPackageOptions {
  /** checksums of the lock file; none: any package will do */
  readonly allowed: readonly string[];
  readonly progress?: Download['progress'];
  readonly signal?: AbortSignal | undefined;
}

/** An installed package. */
export interface Installed {
  /** its path in the directory */
  readonly path: string;
  readonly authenticated: Authenticated | undefined;
}

/** The age above which leftovers of ended processes are removed. */
const LEFTOVER_MS = 60 * 60 * 1000;
const SLOW_MS = 5000;
const POLL_MS = 50;
const STAGING = '.terrane-';
const MORE =
  'for more information: https://developer.hashicorp.com/terraform/language/files/dependency-lock#checksum-verification';

/**
 * A directory of unpacked packages: `.terraform/providers`, or a cache that several projects share. A package is
 * prepared beside its final path and then moved atomically, so that other processes never see a partial package.
 */
export class PackageDirectory {
  readonly base: string;
  readonly platform: Platform;
  readonly #host: Pick<Host, 'files' | 'http' | 'clock' | 'environment' | 'random'>;

  constructor(
    host: Pick<Host, 'files' | 'http' | 'clock' | 'environment' | 'random'>,
    base: string,
    platform: Platform,
  ) {
    this.#host = host;
    this.base = base;
    this.platform = platform;
  }

  get #files(): FileSystem {
    return this.#host.files;
  }

  /** Returns the directory of a version's package, which need not exist. */
  place(source: ProviderSource, version: string): string {
    return unpackedPlace(this.base, source, version, this.platform);
  }

  /** Returns the directory of a version's package; undefined if it does not exist. */
  async find(source: ProviderSource, version: string): Promise<string | undefined> {
    const packagePath = this.place(source, version);
    return (await this.#files.stat(packagePath))?.kind === 'directory' ? packagePath : undefined;
  }

  /**
   * Fetches, verifies and unpacks a package. Rejects with Terraform's message, and keeps the existing package. An
   * existing package with the same content is not replaced, because other processes may use it.
   */
  async install(meta: PackageMeta, options: InstallPackageOptions): Promise<Installed> {
    const { location } = meta;
    if (location.kind === 'directory') {
      return await this.#installDirectory(meta, location.path, options);
    }
    const staging = await this.#stage();
    try {
      let path = location.kind === 'archive' ? location.path : `${staging}/package.zip`;
      let authenticated: Authenticated | undefined;
      if (location.kind === 'url') {
        const { progress, signal } = options;
        await download(
          this.#host,
          { ...location, signal, ...(progress !== undefined && { progress }) },
          path,
        );
        authenticated = await meta.authentication?.(this.#files, { kind: 'archive', path });
      } else {
        path = await this.#files.realPath(path);
        authenticated = await meta.authentication?.(this.#files, { kind: 'archive', path });
      }
      await this.#checkAllowed(meta, { kind: 'archive', path }, options.allowed);
      options.signal?.throwIfAborted();
      const unpacked = `${staging}/unpacked`;
      await this.#files.makeDirectory(unpacked);
      const { unzip } = await import('./unzip.ts');
      await unzip(this.#files, path, unpacked);
      await this.#makeRunnable(unpacked, meta.provider);
      const packagePath = this.place(meta.provider, meta.version);
      await this.#put(unpacked, packagePath, staging);
      return { path: packagePath, authenticated };
    } finally {
      await this.#files.removeTree(staging);
    }
  }

  /**
   * Runs a task exclusively for a package, among all processes of Terrane and OpenTofu: with an operating system lock
   * on a file beside the package. Without support for locks it runs anyway, because packages are moved atomically.
   * `slow` is called after five seconds.
   */
  async alone<T>(
    source: ProviderSource,
    version: string,
    task: () => Promise<T>,
    slow: () => void,
    signal?: AbortSignal,
  ): Promise<T> {
    const path = `${this.place(source, version)}.lock`;
    await this.#files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    // The file remains after the release: other processes may be waiting for its lock.
    await this.#files.createExclusive(path, '', 0o644);
    const lock = await this.#lock(path, slow, signal);
    try {
      return await task();
    } finally {
      await lock?.release();
    }
  }

  async #lock(
    path: string,
    slow: () => void,
    signal: AbortSignal | undefined,
  ): Promise<FileLock | undefined> {
    const { clock } = this.#host;
    const start = clock.monotonicMs();
    let reported = false;
    for (;;) {
      const result = await this.#files.lock(path);
      if (result.kind === 'locked') return result.lock;
      if (result.kind === 'unsupported') return undefined;
      if (!reported && clock.monotonicMs() - start > SLOW_MS) {
        reported = true;
        slow();
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** Links a package of another directory into this one, or copies it if links are not supported. */
  async link(from: string, source: ProviderSource, version: string): Promise<string> {
    const target = this.#absolute(from);
    const packagePath = this.place(source, version);
    if (target === this.#absolute(packagePath)) {
      throw new Error(`cannot install existing provider directory ${packagePath} to itself`);
    }
    const real = await this.#files.realPath(target);
    const link = await this.#files.readLink(packagePath);
    if (link === target) return packagePath;
    const staging = await this.#stage();
    try {
      const made = `${staging}/link`;
      try {
        await this.#files.symbolicLink(target, made);
      } catch {
        await this.#copy(real, made);
      }
      await this.#replace(made, packagePath, staging);
    } finally {
      await this.#files.removeTree(staging);
    }
    return packagePath;
  }

  async #installDirectory(
    meta: PackageMeta,
    directory: string,
    { allowed }: InstallPackageOptions,
  ): Promise<Installed> {
    const localPackage: LocalPackage = { kind: 'directory', path: directory };
    const authenticated = await meta.authentication?.(this.#files, localPackage);
    // A `zh:` checksum is of the archive, which is not available, so it cannot be verified.
    if (allowed.some((hash) => !hash.startsWith('zh:'))) {
      await this.#checkAllowed(meta, localPackage, allowed);
    }
    const path = await this.link(localPackage.path, meta.provider, meta.version);
    return { path, authenticated };
  }

  async #checkAllowed(
    { provider, version }: PackageMeta,
    localPackage: LocalPackage,
    allowed: readonly string[],
  ): Promise<void> {
    if (allowed.length === 0) return;
    let fits: boolean;
    try {
      fits = await packageMatches(this.#files, localPackage, allowed);
    } catch (error) {
      throw new Error(
        `failed to calculate checksum for ${provider.text} ${version} package at ${localPackage.path}: ${userErrorText(error)}`,
        { cause: error },
      );
    }
    if (fits) return;
    throw new ChecksumMismatch(
      localPackage.kind === 'archive'
        ? `the current package for ${provider.text} ${version} doesn't match any of the checksums previously recorded in the dependency lock file; ${MORE}`
        : `the local package for ${provider.text} ${version} doesn't match any of the checksums previously recorded in the dependency lock file (this might be because the available checksums are for packages targeting different platforms); ${MORE}`,
    );
  }

  /** Packages without permissions in the archive must be executable nevertheless. */
  async #makeRunnable(directory: string, source: ProviderSource): Promise<void> {
    const executable = await executableIn(this.#files, directory, source);
    if (executable === undefined) {
      throw new Error(
        `provider binary not found: could not find executable file starting with terraform-provider-${source.type}`,
      );
    }
    const stat = await this.#files.stat(executable);
    if (stat !== undefined && (stat.mode & 0o100) === 0) {
      await this.#files.chmod(executable, stat.mode | 0o755);
    }
  }

  /** Moves a package to its directory unless the same one exists: other processes may be using it. */
  async #put(staged: string, packagePath: string, staging: string): Promise<void> {
    await this.#replace(staged, packagePath, staging, await directoryHash(this.#files, staged));
  }

  /**
   * Moves a new package to its path, and an existing one away, unless it is a directory with the checksum `same`. That
   * is checked at each attempt: without locks, other processes may install the package too.
   */
  async #replace(
    staged: string,
    packagePath: string,
    staging: string,
    same?: string,
  ): Promise<void> {
    const files = this.#files;
    await files.makeDirectory(packagePath.slice(0, packagePath.lastIndexOf('/')));
    for (let attempt = 0; ; attempt++) {
      // Links are replaced by a rename; directories only where they are empty.
      const isLink = (await files.readLink(packagePath)) !== undefined;
      const isDirectory = !isLink && (await files.stat(packagePath))?.kind === 'directory';
      if (isDirectory && same !== undefined) {
        const existingHash = await directoryHash(files, packagePath).catch(() => undefined);
        if (existingHash === same) return;
      }
      const ownLink = (await files.readLink(staged)) !== undefined;
      try {
        if (isDirectory || (isLink && !ownLink))
          await files.rename(packagePath, `${staging}/old-${attempt}`);
        await files.rename(staged, packagePath);
        return;
      } catch (error) {
        // Another process was faster: retries with its package.
        if (attempt === 20) throw error;
        await this.#host.clock.sleep(20 * (attempt + 1));
      }
    }
  }

  async #copy(from: string, to: string): Promise<void> {
    const files = this.#files;
    await files.makeDirectory(to);
    for (const { name } of await files.readDirectory(from)) {
      const [source, target] = [`${from}/${name}`, `${to}/${name}`];
      const stat = await files.stat(source);
      if (stat?.kind === 'directory') await this.#copy(source, target);
      else if (stat !== undefined) {
        await files.replaceFile(target, filePieces(files, source));
        await files.chmod(target, stat.mode);
      }
    }
  }

  #absolute(path: string): string {
    const { environment } = this.#host;
    const { isAbsolute, resolve } = pathsOf(environment);
    return isAbsolute(path) ? path : resolve(environment.cwd, path);
  }

  /** Creates a directory next to the packages, on the same disk, that package searches ignore. */
  async #stage(): Promise<string> {
    await this.#files.makeDirectory(this.base);
    await this.#sweep();
    const staging = `${this.base}/${STAGING}${this.#host.random.uuid()}`;
    await this.#files.makeDirectory(staging);
    return staging;
  }

  /** Removes temporary directories of ended processes. */
  async #sweep(): Promise<void> {
    const now = this.#host.clock.now().getTime();
    for (const { name } of await this.#files.readDirectory(this.base)) {
      if (!name.startsWith(STAGING)) continue;
      const stat = await this.#files.stat(`${this.base}/${name}`);
      if (stat !== undefined && now - stat.mtimeMs > LEFTOVER_MS) {
        await this.#files.removeTree(`${this.base}/${name}`);
      }
    }
  }
}

/** The error for a package that matches no checksum of the lock file. */
export class ChecksumMismatch extends Error {}
