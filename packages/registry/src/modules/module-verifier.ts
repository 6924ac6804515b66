import { moduleSourceText } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, warningDiagnostic } from '@terrane/hcl';
import { type FileSystem, programCommand, userErrorText } from '@terrane/host';
import { normalHashes } from '../lock/dependency-lock.ts';
import type { LockedModule, ModuleLocks } from '../lock/module-locks.ts';
import { redactedAddress } from './fetch/redact.ts';
import { type InstalledCall, placeOf } from './installed-module.ts';
import { checkedOutCommit, modulePackageHash } from './module-hash.ts';
import { satisfiesConstraint } from './module-version.ts';

/** Settings of the verification of module packages. */
export interface ModuleVerifierOptions {
  readonly files: FileSystem;
  /** the locks before the installation */
  readonly locks: ModuleLocks;
  /** the name of the file that contains them, for messages */
  readonly fileName: string;
  /** true if locked versions and hashes are replaced */
  readonly upgrade: boolean;
  /** true if modules without a lock are rejected */
  readonly readonlyLock: boolean;
}

/** The result of verifying a package: errors if it must not be installed. */
export interface PackageVerification {
  readonly error?: Diagnostic;
  readonly warning?: Diagnostic;
}

/**
 * Compares packages of modules with their locks, and collects the locks of the packages that were accepted. A lock
 * applies as long as the source of its module is unchanged and the call allows its version.
 */
export class ModuleVerifier {
  readonly #options: ModuleVerifierOptions;
  readonly #accepted: Map<string, LockedModule> = new Map();

  constructor(options: ModuleVerifierOptions) {
    this.#options = options;
  }

  /** The locks of the packages that were accepted, by path of their module. */
  get accepted(): ModuleLocks {
    return this.#accepted;
  }

  /** Returns the locked version of a registry module, which is selected instead of a newer one. */
  lockedVersion(key: string, call: InstalledCall): string | undefined {
    return this.#options.upgrade ? undefined : this.#lockOf(key, call)?.version;
  }

  /** Returns the error for a module that must not even be fetched: it has no lock, and the lock file is read-only. */
  refusal(key: string, call: InstalledCall): Diagnostic | undefined {
    const { locks, fileName, readonlyLock } = this.#options;
    if (!readonlyLock || this.#lockOf(key, call) !== undefined) return undefined;
    const locked = locks.get(key);
    const why =
      locked === undefined
        ? `is not recorded in ${fileName}`
        : `does not match ${fileName}, which records ${describe(locked)}`;
    return errorDiagnostic(
      'Module not in the lock file',
      `Module ${quoteText(call.name)} (${placeOf(call)}) from ${quoteText(addressOf(call))} ${why}. The lock file is read-only because of -lockfile=readonly, so the module was not installed. To record it, run ${quoteText(programCommand('init'))} without -lockfile=readonly, review the module, and commit the changed lock file.`,
      call.range,
    );
  }

  /** Verifies a complete package in `directory` before it is used, and records its lock. */
  async verify(
    { key, call, version }: { key: string; call: InstalledCall; version?: string | undefined },
    directory: string,
  ): Promise<PackageVerification> {
    const { files, fileName, upgrade } = this.#options;
    let hash: string;
    try {
      hash = await modulePackageHash(files, directory);
    } catch (error) {
      return { error: this.#notHashed(call, userErrorText(error)) };
    }
    const commit = await checkedOutCommit(files, directory);
    const source = addressOf(call);
    const before = this.#lockOf(key, call);
    const isSame = before !== undefined && before.version === version;
    const matches = isSame && before.hashes.includes(hash);
    this.#accepted.set(key, {
      path: key,
      source,
      ...(version === undefined ? {} : { version }),
      ...(commit === undefined ? {} : { commit }),
      hashes: matches ? before.hashes : normalHashes([hash]),
    });
    if (!isSame || matches) return {};
    if (upgrade) {
      // Without a version, the source may be a branch, whose content is expected to change.
      if (version === undefined) return {};
      return {
        warning: warningDiagnostic(
          'Published module version changed',
          `Version ${version} of module ${quoteText(call.name)} (${placeOf(call)}) from ${quoteText(source)} has other content than ${fileName} recorded. A published version should not change. The new hash was recorded because of -upgrade; review the module before you commit it.`,
          call.range,
        ),
      };
    }
    this.#accepted.delete(key);
    return { error: this.#mismatch(call, before, hash, commit) };
  }

  /** Returns true if an installed package differs from its lock, or has another version, and must be fetched again. */
  async isOutdated(
    { key, call, version }: { key: string; call: InstalledCall; version?: string | undefined },
    directory: string,
  ): Promise<boolean> {
    const lock = this.#lockOf(key, call);
    if (lock === undefined || this.#options.upgrade) return false;
    if (lock.version !== version) return true;
    try {
      return !lock.hashes.includes(await modulePackageHash(this.#options.files, directory));
    } catch {
      // An unreadable package is fetched again.
      return true;
    }
  }

  /** Returns the lock that applies to a call. */
  #lockOf(key: string, call: InstalledCall): LockedModule | undefined {
    const lock = this.#options.locks.get(key);
    if (lock === undefined || lock.source !== addressOf(call)) return undefined;
    if (call.source?.kind !== 'registry') return lock;
    return lock.version !== undefined && satisfiesConstraint(lock.version, call.version)
      ? lock
      : undefined;
  }

  #mismatch(
    call: InstalledCall,
    lock: LockedModule,
    hash: string,
    commit: string | undefined,
  ): Diagnostic {
    const { fileName } = this.#options;
    const version = lock.version === undefined ? '' : ` version ${lock.version}`;
    const commits =
      lock.commit === undefined || commit === undefined || lock.commit === commit
        ? ''
        : ` The locked commit is ${lock.commit}, the fetched commit ${commit}.`;
    return errorDiagnostic(
      'Module package does not match the lock file',
      `The package of module ${quoteText(call.name)} (${placeOf(call)}) from ${quoteText(lock.source)}${version} has the hash ${hash}, but ${fileName} records ${lock.hashes.join(', ')}.${commits} The package was changed at its source, or on the way here, so it was not installed. If the change is expected, review the module and accept its new content with ${quoteText(programCommand('init -upgrade'))}.`,
      call.range,
    );
  }

  #notHashed(call: InstalledCall, reason: string): Diagnostic {
    return errorDiagnostic(
      'Module package cannot be verified',
      `The hash of the package of module ${quoteText(call.name)} (${placeOf(call)}) from ${quoteText(addressOf(call))} could not be computed, so it was not installed: ${reason}.`,
      call.range,
    );
  }
}

/** The source address of a call in lock files, without secrets. */
function addressOf({ source, sourceText }: InstalledCall): string {
  return redactedAddress(source === undefined ? sourceText : moduleSourceText(source));
}

function describe({ source, version }: LockedModule): string {
  return version === undefined ? quoteText(source) : `${quoteText(source)} version ${version}`;
}
