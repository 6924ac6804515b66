import { parseInstanceAddr, parseTarget } from '@terrane/addresses';
import {
  applyPlan,
  collectVariables,
  createStateManager,
  EMPTY_STATE,
  finalizeVariables,
  loadConfiguration,
  makePlan,
  nextStateFile,
  type Plan,
  type ProvisionerPort,
  type RunEvent,
  type RunSettings,
  type State,
  type StateFile,
  type StateManager,
  validateConfiguration,
} from '@terrane/engine';
import { loadFunctionLibraries } from '@terrane/functions';
import { type Diagnostic, hasErrors } from '@terrane/hcl';
import { readTargetFile, type TargetFile } from '@terrane/ops';
import { enforceContract } from '@terrane/provider';
import {
  END_BEFORE,
  END_WITHIN,
  memoryHost,
  type MemoryHost,
  ProcessEnded,
  seededRandom,
} from '@terrane/testkit';
import { FUZZ_SCHEMA, fuzzSchema } from './fuzz-schema.ts';
import type { Round } from './fuzz-model.ts';
import { FuzzWorld } from './fuzz-world.ts';

const PATH = '/project/terraform.tfstate';

/** Options of a plan. */
export interface PlanChoices {
  readonly mode?: 'normal' | 'destroy' | 'refresh-only';
  readonly refresh?: boolean;
  readonly allowDeferral?: boolean;
  readonly targets?: readonly string[];
  readonly excludes?: readonly string[];
  /** targets and excludes stand in files */
  readonly aimFiles?: boolean;
  readonly replace?: readonly string[];
  readonly parallelism?: number;
  /** only takes an object that exists into the state, and to which address */
  readonly adoption?: { readonly address: string; readonly id: string };
  /** has configuration made for what is adopted and not declared */
  readonly generate?: boolean;
}

/** The result of a run. */
export interface Ran {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly events: readonly RunEvent[];
  /** the process ended in the middle */
  readonly crashed: boolean;
}

type Files = Readonly<Record<string, string>>;

/** A project in memory: a configuration, a state with its journal on a disk, and the world. */
export class FuzzProject {
  readonly world: FuzzWorld = new FuzzWorld();
  #files: Files = {};
  #host: MemoryHost = memoryHost();
  #pid = 100;
  #settings: Promise<Opened> | undefined;
  #events: RunEvent[] = [];

  write(files: Files): void {
    this.#files = files;
    this.#settings = undefined;
  }

