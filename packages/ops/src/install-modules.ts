import { moduleSourceText } from '@terrane/addresses';
import {
  type LoadResult,
  type Module,
  type ModuleCall,
  type ModuleSourcePort,
  runModuleKeys,
  type TestSuite,
} from '@terrane/engine';
import { compareText } from '@terrane/cty';
import { type Diagnostic, EMPTY_BODY, errorDiagnostic, hasErrors } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import {
  type InstalledModule,
  isLockedSource,
  MANIFEST_FILE,
  type ModuleDownload,
  type ModuleInstaller,
  moduleManifestText,
  type ModuleRecord,
  readModuleManifest,
  recordSatisfies,
} from '@terrane/registry';
import { evaluateLinks } from './evaluate-links.ts';
import { loadWhileInstalling } from './load-project.ts';
import { escapeFromPackage } from './local-module-path.ts';
import { openModuleLocks, type OpenModuleLocks } from './module-locks.ts';
import { moduleKey, modulesDirectory } from './module-manifest.ts';
import type { Project } from './project.ts';
import { moduleInstaller } from './registry-access.ts';
import { plainError } from './run-ports.ts';

/** Events of module installation, in Terraform's order. */
export type ModuleEvent =
  | ({ readonly kind: 'download'; readonly key: string } & ModuleDownload)
  | { readonly kind: 'installed'; readonly key: string; readonly directory: string }
  | {
      readonly kind: 'modules-locked';
      readonly change: 'created' | 'changed';
      /** the lock file */
      readonly file: string;
      readonly count: number;
    };

/** The options of module installation. */
export interface InstallModulesOptions {
  /** also those that are installed already, in the newest versions that are allowed */
  readonly upgrade: boolean;
  /** true if the manifest is only written if no module below the root module has errors */
  readonly onlyComplete?: boolean;
  /** the test directory, whose modules are installed too */
  readonly testDirectory?: string;
  /** the installation directory; by default below the data directory */
  readonly directory?: string;
  /** verifies packages against the locks of modules, and updates these; undefined: packages are not verified */
  readonly locks?: { readonly readonlyLock: boolean };
  readonly emit: (event: ModuleEvent) => void;
  readonly signal: AbortSignal;
  /** loads the configuration of the modules; by default that of the project */
  readonly load?: (port: ModuleSourcePort) => Promise<LoadResult>;
}

/** The configuration with the modules that could be installed, and the diagnostics. */
export interface ModulesInstalled {
  readonly loaded: LoadResult;
  /** all records of installed modules, by key */
  readonly records: ReadonlyMap<string, ModuleRecord>;
  readonly interrupted: boolean;
  /** a module could not be installed, or the manifest not read or written */
  readonly failed: boolean;
}

function notInstalled(diagnostics: readonly Diagnostic[]): ModulesInstalled {
  return { loaded: { diagnostics }, records: new Map(), interrupted: false, failed: true };
}

/**
 * Installs the modules that a configuration calls, directly and indirectly, in parallel, and writes the manifest. Keeps
 * installed modules that still satisfy their call.
 */
