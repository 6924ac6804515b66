import { cleanPath, MODULE_ROOT } from '@terrane/addresses';
import { Bug, compareText, quoteText } from '@terrane/cty';
import {
  Source,
  errorDiagnostic,
  hasErrors,
  isValidIdentifier,
  parseJsonSyntax,
  parseNative,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Body, Diagnostic } from '@terrane/hcl';
import { type FileSystem, programCommand, expectUserError } from '@terrane/host';
import { appendQueryFile, assembleModule, type ModuleDraft } from './assemble-module.ts';
import { configurationFiles } from './configuration-files.ts';
import { ConstantModule } from './constant/constant-module.ts';
import { type ConstantSettings, NO_CONSTANT_SETTINGS } from './constant/constant-settings.ts';
import { checkCoreVersions } from './core-version.ts';
import type { DeclarationCache } from './declaration-cache.ts';
import { decodeFile, type FileContent } from './decode-file.ts';
import { listBelowRoot, decodeQueryFile } from './decode-query.ts';
import { decodeProviderInstances } from './decode-provider.ts';
import { decodeCallConstants } from './decode-module-call.ts';
import { finishVariable, LoadedModule, type ModulePlace } from './loaded-module.ts';
import type { Configuration, Module, ModuleCall } from './model.ts';
import { checkProviderPassing } from './provider-passing.ts';
import { checkTestProviderTypes } from './test/check-provider-types.ts';
import {
  completeSuite,
  hasRunModules,
  type DecodedSuite,
  type LoadRunModule,
  readTestFiles,
} from './test/load-tests.ts';
import type { TestSuite } from './test/model.ts';

/** Finds modules that are no local directories. */
export interface ModuleSourcePort {
  /** resolves links in the path of a local directory; by default the path is used unchanged */
  local?(
    directory: string,
    call: ModuleCall,
    parent: Module,
  ): { readonly directory: string } | { readonly diagnostics: readonly Diagnostic[] };
  /** the directory of the module called, as ranges are to show it */
  resolve(
    call: ModuleCall,
    parent: Module,
  ): { readonly directory: string } | { readonly diagnostics: readonly Diagnostic[] };
  /** returns the source port of modules below these names, such as those of test runs */
  below?(names: readonly string[]): ModuleSourcePort;
}

/** A parsed configuration file. */
export interface ParsedConfigurationFile {
  readonly source: Source;
  readonly body: Body;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of {@link loadConfiguration}. */
export interface LoadOptions {
  /**
   * Returns the syntax tree of a file if the caller has it, for callers that load a configuration again after each
   * change of a file
   */
  readonly parsedFile?: (path: string) => ParsedConfigurationFile | undefined;
  /** keeps the declarations of the files that `parsedFile` returns */
  readonly declarations?: DeclarationCache;
  readonly modules?: ModuleSourcePort;
  /** false: `.tofu` files are not read */
  readonly allowOpenTofu?: boolean;
  /** the values of constant expressions; by default only variable defaults */
  readonly constants?: ConstantSettings;
  /** only the root module: no called modules, checks across modules or required versions */
  readonly rootOnly?: boolean;
  /** modules below are loaded also where the root module has errors, as when they are installed */
  readonly belowErrors?: boolean;
  /** query files are read too */
  readonly queries?: boolean;
  /** the directory of further test files; by default no test files are read */
  readonly tests?: string;
}

/** The configuration, as far as it could be decoded, and all diagnostics. */
export interface LoadResult {
  readonly configuration?: Configuration;
  readonly diagnostics: readonly Diagnostic[];
  /** The test files, if requested. */
  readonly tests?: TestSuite;
  /** Loads the modules of test runs too; applies to the root module only. */
  readonly testModules?: boolean;
  /** The kind of errors in the root module itself: only syntax, or declarations. */
  readonly rootFault?: 'syntax' | 'declarations';
  /** True if a module below the root module is missing or has errors of its own. */
  readonly moduleFault?: boolean;
}

/**
 * Reads, parses and decodes a configuration directory and the modules it calls. All files of a module are read despite
 * errors; called modules are not loaded after errors in the root module, unless requested.
 */
export function loadConfiguration(
  files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>,
  directory: string,
  options: LoadOptions = {},
): LoadResult {
  const loader = new Loader(files, options);
  const root = loader.loadModule({
    path: MODULE_ROOT,
    directory: cleanPath(directory),
    parent: undefined,
    call: undefined,
  });
  if (root === undefined) return { diagnostics: loader.diagnostics, rootFault: 'declarations' };
  const suite =
    options.tests === undefined
      ? undefined
      : readTestFiles(
          files,
          root.directory,
          options.tests,
          loader.sources,
          loader.diagnostics,
          options.parsedFile,
        );
  const rootFault = loader.fault();
  const rootOnly = options.rootOnly === true;
  const before = loader.diagnostics.length;
  let tests: TestSuite | undefined;
  let moduleFault = false;
  const isSound = rootFault === undefined;
  if (!rootOnly && (isSound || options.belowErrors === true)) {
    loader.loadChildren(root);
    if (isSound && suite !== undefined) tests = loader.completeSuite(root, suite);
    moduleFault = hasErrors(loader.diagnostics, before);
    checkProviderPassing(root, loader.diagnostics);
    if (!hasErrors(loader.diagnostics)) {
      for (const module of loader.modules.values())
        checkImportProviders(module, loader.diagnostics);
    }
  }
  const configuration: Configuration = {
    root,
    rootDirectory: directory,
    sources: loader.sources,
    modules: loader.modules,
    constants: loader.constantsOf(root),
  };
  if (rootOnly) {
    const { diagnostics } = loader;
    return { configuration, diagnostics, ...(hasRunModules(suite) ? { testModules: true } : {}) };
  }
  // An unsupported version explains other errors better than they do themselves. Terraform reports it only if there are
  // no others.
  const only = hasErrors(loader.diagnostics) ? 'opentofu' : undefined;
  const versions = checkCoreVersions(configuration, only);
  if (versions.length > 0) return { configuration, diagnostics: versions };
  const { diagnostics } = loader;
  if (tests !== undefined && !hasErrors(loader.diagnostics))
    checkTestProviderTypes(configuration, tests.files.values(), loader.diagnostics);
  return {
    configuration,
    diagnostics,
    ...(tests === undefined ? {} : { tests }),
    ...(moduleFault ? { moduleFault } : {}),
    ...(rootFault === undefined ? {} : { rootFault }),
  };
}

class Loader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #parsed: Map<
    string,
    { readonly body: Body; readonly diagnostics: readonly Diagnostic[] }
  > = new Map();
  readonly #ofSyntax: Set<Diagnostic> = new Set();
  readonly sources: Map<string, Source> = new Map();
  readonly modules: Map<string, LoadedModule> = new Map();
  readonly #files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>;
  readonly #options: LoadOptions;
  readonly #constants = new Map<Module, ConstantModule>();

