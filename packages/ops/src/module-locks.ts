import type { Diagnostic } from '@terrane/hcl';
import { errorDiagnostic } from '@terrane/hcl';
import { calledProgram, userErrorText } from '@terrane/host';
import {
  LOCK_FILE,
  type LockedModule,
  MODULE_LOCK_FILE,
  moduleLockFileText,
  type ModuleLocks,
  ModuleVerifier,
  readDependencyLock,
  readModuleLockFile,
  sameModuleLocks,
  writeDependencyLock,
} from '@terrane/registry';
import { cliConfigOf } from './cli-config/cli-config-of.ts';
import type { Project } from './project.ts';
import { plainError } from './run-ports.ts';

/** Options for the locks of modules during an installation. */
export interface ModuleLockOptions {
  /** true if locked versions and hashes are replaced */
  readonly upgrade: boolean;
  /** true if the locks are not written, and modules without one are rejected */
  readonly readonlyLock: boolean;
}

/** The locks of a project's modules during an installation. */
export interface OpenModuleLocks {
  readonly locks: ModuleLocks;
  /** true if there is a lock file with locks */
  readonly isLocked: boolean;
  readonly fileName: string;
  readonly verifier: ModuleVerifier;
  /** Stores the locks of the modules that are in use; returns the change of the file. */
  readonly store: (used: ReadonlyMap<string, LockedModule>) => Promise<{
    readonly change?: 'created' | 'changed';
    readonly diagnostics: readonly Diagnostic[];
  }>;
}

/**
 * Reads the locks of a project's modules; undefined if they are disabled, or if there are none and the program is
 * called by the name of another one, which has no such file.
 */
export function openModuleLocks(
  project: Project,
  options: ModuleLockOptions,
): { readonly locks?: OpenModuleLocks; readonly diagnostics: readonly Diagnostic[] } {
  const { files } = project.host;
  const setting = cliConfigOf(project).moduleLocks;
  if (setting === 'off') return { diagnostics: [] };
  const separate = readModuleLockFile(files);
  const shared = readDependencyLock(files);
  // Other problems of the shared file are reported when providers are installed.
  const problems = [
    ...(separate?.diagnostics ?? []),
    ...(shared.modules.size === 0 ? [] : shared.diagnostics),
  ];
  if (problems.some(({ severity }) => severity === 'error')) return { diagnostics: problems };
  const isLocked = separate !== undefined || shared.modules.size > 0;
  if (!isLocked && setting === undefined && calledProgram() !== 'terrane')
    return { diagnostics: [] };
  const place =
    setting ?? (separate === undefined && shared.modules.size > 0 ? 'shared' : 'separate');
  if (options.upgrade && options.readonlyLock && isLocked) {
    return { diagnostics: [plainError('The -upgrade flag conflicts with -lockfile=readonly.')] };
  }
  const first = place === 'shared' ? shared.modules : (separate?.modules ?? new Map());
  const second = place === 'shared' ? (separate?.modules ?? new Map()) : shared.modules;
  const locks = new Map([...second, ...first]);
  const fileName = place === 'shared' ? LOCK_FILE : MODULE_LOCK_FILE;
  return {
    diagnostics: [],
    locks: {
      locks,
      isLocked,
      fileName,
      verifier: new ModuleVerifier({
        files,
        locks,
        fileName,
        upgrade: options.upgrade,
        readonlyLock: options.readonlyLock,
      }),
      async store(used) {
        const isMoved = second.size > 0;
        if (options.readonlyLock || (!isMoved && sameModuleLocks(used, locks))) {
          return { diagnostics: [] };
        }
        const diagnostics = await write(project, place, used, isMoved);
        return { change: isLocked ? 'changed' : 'created', diagnostics };
      },
    },
  };
}

/** Writes the locks to the chosen file, then removes those in the other one if they were moved. */
async function write(
  project: Project,
  place: 'separate' | 'shared',
  modules: ModuleLocks,
  isMoved: boolean,
): Promise<readonly Diagnostic[]> {
  const { files } = project.host;
  const { providers } = readDependencyLock(files);
  if (place === 'shared') {
    const diagnostics = await writeDependencyLock(files, providers, LOCK_FILE, modules);
    if (isMoved && diagnostics.length === 0) await files.remove(MODULE_LOCK_FILE);
    return diagnostics;
  }
  try {
    await files.replaceFile(MODULE_LOCK_FILE, moduleLockFileText(modules), { mode: 0o644 });
  } catch (error) {
    return [
      errorDiagnostic(
        'Failed to update module lock file',
        `Error while writing the locks of modules to ${MODULE_LOCK_FILE}: ${userErrorText(error)}.`,
      ),
    ];
  }
  return isMoved ? await writeDependencyLock(files, providers, LOCK_FILE, new Map()) : [];
}
