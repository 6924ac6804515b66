import { deferred } from './deferred.ts';
import type { ProviderSource } from '@terrane/addresses';
import {
  isAbsolute,
  type ModuleSchemas,
  type ModuleValues,
  type ProjectModel,
  resolvePath,
} from '@terrane/analysis';
import type { Value } from '@terrane/cty';
import {
  CheckMemo,
  type Configuration,
  type Console,
  DeclarationCache,
  type LoadResult,
  type State,
} from '@terrane/engine';
import { type Diagnostic, hasErrors, Source } from '@terrane/hcl';
import type { Host } from '@terrane/host';
import {
  loadProject,
  openAvailableProviders,
  openProject,
  openValues,
  type Project,
  type Providers,
  readState,
  selectedWorkspace,
  validateLoaded,
} from '@terrane/ops';
import { overlayFiles } from './overlay-files.ts';
import type { Settings } from './settings.ts';

/** The directory of test files, as `terrane test` has it by default. */
const TEST_DIRECTORY = 'tests';

/** Diagnostics of a module with the directory that relative file names refer to. */
export interface ModuleDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** why providers are not available; empty if all are */
  readonly missing: readonly Diagnostic[];
}

/** Numbers of calls that a validation made, which tests compare before and after a change. */
export interface EngineWork {
  readonly decodedFiles: number;
  readonly checkedDeclarations: number;
  readonly builtOrders: number;
}

interface OpenedProviders {
  readonly key: string;
  readonly providers: Providers;
  readonly missing: readonly Diagnostic[];
}

interface OpenedValues {
  readonly console: Console | undefined;
  readonly answers: Map<string, Value | undefined>;
  readonly close: () => void;
}

/**
 * The engine for one module directory as root module: loading, validation, schemas and values. Each result belongs to
 * the versions of files at the time of the call; the caller decides when to ask again.
 */
export class ModuleEngine {
  readonly #directory: string;
  readonly #model: ProjectModel;
  readonly #host: Host;
  #opened: Promise<OpenedProviders> | undefined;
  #openedKey = '';
  #providers: OpenedProviders | undefined;
  #loaded: LoadResult | undefined;
  #values: OpenedValues | undefined;
  #state: State | undefined;
  readonly #declarations = new DeclarationCache();
  /** outcomes of validations without and with providers, by module */
  readonly #memos = { without: new Map<string, CheckMemo>(), with: new Map<string, CheckMemo>() };

  constructor(directory: string, model: ProjectModel, host: Host) {
    this.#directory = directory;
    this.#model = model;
    this.#host = { ...host, files: overlayFiles(host.files, model.files, directory) };
  }

  /** The schemas that are loaded. */
  get schemas(): ModuleSchemas {
    const providers = this.#providers?.providers;
    return { provider: (source: ProviderSource) => providers?.provider(source) };
  }

  /** Values of expressions in this module as root module. */
  get values(): ModuleValues | undefined {
    const values = this.#values;
    if (values?.console === undefined) return undefined;
    return { valueOf: (expression) => answer(values, expression) };
  }

  /** The configuration that was loaded last. */
  get configuration(): Configuration | undefined {
    return this.#loaded?.configuration;
  }

  /** The state that was read last. */
  get state(): State | undefined {
    return this.#state;
  }

  /** The project for operations on the files of the working directory, such as reading a plan. */
  get project(): Project {
    return openProject(this.#host);
  }

  /** Loads the current files. Syntax trees of unchanged files are reused. */
  async load(settings: Settings): Promise<LoadResult> {
    this.#loaded = await loadProject(
      this.#project(),
      this.#options(settings),
      TEST_DIRECTORY,
      true,
    );
    return this.#loaded;
  }

  /**
   * Parses the files of the module and what it calls ahead of {@link load}, which cannot be interrupted. `pause` is
   * called between files.
   */
  async prepare(pause: () => Promise<void> | undefined): Promise<void> {
    const directories = new Set([
      this.#directory,
      ...Array.from(
        this.#loaded?.configuration?.modules.values() ?? [],
        ({ directory }) => directory,
      ),
    ]);
    for (const directory of directories) {
      for (const path of this.#model.module(directory).paths) {
        // Reading the syntax tree makes it.
        void this.#model.document(path)?.parsed;
        const paused = pause();
        if (paused !== undefined) await paused;
      }
    }
  }

  /** Validates the loaded configuration; without providers, none is started. `pause` is called in between. */
  async validate(
    settings: Settings,
    withProviders: boolean,
    pause: () => Promise<void> | undefined,
  ): Promise<ModuleDiagnostics> {
    const loaded = this.#loaded ?? (await this.load(settings));
    const { configuration, tests, diagnostics } = loaded;
    const providers = this.#providers;
    if (configuration === undefined || hasErrors(diagnostics) || providers === undefined)
      return { diagnostics, missing: providers?.missing ?? [] };
    const validationDiagnostics = await validateLoaded(
      this.#project(),
      { configuration, tests },
      providers.providers,
      {
        withoutProviders: !withProviders,
        pause,
        memo: (module) => memoOf(this.#memos[withProviders ? 'with' : 'without'], module),
      },
    );
    return { diagnostics: [...diagnostics, ...validationDiagnostics], missing: providers.missing };
  }

  /**
   * Opens the providers that the loaded configuration requires, unless the same ones are open. Returns true if other
   * schemas are available than before.
   */
  async openProviders(settings: Settings): Promise<boolean> {
    const configuration = this.#loaded?.configuration;
    if (configuration === undefined) return false;
    const key = this.#providersKey(configuration, settings.trusted);
    if (this.#openedKey === key && this.#opened !== undefined) {
      await this.#opened;
      return false;
    }
    this.#openedKey = key;
    const opened = openAvailableProviders(this.#project(), configuration, {
      plugins: settings.trusted,
    }).then((available) => ({ key, ...available }));
    this.#opened = opened;
    const before = this.#providers;
    const now = await opened;
    if (this.#openedKey !== key) {
      await now.providers.close();
      return false;
    }
    this.#providers = now;
    await before?.providers.close();
    return true;
  }