  constructor(
    files: Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'>,
    options: LoadOptions,
  ) {
    this.#files = files;
    this.#options = options;
  }

  /** Returns the kind of errors so far. */
  fault(): 'syntax' | 'declarations' | undefined {
    if (!hasErrors(this.diagnostics)) return undefined;
    const others = this.diagnostics.filter((diagnostic) => !this.#ofSyntax.has(diagnostic));
    return hasErrors(others) ? 'declarations' : 'syntax';
  }

  loadModule(place: ModulePlace): LoadedModule | undefined {
    const sourceFiles = configurationFiles(
      this.#files,
      place.directory,
      this.#options.allowOpenTofu,
    );
    if (sourceFiles === undefined) {
      this.diagnostics.push(
        errorDiagnostic(
          'Failed to read module directory',
          `Module directory ${place.directory} does not exist or cannot be read.`,
        ),
      );
      return undefined;
    }
    // Overrides are merged into the declarations, which are then no longer those of their files.
    const { declarations } = this.#options;
    const cache = sourceFiles.overrides.length === 0 ? declarations : undefined;
    const decode = (body: Body): FileContent =>
      cache === undefined
        ? decodeFile(body, false, this.diagnostics)
        : cache.fileContent(place.path.text, body, this.diagnostics);
    const primary = this.#readFiles(sourceFiles.primary, decode);
    const overrides = this.#readFiles(sourceFiles.overrides, (body) =>
      decodeFile(body, true, this.diagnostics),
    );
    const draft = assembleModule(primary, overrides, this.diagnostics);
    if (this.#options.queries === true) this.#readQueries(sourceFiles.queries, draft);
    const constants = this.#newConstants(place, draft);
    for (const call of draft.calls.values()) {
      decodeCallConstants(call, constants, this.diagnostics);
    }
    for (const [key, block] of draft.providers) {
      draft.providers.set(key, decodeProviderInstances(block, constants, this.diagnostics));
    }
    this.#checkConstVariables(draft, constants);
    const module = new LoadedModule(place, draft, cache);
    this.modules.set(place.path.text, module);
    this.#constants.set(module, constants);
    return module;
  }

  /** Loads the modules that test files refer to; each module of a run is a separate configuration. */
  completeSuite(root: LoadedModule, suite: DecodedSuite): TestSuite {
    const { modules, belowErrors = false, allowOpenTofu = true } = this.#options;
    const { parsedFile, declarations } = this.#options;
    const options: LoadOptions = {
      belowErrors,
      allowOpenTofu,
      ...(parsedFile === undefined ? {} : { parsedFile }),
      ...(declarations === undefined ? {} : { declarations }),
    };
    const load: LoadRunModule = (call, keys) => {
      const port = modules?.below?.(keys) ?? modules;
      const problems: Diagnostic[] = [];
      const directory = this.#directoryOf(call, root, port, problems);
      if (directory === undefined) return { diagnostics: problems };
      const inside = modules?.below?.([...keys, call.name]) ?? modules;
      const ownOptions = inside === undefined ? options : { ...options, modules: inside };
      const loaded = loadConfiguration(this.#files, directory, ownOptions);
      return { ...loaded, diagnostics: [...problems, ...loaded.diagnostics] };
    };
    return completeSuite(suite, this.#files, this.sources, load, this.diagnostics);
  }

  /** Returns the evaluator of a module's constant expressions. */
  constantsOf(module: Module): ConstantModule {
    const constants = this.#constants.get(module);
    if (constants === undefined) throw new Bug(`${module.path.text} was not loaded here`);
    return constants;
  }

  #newConstants(place: ModulePlace, draft: ModuleDraft): ConstantModule {
    const { path, directory, parent, call } = place;
    const above = parent === undefined ? undefined : this.#constants.get(parent);
    return new ConstantModule(
      {
        path,
        directory,
        locals: draft.locals,
        variable: (name) => {
          const decoded = draft.variables.get(name);
          return decoded === undefined ? undefined : finishVariable(decoded);
        },
        call:
          above === undefined || call === undefined
            ? undefined
            : { parent: above, body: call.body },
      },
      this.#options.constants ?? NO_CONSTANT_SETTINGS,
    );
  }

  /** Validates that variables declared constant are constant, whether or not a constant expression uses them. */
  #checkConstVariables(draft: ModuleDraft, constants: ConstantModule): void {
    if (hasErrors(this.diagnostics)) return;
    for (const variable of draft.variables.values()) {
      if (variable.const === true) {
        constants.requireConst(finishVariable(variable), this.diagnostics);
      }
    }
  }

  #readQueries(paths: readonly string[], draft: ModuleDraft): void {
    for (const path of paths) {
      const body = this.#parse(path);
      if (body === undefined) continue;
      appendQueryFile(draft, decodeQueryFile(body, this.diagnostics), this.diagnostics);
    }
  }