  /** The configuration, to be shown. */
  get text(): string {
    return Object.entries(this.#files)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `# ${name}\n${text}\n`)
      .join('');
  }

  /** The state as the next run would read it, with what it is told. */
  async read(): Promise<{
    readonly file: StateFile | undefined;
    readonly state: State;
    readonly diagnostics: readonly Diagnostic[];
  }> {
    const { file, diagnostics } = await this.#manager().read();
    return { file, state: file?.state ?? EMPTY_STATE, diagnostics };
  }

  /** Replaces the state, as the state commands do. */
  async store(base: StateFile | undefined, state: State): Promise<void> {
    const { state: stored } = await this.#manager().withoutLock().read();
    const problems = await stored?.write(nextStateFile(base, state, () => 'lineage'));
    if (problems?.length !== 0) throw new Error('the state cannot be written');
  }

  async plan(choices: PlanChoices = {}): Promise<Ran> {
    this.#events = [];
    const { settings, diagnostics } = await this.#open(choices);
    const gave = (plan: Plan | undefined, runDiagnostics: readonly Diagnostic[]): Ran => ({
      plan,
      diagnostics: runDiagnostics,
      events: this.#events,
      crashed: false,
    });
    if (settings === undefined) return gave(undefined, diagnostics);
    const { state } = await this.read();
    const checked = await validateConfiguration(settings);
    if (hasErrors(checked)) return gave(undefined, checked);
    const targets = await aimsOf(choices.targets ?? [], choices.aimFiles);
    const excludes = await aimsOf(choices.excludes ?? [], choices.aimFiles);
    const made = await makePlan({
      ...settings,
      givenVariables: new Map(),
      state,
      mode: choices.mode ?? 'normal',
      refresh: choices.refresh ?? true,
      allowDeferral: choices.allowDeferral ?? false,
      targets: targets.targets,
      targetTexts: targets.texts,
      excludes: excludes.targets,
      excludeTexts: excludes.texts,
      ...adoptionOf(choices),
      ...(choices.generate === true ? { generateConfigOut: 'generated.tf' } : {}),
      replace: (choices.replace ?? []).flatMap((text) => parseInstanceAddr(text).address ?? []),
    });
    return gave(made.plan, [...checked, ...made.diagnostics]);
  }

  /** Follows a plan; the process may end in the middle, or be asked to. */
  async follow(
    plan: Plan,
    choices: PlanChoices & Partial<Pick<Round, 'crash' | 'stop'>>,
  ): Promise<Ran> {
    this.#events = [];
    const controller = new AbortController();
    let changes = 0;
    const { stop, crash } = choices;
    if (stop !== undefined)
      this.world.onChange = () => {
        if (changes++ === stop) controller.abort();
      };
    const { settings, diagnostics } = await this.#open(choices);
    if (settings === undefined)
      throw new Error(`there was a plan, and now: ${diagnostics[0]?.summary}`);
    const { state: stored } = await this.#manager().withoutLock().read();
    if (stored === undefined) throw new Error('the state cannot be read');
    const begin = this.#host.files.steps.length;
    let ended = false;
    let runDiagnostics: readonly Diagnostic[] = [];
    if (crash !== undefined) {
      const way = crash.within ? END_WITHIN : END_BEFORE;
      this.#host.files.fault = (_, index) => {
        if (index !== begin + crash.at) return undefined;
        ended = true;
        return way;
      };
    }
    try {
      const recorder = await stored.begin();
      const applied = await applyPlan({ ...settings, plan, recorder, signal: controller.signal });
      const finished = await recorder.finish();
      runDiagnostics = [...applied.diagnostics, ...finished.diagnostics];
    } catch (error) {
      if (!isEnd(error)) throw error;
    }
    this.#host.files.fault = undefined;
    if (ended && crash !== undefined) {
      this.world.die();
      const disk = this.#host.files.disk.survive(crash.survival);
      this.#host = memoryHost({ disk, pid: ++this.#pid, seed: crash.at });
      runDiagnostics = [];
    }
    return { plan, diagnostics: runDiagnostics, events: this.#events, crashed: ended };
  }

  /** Returns the errors of loading the configuration. */
  async problems(): Promise<readonly Diagnostic[]> {
    return (await this.#open({})).diagnostics;
  }

  #manager(): StateManager {
    const { files } = this.#host;
    return createStateManager({
      storage: {
        read: async () =>
          (await files.stat(PATH)) === undefined ? undefined : await files.readFile(PATH),
        write: (data, beforeCommit) =>
          files.replaceFile(PATH, data, {
            mode: 0o600,
            ...(beforeCommit === undefined ? {} : { beforeCommit }),
          }),
      },
      host: this.#host,
      journalPath: '/project/.terraform.tfstate.journal',
    });
  }

  async #open(choices: PlanChoices): Promise<Opened> {
    this.#settings ??= this.#load();
    const { settings, diagnostics } = await this.#settings;
    if (settings === undefined) return { diagnostics };
    return { settings: { ...settings, parallelism: choices.parallelism ?? 10 }, diagnostics };
  }