  /** Evaluates the loaded configuration, so that `values` answers. `pause` is called in between. */
  async evaluate(settings: Settings, pause: () => Promise<void> | undefined): Promise<void> {
    const configuration = this.#loaded?.configuration;
    const providers = this.#providers?.providers;
    if (configuration === undefined || providers === undefined) return;
    if (hasErrors(this.#loaded?.diagnostics ?? [])) return;
    const project = this.#project();
    const workspace = settings.workspace ?? (await selectedWorkspace(project)).name;
    const { promise: closed, resolve: close } = deferred<void>();
    const variables = this.#options(settings);
    const state = settings.state.enabled && settings.trusted ? this.#state : undefined;
    const request = { configuration, providers, variables, workspace, state, pause };
    const opened = await openValues(project, request, closed);
    this.#values?.close();
    this.#values = { console: opened.console, answers: new Map(), close };
  }

  /** Reads the state of the selected workspace, if the settings allow it. */
  async readState(settings: Settings): Promise<void> {
    if (!settings.state.enabled || !settings.trusted) {
      this.#state = undefined;
      return;
    }
    const { file } = await readState(this.project);
    this.#state = file?.state;
  }

  /** The work of validations without providers so far. */
  get work(): EngineWork {
    const counts = Array.from(this.#memos.without.values(), (memo) => memo.counts);
    return {
      decodedFiles: this.#declarations.decodedFiles,
      checkedDeclarations: counts.reduce((sum, { checked }) => sum + checked, 0),
      builtOrders: counts.reduce((sum, { built }) => sum + built, 0),
    };
  }

  /** Ends processes of providers. The engine can be used again. */
  async close(): Promise<void> {
    this.#values?.close();
    this.#values = undefined;
    const opened = this.#opened;
    this.#opened = undefined;
    this.#openedKey = '';
    this.#providers = undefined;
    await (await opened?.catch(() => undefined))?.providers.close();
  }

  #project(): Project {
    return {
      ...openProject(this.#host),
      configurationDirectory: this.#directory,
      declarations: this.#declarations,
      parsedFile: (path) => {
        const plain = path.replaceAll('\\', '/');
        const absolute = isAbsolute(plain) ? plain : resolvePath(this.#directory, plain);
        const document = this.#model.document(absolute);
        const parsed = document?.parsed;
        // A file that is reached by another name has positions under that name.
        return parsed?.body === undefined || absolute !== plain
          ? undefined
          : { ...parsed, body: parsed.body };
      },
    };
  }

  #options({ variables, variableFiles }: Settings): Project['variables'] {
    return [
      ...variableFiles.map((text) => ({ kind: 'file', text }) as const),
      ...Object.entries(variables).map(
        ([name, text]) => ({ kind: 'var', text: `${name}=${text}` }) as const,
      ),
    ];
  }

  /** Identifies the providers of a configuration: a change means that others must be opened. */
  #providersKey({ modules }: Configuration, trusted: boolean): string {
    const needed = new Set<string>();
    for (const module of modules.values()) {
      for (const { source, constraint } of module.requiredProviders.values())
        needed.add(`${source.text} ${constraint}`);
      for (const { provider } of module.resources.values()) needed.add(provider.text);
      for (const name of module.providers.keys())
        needed.add(module.providerSource(name.split('.')[0] ?? name).text);
    }
    const path = `${this.#directory}/.terraform.lock.hcl`;
    const lock =
      this.#model.files.statSync(path) === undefined
        ? ''
        : new TextDecoder().decode(this.#model.files.readFileSync(path));
    return JSON.stringify([trusted, [...needed].sort(), lock]);
  }
}

function memoOf(memos: Map<string, CheckMemo>, module: string): CheckMemo {
  let memo = memos.get(module);
  if (memo === undefined) {
    memo = new CheckMemo();
    memos.set(module, memo);
  }
  return memo;
}

/** The number of answers that are kept. */
const MAX_ANSWERS = 2000;

function answer(
  { console: engineConsole, answers }: OpenedValues,
  expression: string,
): Value | undefined {
  if (answers.has(expression)) return answers.get(expression);
  const asked = engineConsole?.ask(new Source('<value>', expression, { unshown: true }));
  if (asked === undefined) return undefined;
  if (answers.size > MAX_ANSWERS) answers.clear();
  if (asked instanceof Promise) {
    // Provider functions respond asynchronously: the value is available at the next evaluation.
    answers.set(expression, undefined);
    void asked.then(
      ({ value }) => answers.set(expression, value),
      () => undefined,
    );
    return undefined;
  }
  answers.set(expression, asked.value);
  return asked.value;
}