  #readFiles(paths: readonly string[], decode: (body: Body) => FileContent): FileContent[] {
    const contents: FileContent[] = [];
    for (const path of paths) {
      const body = this.#parse(path);
      if (body !== undefined) contents.push(decode(body));
    }
    return contents;
  }

  /** Parses a file once, even if several calls load its module: syntax trees are immutable. */
  #parse(path: string): Body | undefined {
    let parsed = this.#parsed.get(path);
    if (parsed === undefined) {
      const parsedBefore = this.#options.parsedFile?.(path);
      if (parsedBefore === undefined) {
        const source = this.#readSource(path);
        if (source === undefined) return undefined;
        parsed = path.endsWith('.json') ? parseJsonSyntax(source) : parseNative(source);
      } else {
        this.sources.set(path, parsedBefore.source);
        parsed = parsedBefore;
      }
      this.#parsed.set(path, parsed);
    }
    this.diagnostics.push(...parsed.diagnostics);
    for (const diagnostic of parsed.diagnostics) this.#ofSyntax.add(diagnostic);
    return parsed.body;
  }

  #readSource(path: string): Source | undefined {
    try {
      const source = Source.fromBytes(path, this.#files.readFileSync(path));
      this.sources.set(path, source);
      return source;
    } catch (error) {
      expectUserError(error);
      this.diagnostics.push(
        errorDiagnostic('Failed to read file', `The file ${quoteText(path)} could not be read.`),
      );
      return undefined;
    }
  }

  loadChildren(parent: LoadedModule): void {
    const names = [...parent.calls.keys()].sort(compareText);
    for (const name of names) {
      const call = parent.calls.get(name);
      // An invalid module name was reported when the call was decoded.
      if (call === undefined || !isValidIdentifier(name)) continue;
      const child = this.#loadChild(call, parent);
      if (child === undefined) continue;
      parent.children.set(name, child);
      this.loadChildren(child);
      this.#checkChild(child);
    }
  }

  #loadChild(call: ModuleCall, parent: LoadedModule): LoadedModule | undefined {
    const directory = this.#directoryOf(call, parent, this.#options.modules, this.diagnostics);
    if (directory === undefined) return undefined;
    const path = parent.path.child(call.name);
    for (let above: Module | undefined = parent; above !== undefined; above = above.parent) {
      if (above.directory !== directory) continue;
      this.diagnostics.push(
        errorDiagnostic(
          'Module calls itself',
          `The source of ${path.text} is the directory ${directory}, which ${above.path.isRoot ? 'the root module' : above.path.text} already comes from. A module cannot be inside itself: there would be no end of it.`,
          call.sourceRange ?? call.range,
        ),
      );
      return undefined;
    }
    return this.loadModule({ path, directory, parent, call });
  }

  #directoryOf(
    call: ModuleCall,
    parent: LoadedModule,
    port: ModuleSourcePort | undefined,
    diagnostics: Diagnostic[],
  ): string | undefined {
    const source = call.source;
    // An invalid source has been reported when it was decoded.
    if (source === undefined) return undefined;
    if (source.kind === 'local') {
      const plain = cleanPath(`${parent.directory}/${source.path}`);
      const really = port?.local?.(plain, call, parent);
      if (really !== undefined && 'diagnostics' in really) {
        diagnostics.push(...really.diagnostics);
        return undefined;
      }
      const directory = really?.directory ?? plain;
      if (this.#files.statSync(directory)?.kind === 'directory') return directory;
      this.#reportUnreadable(call, directory, diagnostics);
      return undefined;
    }
    const resolved = port?.resolve(call, parent);
    if (resolved !== undefined && 'directory' in resolved) return resolved.directory;
    if (resolved !== undefined) diagnostics.push(...resolved.diagnostics);
    else {
      diagnostics.push(
        errorDiagnostic(
          'Module not installed',
          `This module is not yet installed. Run "${programCommand('init')}" to install all modules required by this configuration.`,
          call.range,
        ),
      );
    }
    return undefined;
  }

  #reportUnreadable(call: ModuleCall, directory: string, diagnostics: Diagnostic[]): void {
    const { name, range } = call;
    const report = (detail: string): void => {
      diagnostics.push(errorDiagnostic('Unreadable module directory', detail, range));
    };
    if (this.#files.statSync(directory) === undefined) {
      const missing = this.#firstMissing(directory);
      report(`Unable to evaluate directory symlink: lstat ${missing}: no such file or directory`);
    }
    report(
      `The directory ${directory} could not be read for module ${quoteText(name)} at ${range.filename}:${range.from.line}.`,
    );
  }

  /** Returns the outermost missing directory of a path. */
  #firstMissing(directory: string): string {
    for (let end = directory.indexOf('/', 1); end >= 0; end = directory.indexOf('/', end + 1)) {
      const above = directory.slice(0, end);
      if (this.#files.statSync(above) === undefined) return above;
    }
    return directory;
  }

  #checkChild(module: LoadedModule): void {
    if (module.backend !== undefined) {
      this.diagnostics.push(
        warningDiagnostic(
          'Backend configuration ignored',
          "Any selected backend applies to the entire configuration, so Terraform expects provider configurations only in the root module.\n\nThis is a warning rather than an error because it's sometimes convenient to temporarily call a root module as a child module for testing purposes, but this backend configuration block will have no effect.",
          module.backend.range,
        ),
      );
    }
    if (module.cloud !== undefined) {
      this.diagnostics.push(
        warningDiagnostic(
          'Cloud configuration ignored',
          "A cloud configuration block applies to the entire configuration, so Terraform expects 'cloud' blocks to only be in the root module.\n\nThis is a warning rather than an error because it's sometimes convenient to temporarily call a root module as a child module for testing purposes, but this cloud configuration block will have no effect.",
          module.cloud.range,
        ),
      );
    }
    for (const { addr, range } of module.resources.values()) {
      if (addr.mode !== 'list') continue;
      this.diagnostics.push(listBelowRoot(module.path.text, range));
      break;
    }
  }
}

/** Validates that only imports with generated configuration name a provider; a declared resource has its own. */
function checkImportProviders(module: Module, diagnostics: Diagnostic[]): void {
  for (const { toModule, toResource, providerLocal, providerRange } of module.imports) {
    const target = toModule.isRoot ? module.resources.get(toResource.text) : undefined;
    if (target === undefined || providerLocal === undefined) continue;
    const { explicit, name, alias } = target.providerLocal;
    if (explicit && name === providerLocal.name && alias === providerLocal.alias) continue;
    diagnostics.push(
      errorDiagnostic(
        'Invalid import provider argument',
        'The provider argument can only be specified in import blocks that will generate configuration.\n\nUse the provider argument in the target resource block to configure the provider for a resource with explicit provider configuration.',
        providerRange,
      ),
    );
  }
}