  async #load(): Promise<Opened> {
    await loadFunctionLibraries();
    const loaded = loadConfiguration(reading(this.#files), '.');
    const { configuration } = loaded;
    if (configuration === undefined || hasErrors(loaded.diagnostics)) {
      return { diagnostics: loaded.diagnostics };
    }
    const host = this.#host;
    const schema = fuzzSchema(this.world.release);
    const collected = collectVariables(host, '.', [], configuration);
    const { values, unsuitable } = finalizeVariables(configuration, collected.values);
    const settings: RunSettings = {
      configuration,
      schemas: {
        provider: () => schema,
        resource: (_, mode, type) =>
          mode === 'managed'
            ? schema.resources[type]
            : mode === 'data'
              ? FUZZ_SCHEMA.dataSources[type]
              : FUZZ_SCHEMA.ephemeralResources[type],
      },
      providers: { start: ({ text }) => enforceContract(this.world.provider(), text) },
      functions: { ...host, random: seededRandom(1) },
      provisioners: PROVISIONERS,
      workspace: 'default',
      cwd: '/project',
      variables: values,
      unsuitable,
      parallelism: 10,
      emit: (event: RunEvent): void => void this.#events.push(event),
      now: () => host.clock.now(),
      monotonicMs: () => host.clock.monotonicMs(),
      sleep: (ms, until) => host.clock.sleep(ms, until),
    };
    return { settings, diagnostics: loaded.diagnostics };
  }
}

/** Returns the targets or exclusions of a run as options or as a file. */
async function aimsOf(
  texts: readonly string[],
  isFile = false,
): Promise<Omit<TargetFile, 'diagnostics'>> {
  if (!isFile) return { texts, targets: texts.flatMap((text) => parseTarget(text).target ?? []) };
  const { files } = memoryHost();
  await files.writeFile('/aims', Buffer.from(['# of this run', ...texts].join('\n')), {
    mode: 0o600,
  });
  const { diagnostics, ...targets } = await readTargetFile(files, '/aims');
  if (diagnostics.length > 0)
    throw new Error(`a file of addresses is refused: ${diagnostics[0]?.detail}`);
  return targets;
}

function adoptionOf({ adoption }: PlanChoices): Partial<Parameters<typeof makePlan>[0]> {
  const addr = adoption === undefined ? undefined : parseInstanceAddr(adoption.address).address;
  return adoption === undefined || addr === undefined
    ? {}
    : { adoption: { addr, id: adoption.id } };
}

interface Opened {
  readonly settings?: RunSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** A provisioner whose command says whether it fails. */
const PROVISIONERS: ProvisionerPort = {
  provision: ({ config }) =>
    Promise.resolve(
      config.attr('command').asString() === 'fail'
        ? [{ severity: 'error', summary: 'Cannot provision', detail: 'It is refused.' }]
        : [],
    ),
};

function isEnd(error: unknown): boolean {
  return (
    error instanceof ProcessEnded || (error instanceof Error && error.cause instanceof ProcessEnded)
  );
}

/** The files of a configuration, as far as loading asks for them. */
function reading(files: Files): Parameters<typeof loadConfiguration>[0] {
  const texts = new Map(Object.entries(files).filter(([, text]) => text !== ''));
  const within = (path: string): string => path.replace(/^(?:\.?\/)+|^\.$/, '');
  return {
    readFileSync: (path) => Buffer.from(texts.get(within(path)) ?? ''),
    readDirectorySync: (path) => {
      const prefix = within(path) === '' ? '' : `${within(path)}/`;
      const names = [...texts.keys()].filter((name) => name.startsWith(prefix));
      return names
        .map((name) => name.slice(prefix.length))
        .filter((name) => !name.includes('/'))
        .map((name) => ({ name, kind: 'file' as const }));
    },
    statSync: (path) => {
      const text = texts.get(within(path));
      const isDirectory = [...texts.keys()].some((name) => name.startsWith(`${within(path)}/`));
      if (text === undefined && !isDirectory) return undefined;
      const kind = text === undefined ? 'directory' : 'file';
      return { kind, size: text?.length ?? 0, mtimeMs: 0, mode: 0o644, inode: 1 };
    },
  };
}