export async function installModules(
  project: Project,
  options: InstallModulesOptions,
): Promise<ModulesInstalled> {
  const directory = options.directory ?? modulesDirectory(project);
  const { files } = project.host;
  await files.makeDirectory(directory);
  const read = readModuleManifest(files, directory);
  if ('error' in read) {
    const detail = `Error reading manifest for ${directory}: ${read.error}.`;
    return notInstalled([errorDiagnostic('Failed to read modules manifest file', detail)]);
  }
  const opened =
    options.locks === undefined
      ? { diagnostics: [] }
      : openModuleLocks(project, { upgrade: options.upgrade, ...options.locks });
  if (hasErrors(opened.diagnostics)) return notInstalled(opened.diagnostics);
  const { locks } = opened;
  const installer = moduleInstaller(project, directory, {
    signal: options.signal,
    records: read.records.values(),
    verifier: locks?.verifier,
  });
  const run = new Installation(project, read.records, installer, options, locks);
  let loaded: LoadResult;
  try {
    loaded = await run.toTheEnd();
  } finally {
    await installer.finish();
  }
  const records = run.recordsOf(loaded);
  const diagnostics = [...loaded.diagnostics];
  const incomplete = run.failed || loaded.moduleFault === true;
  if (options.onlyComplete === true && incomplete) {
    return { loaded, records, interrupted: options.signal.aborted, failed: true };
  }
  try {
    await files.replaceFile(`${directory}/${MANIFEST_FILE}`, moduleManifestText(records));
  } catch (error) {
    const reason = userErrorText(error);
    diagnostics.push(
      errorDiagnostic(
        'Failed to update module manifest',
        `Unable to write the module manifest file: ${reason}`,
      ),
    );
  }
  const interrupted = options.signal.aborted;
  if (interrupted) {
    diagnostics.push(plainError('Module installation was canceled by an interrupt signal.'));
  }
  if (!run.failed && !interrupted && loaded.moduleFault !== true) {
    diagnostics.push(...(await run.keepLocks()));
  }
  const failed = run.failed || diagnostics.slice(loaded.diagnostics.length).some(isError);
  return { loaded: { ...loaded, diagnostics }, records, interrupted, failed };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

interface Started {
  readonly download?: ModuleDownload;
  /** undefined while it is being installed */
  readonly done?: InstalledModule;
}

/**
 * An installation. Each round installs one level of the module tree and loads the configuration again, which reveals
 * the calls of the next level.
 */
class Installation {
  readonly #project: Project;
  readonly #before: ReadonlyMap<string, ModuleRecord>;
  readonly #installer: ModuleInstaller;
  readonly #options: InstallModulesOptions;
  readonly #locks: OpenModuleLocks | undefined;
  /** modules that do not match their locks, by key */
  readonly #outdated: Set<string> = new Set();
  /** installed modules whose package is compared with its lock, by key */
  readonly #compared: Set<string> = new Set();
  /** calls of modules whose package is locked, by key; complete after `recordsOf` */
  readonly #lockable: Map<string, ModuleCall> = new Map();
  readonly #modules: Map<string, Started> = new Map();
  /** unreadable local directories by module key: the target path, or "" if it does not exist */
  readonly #unreadable: Map<string, string> = new Map();
  readonly reported: Set<string> = new Set();
  #missing: Map<string, ModuleCall> = new Map();
  /** installed modules that are kept, by key */
  readonly #kept: Map<string, ModuleCall> = new Map();
  #root: Module | undefined;
  #tests: TestSuite | undefined;

  constructor(
    project: Project,
    before: ReadonlyMap<string, ModuleRecord>,
    installer: ModuleInstaller,
    options: InstallModulesOptions,
    locks: OpenModuleLocks | undefined,
  ) {
    this.#locks = locks;
    this.#project = project;
    this.#before = before;
    this.#installer = installer;
    this.#options = options;
  }

  get failed(): boolean {
    return [...this.#modules.values()].some(
      ({ done }) => done === undefined || hasErrors(done.diagnostics),
    );
  }

  async toTheEnd(): Promise<LoadResult> {
    const port = this.#port([]);
    for (;;) {
      this.#missing = new Map();
      const { testDirectory } = this.#options;
      const load =
        this.#options.load ?? ((each) => loadWhileInstalling(this.#project, each, testDirectory));
      const loaded = await load(port);
      this.#root = loaded.configuration?.root;
      this.#tests = loaded.tests;
      // A module that does not match its lock is installed again, which can change its calls.
      if (await this.#findOutdated()) continue;
      const missing = [...this.#missing];
      this.#emitEvents();
      if (missing.length === 0) return this.#withWarnings(loaded);
      for (const [key] of missing) this.#modules.set(key, {});
      await Promise.all(missing.map(([key, call]) => this.#install(key, call)));
    }
  }

  /** `above`: the names of the parent modules, such as those of test runs. */
  #port(above: readonly string[]): ModuleSourcePort {
    return {
      local: (directory, call, parent) => this.#local(directory, call, parent, above),
      resolve: (call, parent) => this.#resolve(call, parent, above),
      below: (names) => this.#port(names),
    };
  }

  async #install(key: string, call: ModuleCall): Promise<void> {
    const done = await this.#installer.install({ key, call }, (download) => {
      this.#modules.set(key, { download });
      this.#emitEvents();
    });
    this.#modules.set(key, { ...this.#modules.get(key), done });
    this.#emitEvents();
  }

  #resolve(
    call: ModuleCall,
    parent: Module,
    above: readonly string[],
  ): ReturnType<ModuleSourcePort['resolve']> {
    const key = moduleKey(call, parent, above);
    const existing = this.#modules.get(key);
    if (existing?.done !== undefined) {
      const { record, diagnostics } = existing.done;
      return record === undefined || hasErrors(diagnostics)
        ? { diagnostics }
        : { directory: record.directory };
    }
    const before = this.#before.get(key);
    if (before !== undefined && !this.#isReplaced(call, parent, above)) {
      const { directory } = before;
      if (this.#project.host.files.statSync(directory)?.kind === 'directory') {
        this.#kept.set(key, call);
        return { directory };
      }
    }
    this.#missing.set(key, call);
    return { diagnostics: [] };
  }

  /** Compares kept modules with their locks. Returns true if one of them must be installed again. */
  async #findOutdated(): Promise<boolean> {
    const { verifier } = this.#locks ?? {};
    if (verifier === undefined) return false;
    const sizeBefore = this.#outdated.size;
    for (const [key, call] of this.#kept) {
      if (this.#compared.has(key)) continue;
      this.#compared.add(key);
      const directory = await this.#lockedDirectory(key, call);
      if (directory === undefined) continue;
      const { version } = this.#before.get(key) ?? {};
      if (await verifier.isOutdated({ key, call, version }, directory)) this.#outdated.add(key);
    }
    return this.#outdated.size > sizeBefore;
  }

  /** Returns the directory of an installed package; undefined for packages that are not locked. */
  async #lockedDirectory(key: string, call: ModuleCall): Promise<string | undefined> {
    const { files, environment } = this.#project.host;
    if (!isLockedSource(call, environment)) return undefined;
    const directory = this.#installer.directoryOf(key);
    if ((await files.stat(directory))?.kind !== 'directory') return undefined;
    return (await files.readLink(directory)) === undefined ? directory : undefined;
  }

  /**
   * Stores the locks of all modules in use. A module that was installed without a lock is locked as it is. Returns
   * errors for modules that a read-only lock file does not contain.
   */
  async keepLocks(): Promise<readonly Diagnostic[]> {
    const locks = this.#locks;
    if (locks === undefined || (!locks.isLocked && this.#lockable.size === 0)) return [];
    const { verifier } = locks;
    const diagnostics: Diagnostic[] = [];
    for (const [key, call] of this.#lockable) {
      if (verifier.accepted.has(key)) continue;
      const directory = await this.#lockedDirectory(key, call);
      if (directory === undefined) continue;
      const { version } = this.#before.get(key) ?? {};
      const refusal = verifier.refusal(key, call);
      const { error } =
        refusal === undefined
          ? await verifier.verify({ key, call, version }, directory)
          : { error: refusal };
      if (error !== undefined) diagnostics.push(error);
    }
    if (diagnostics.length > 0) return diagnostics;
    if (!locks.isLocked && verifier.accepted.size === 0) return [];
    const stored = await locks.store(verifier.accepted);
    if (stored.change !== undefined && !hasErrors(stored.diagnostics)) {
      const { change } = stored;
      const { fileName: file } = locks;
      this.#options.emit({ kind: 'modules-locked', change, file, count: verifier.accepted.size });
    }
    return stored.diagnostics;
  }

  #local(
    plain: string,
    call: ModuleCall,
    parent: Module,
    above: readonly string[],
  ): ReturnType<NonNullable<ModuleSourcePort['local']>> {
    const { files } = this.#project.host;
    const directory = evaluateLinks(files, plain);
    const stat = files.statSync(directory);
    if (stat?.kind === 'directory') return { directory };
    this.#unreadable.set(moduleKey(call, parent, above), stat === undefined ? '' : directory);
    const escape = escapeFromPackage(call, parent);
    return escape === undefined ? { directory } : { diagnostics: [escape] };
  }

  /** Returns true if a module must be installed again: on upgrade, or if its record or a parent's is missing or stale. */
  #isReplaced(call: ModuleCall, parent: Module, above: readonly string[]): boolean {
    if (this.#options.upgrade) return true;
    const key = moduleKey(call, parent, above);
    const before = this.#before.get(key);
    if (before === undefined || this.#modules.has(key) || this.#outdated.has(key)) return true;
    if (call.source !== undefined && moduleSourceText(call.source) !== before.source) return true;
    if (!recordSatisfies(before, call.version)) return true;
    return parent.call !== undefined && parent.parent !== undefined
      ? this.#isReplaced(parent.call, parent.parent, above)
      : false;
  }

  /** Adds the warnings of module installation to the diagnostics of loading. */
  #withWarnings(loaded: LoadResult): LoadResult {
    const warnings: Diagnostic[] = [];
    for (const { done } of this.#modules.values()) {
      if (done?.record !== undefined && !hasErrors(done.diagnostics)) {
        warnings.push(...done.diagnostics);
      }
    }
    return { ...loaded, diagnostics: [...warnings, ...loaded.diagnostics] };
  }

  /** Emits new events in tree order, up to the first module that is not installed yet. */
  #emitEvents(): void {
    if (this.#root === undefined || !this.#emitCalls(this.#root, [])) return;
    for (const { call, above, root } of this.#runModules(this.#root)) {
      if (!this.#emitCall(call, this.#root, above, root)) return;
    }
  }

  /** The modules that runs of tests execute, as if the root module called them. */
  *#runModules(parent: Module): Iterable<RunModule> {
    for (const { name, runs } of this.#tests?.files.values() ?? []) {
      const above = runModuleKeys(name);
      for (const { name: run, module } of runs) {
        if (module === undefined) continue;
        const { source, version, range, configuration } = module;
        const call: ModuleCall = {
          name: run,
          sourceText: moduleSourceText(source),
          source,
          body: EMPTY_BODY,
          dependsOn: [],
          providers: undefined,
          range,
          ...(version === undefined ? {} : { version }),
        };
        yield { call, above, parent, root: configuration?.root };
      }
    }
  }

  /** false where the rest has to wait */
  #emitCalls(parent: Module, above: readonly string[]): boolean {
    for (const call of callsOf(parent)) {
      const child = parent.children.get(call.name);
      if (!this.#emitCall(call, parent, above, child)) return false;
    }
    return true;
  }

  #emitCall(
    call: ModuleCall,
    parent: Module,
    above: readonly string[],
    child: Module | undefined,
  ): boolean {
    if (call.source === undefined) return true;
    const key = moduleKey(call, parent, above);
    const started = this.#modules.get(key);
    if (started?.download !== undefined) {
      const { download } = started;
      this.#once(`${key} download`, { kind: 'download', key, ...download });
    }
    if (started !== undefined && started.done === undefined) return false;
    if (started?.done?.record !== undefined) {
      const { directory } = started.done.record;
      this.#once(key, { kind: 'installed', key, directory });
      // Its calls are known after it has been loaded.
      if (child === undefined && !hasErrors(started.done.diagnostics)) return false;
    } else if (started === undefined) {
      if (this.#missing.has(key)) return false;
      const unreadable = this.#unreadable.get(key);
      const directory = child?.directory ?? unreadable;
      if (call.source.kind === 'local' && directory !== undefined) {
        const isNew = unreadable !== undefined || this.#isReplaced(call, parent, above);
        if (isNew) this.#once(key, { kind: 'installed', key, directory });
      }
    }
    if (child === undefined) return true;
    const inside = child.parent === undefined ? [...above, call.name] : above;
    if (!this.#emitCalls(child, inside)) return false;
    return true;
  }

  #once(name: string, event: ModuleEvent): void {
    if (this.reported.has(name)) return;
    this.reported.add(name);
    this.#options.emit(event);
  }

  /** Returns the records of all modules. Records of modules that are no longer called are kept, as in Terraform. */
  recordsOf({ configuration }: LoadResult): Map<string, ModuleRecord> {
    const records = new Map(this.#before);
    records.set('', { key: '', source: '', directory: '.' });
    if (configuration === undefined) return records;
    this.#addRecords(configuration.root, [], records);
    for (const { call, above, parent, root } of this.#runModules(configuration.root)) {
      this.#addRecord(call, parent, above, root, records);
    }
    return records;
  }

  #addRecords(parent: Module, above: readonly string[], records: Map<string, ModuleRecord>): void {
    for (const call of callsOf(parent)) {
      this.#addRecord(call, parent, above, parent.children.get(call.name), records);
    }
  }

  #addRecord(
    call: ModuleCall,
    parent: Module,
    above: readonly string[],
    child: Module | undefined,
    records: Map<string, ModuleRecord>,
  ): void {
    if (call.source === undefined) return;
    const key = moduleKey(call, parent, above);
    const done = this.#modules.get(key)?.done;
    if (isLockedSource(call, this.#project.host.environment)) this.#lockable.set(key, call);
    if (this.#isReplaced(call, parent, above)) {
      for (const each of [...records.keys()]) {
        if (each === key || each.startsWith(`${key}.`)) records.delete(each);
      }
    }
    if (done?.record !== undefined) records.set(key, done.record);
    else if (call.source.kind === 'local' && !records.has(key)) {
      const source = moduleSourceText(call.source);
      const directory = child?.directory ?? this.#unreadable.get(key) ?? '';
      records.set(key, { key, source, directory });
    }
    if (child === undefined) return;
    const inside = child.parent === undefined ? [...above, call.name] : above;
    this.#addRecords(child, inside, records);
  }
}

/** A module that a run of a test executes. */
interface RunModule {
  readonly call: ModuleCall;
  readonly above: readonly string[];
  /** the root module under test */
  readonly parent: Module;
  /** undefined while it is not there */
  readonly root: Module | undefined;
}

function callsOf(module: Module): readonly ModuleCall[] {
  return [...module.calls.values()].sort((a, b) => compareText(a.name, b.name));
}
