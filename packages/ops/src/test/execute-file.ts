import { parseTestReference } from '@terrane/addresses';
import { object, type Value } from '@terrane/cty';
import {
  type Configuration,
  EMPTY_STATE,
  type InputValue,
  MAIN_STATE_KEY,
  MemoryRecorder,
  mergeStatus,
  type State,
  stateKeyOf,
  type TestedFile,
  type TestedRun,
  type TestEvent,
  testReferences,
  type TestFile,
  withMockDefaults,
} from '@terrane/engine';
import { type Diagnostic, hasErrors, variables as referencesIn } from '@terrane/hcl';
import { cleanUpRun } from './clean-up-run.ts';
import { executeRun } from './execute-run.ts';
import type { RunContext, SuiteSettings } from './run-context.ts';
import {
  closeFileStates,
  type FileState,
  type FileStates,
  openFileStates,
  sharedState,
  type TestMode,
} from './file-states.ts';
import { fileOverrideProblems } from './override-targets.ts';
import type { TestManifest } from './test-manifest.ts';
import { RunVariables } from './test-variables.ts';

/** The interval of progress events of a run. */
const PROGRESS_MS = 2000;

/** The settings of executing test files. */
export interface FileSettings extends SuiteSettings {
  readonly configuration: Configuration;
  readonly globals: ReadonlyMap<string, InputValue>;
  readonly emit: (event: TestEvent) => void;
  /** maximum number of parallel runs, if the file allows parallel runs */
  readonly runParallelism: number;
  /** the manifest of remaining test states */
  readonly manifest: TestManifest;
  readonly mode: TestMode;
  /** true to remove only objects that were left after failures */
  readonly repair: boolean;
  /** aborted to start no further run */
  readonly stop?: AbortSignal | undefined;
}

/** Executes the runs of a file and removes their objects. */
export class FileExecution {
  readonly #settings: FileSettings;
  readonly #file: TestedFile;
  /** the providers of the file with mock data evaluated, which the first run does */
  #testProviders: TestFile['providers'] | undefined;
  #states: FileStates = { shared: new Map(), earlier: [], diagnostics: [] };
  readonly #outputs: Map<string, Value | undefined>;
  readonly #variables = new Map<TestedRun, RunVariables>();

  constructor(settings: FileSettings, file: TestedFile) {
    this.#settings = settings;
    this.#file = file;
    this.#outputs = new Map(file.runs.map(({ name }) => [name, undefined]));
  }

  /** Executes all runs and the clean-up. */
  async execute(): Promise<void> {
    const { emit, manifest, mode, project } = this.#settings;
    const file = this.#file;
    emit({ kind: 'file', file, progress: 'starting' });
    const overrideProblems = fileOverrideProblems(this.#settings.configuration, file.config);
    this.#states = await openFileStates(project, manifest, file, mode);
    const { diagnostics } = this.#states;
    file.diagnostics = [...file.diagnostics, ...overrideProblems, ...diagnostics];
    file.status = mergeStatus(file.status, file.runs.length === 0 ? 'pass' : 'skip');
    if (hasErrors(diagnostics)) {
      file.status = 'error';
      emit({ kind: 'file', file, progress: 'teardown' });
    } else {
      if (mode === 'test') await this.#runs();
      else this.#pretendRuns();
      emit({ kind: 'file', file, progress: 'teardown' });
      await this.#cleanUp();
      const keptStates = await closeFileStates(project, manifest, file, this.#states);
      file.diagnostics = [...file.diagnostics, ...keptStates];
      if (hasErrors(keptStates)) file.status = 'error';
    }
    emit({ kind: 'file', file, progress: 'complete' });
  }

  /** Creates the runs as if they had been executed, with their remaining objects, for a clean-up. */
  #pretendRuns(): void {
    const file = this.#file;
    file.status = mergeStatus(file.status, 'pass');
    for (const run of file.runs) {
      run.status = 'pass';
      const shared = sharedState(this.#states, stateKeyOf(run.config));
      this.#outputs.set(run.name, object(outputsOf(shared.state)));
      this.#changed(shared, run, shared.state);
      for (const state of this.#states.earlier)
        if (state.key === shared.key) this.#changed(state, run, state.state);
    }
  }

  /** Records the state of a run and the run whose configuration is used for its clean-up. */
  #changed(shared: FileState, run: TestedRun, state: State): void {
    const { mode, repair } = this.#settings;
    shared.state = state;
    if (run.config.skipCleanup) {
      shared.run = run;
      shared.restore = mode === 'test' || repair;
    } else if (!shared.restore) shared.run = run;
  }

  get #isCancelled(): boolean {
    return this.#settings.abort?.aborted === true;
  }

  async #runs(): Promise<void> {
    const file = this.#file;
    const waits = waitingFor(file);
    if (waits === undefined) {
      for (const run of file.runs) if (!(await this.#next(run))) return;
      return;
    }
    const settledRuns: Promise<void>[] = [];
    let free = this.#settings.runParallelism;
    const waiting: (() => void)[] = [];
    for (const [index, run] of file.runs.entries()) {
      const before = (waits[index] ?? []).flatMap((at) => settledRuns[at] ?? []);
      settledRuns.push(
        Promise.all(before).then(async () => {
          if (free > 0) free--;
          else await new Promise<void>((resolve) => void waiting.push(resolve));
          try {
            await this.#next(run);
          } finally {
            const next = waiting.shift();
            if (next === undefined) free++;
            else next();
          }
        }),
      );
    }
    await Promise.all(settledRuns);
  }

  /** Executes or skips the next run. Returns false to end the file. */
  async #next(run: TestedRun): Promise<boolean> {
    const file = this.#file;
    const { emit, stop, project } = this.#settings;
    if (this.#isCancelled) {
      file.status = mergeStatus(file.status, 'error');
      return false;
    }
    if (stop?.aborted === true || file.status === 'error') {
      run.status = 'skip';
      emit({ kind: 'run', run, file, progress: 'complete', elapsedMs: 0 });
      return true;
    }
    const shared = sharedState(this.#states, stateKeyOf(run.config));
    const { clock } = project.host;
    const started = clock.monotonicMs();
    const startedAt = clock.now();
    emit({ kind: 'run', run, file, progress: 'starting', elapsedMs: 0 });
    const testProviders = this.#providers();
    if (testProviders === undefined) {
      run.status = 'skip';
      file.status = 'error';
      emit({ kind: 'run', run, file, progress: 'complete', elapsedMs: 0 });
      return true;
    }
    const executed = await this.#withProgress(run, 'running', (creating) =>
      executeRun({ ...this.#context(run, creating), testProviders }, shared.state),
    );
    if (executed.outputs !== undefined) this.#outputs.set(run.name, executed.outputs);
    if (executed.state !== undefined) this.#changed(shared, run, executed.state);
    run.startedAt = startedAt;
    run.durationMs = clock.monotonicMs() - started;
    emit({ kind: 'run', run, file, progress: 'complete', elapsedMs: 0 });
    file.status = mergeStatus(file.status, run.status);
    return true;
  }

  /** Returns the providers of the file with evaluated mock data; undefined after errors, which belong to the file. */
  #providers(): TestFile['providers'] | undefined {
    if (this.#testProviders !== undefined) return this.#testProviders;
    const file = this.#file;
    const problems: Diagnostic[] = [];
    const evaluated = withMockDefaults(file.config.providers, this.#settings.functions, problems);
    file.diagnostics = [...file.diagnostics, ...problems];
    if (hasErrors(problems)) return undefined;
    this.#testProviders = evaluated;
    return evaluated;
  }

  #context(run: TestedRun, creating: RunContext['creating']): RunContext {
    const { config } = run;
    const configuration = config.module?.configuration ?? this.#settings.configuration;
    let variables = this.#variables.get(run);
    if (variables === undefined) {
      const { globals, functions } = this.#settings;
      const { variables: file, variableDefinitions: definitions } = this.#file.config;
      const sources = { globals, functions, file, definitions, runs: this.#outputs };
      variables = new RunVariables(sources, configuration);
      this.#variables.set(run, variables);
    }
    const file = this.#file;
    const suite = this.#settings;
    return {
      suite,
      file,
      testProviders: this.#testProviders ?? this.#file.config.providers,
      run,
      configuration,
      variables,
      outputs: this.#outputs,
      creating,
    };
  }

  /** Executes work with periodic progress events, and reports the existing objects if it is aborted. */
  async #withProgress<T>(
    run: TestedRun,
    progress: 'running' | 'teardown',
    work: (creating: RunContext['creating']) => Promise<T>,
  ): Promise<T> {
    const { emit, abort, project } = this.#settings;
    const { clock } = project.host;
    const file = this.#file;
    const startedAt = clock.monotonicMs();
    const ended = new AbortController();
    let created: readonly string[] = [];
    const givenUp = (): void => {
      const { shared } = this.#states;
      const states = [...shared].flatMap(([key, { state, run: last }]) =>
        key === MAIN_STATE_KEY || last === undefined ? [] : [{ run: last, state }],
      );
      const state = shared.get(MAIN_STATE_KEY)?.state ?? EMPTY_STATE;
      emit({ kind: 'interrupt', run, file, state, states, created });
    };
    abort?.addEventListener('abort', givenUp);
    const ticking = (async () => {
      for (;;) {
        try {
          await clock.sleep(PROGRESS_MS, ended.signal, { background: true });
        } catch {
          return;
        }
        const elapsedMs = Math.trunc(clock.monotonicMs() - startedAt);
        emit({ kind: 'run', run, file, progress, elapsedMs });
      }
    })();
    try {
      return await work((addresses) => {
        created = addresses;
      });
    } finally {
      ended.abort(new Error('done'));
      abort?.removeEventListener('abort', givenUp);
      await ticking;
    }
  }

  /** Removes the objects of each state, in reverse order, or restores those that are to be kept. */
  async #cleanUp(): Promise<void> {
    const all = [...this.#states.shared.values(), ...this.#states.earlier];
    const remaining = all
      .flatMap((shared) =>
        shared.run === undefined || isWithoutObjects(shared.state)
          ? []
          : [{ shared, run: shared.run }],
      )
      .sort((a, b) => b.run.index - a.run.index);
    for (const { shared, run } of remaining) {
      // Objects left by an abort are kept for a later clean-up.
      if (this.#isCancelled) shared.reason = 'error';
      else await this.#cleanUpState(shared, run);
    }
  }

  async #cleanUpState(shared: FileState, run: TestedRun): Promise<void> {
    const { emit } = this.#settings;
    const file = this.#file;
    const { restore, state: before, backend } = shared;
    const cleaned = await this.#withProgress(run, 'teardown', (creating) => {
      emit({ kind: 'run', run, file, progress: 'teardown', elapsedMs: 0 });
      return cleanUpRun(this.#context(run, creating), before, restore ? 'restore' : 'destroy');
    });
    const { state, diagnostics } = cleaned;
    const isLeft = restore ? hasErrors(diagnostics) : !state.isEmpty || hasErrors(diagnostics);
    if (isLeft) {
      file.status = 'error';
      shared.reason = 'error';
    } else if (restore && backend === undefined) shared.reason = 'skip_cleanup';
    // Outputs that other runs received are kept for their clean-up.
    shared.state = backend === undefined && !restore ? withOutputsOf(state, before) : state;
    emit({ kind: 'cleanup', run, file, state, diagnostics });
  }
}

function isWithoutObjects(state: State): boolean {
  for (const _ of state.managedInstances()) return false;
  return true;
}

function withOutputsOf(state: State, before: State): State {
  if (before.outputs.size === 0) return state;
  const { draft } = new MemoryRecorder(state);
  draft.apply({ kind: 'outputs', values: outputsOf(before) });
  return draft.freeze();
}

/** Returns the output values of a run from its state. */
function outputsOf({ outputs }: State): ReadonlyMap<string, Value> {
  return new Map(
    Array.from(outputs, ([name, { value, sensitive }]) => [
      name,
      sensitive ? value.mark('sensitive') : value,
    ]),
  );
}

/**
 * Returns for each run the indices of the runs that it waits for; undefined if each waits for the previous one. A
 * parallel run waits for the runs whose outputs it uses and for those with the same state. Any other run waits for all
 * previous runs, and all later ones wait for it.
 */
function waitingFor(file: TestedFile): readonly (readonly number[])[] | undefined {
  const { runs } = file;
  const isParallel = (run: TestedRun): boolean => run.config.parallel ?? file.config.parallel;
  if (!runs.some(isParallel)) return undefined;
  const byName = new Map(runs.map(({ name, index }) => [name, index]));
  return runs.map((run, index) => {
    const before = runs.slice(0, index);
    if (!isParallel(run)) return before.map((other) => other.index);
    const referred = referredRuns(run, file);
    return before
      .filter(
        (other) =>
          !isParallel(other) ||
          stateKeyOf(other.config) === stateKeyOf(run.config) ||
          [...referred].some((name) => byName.get(name) === other.index),
      )
      .map((other) => other.index);
  });
}

function referredRuns({ config }: TestedRun, file: TestedFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of [...config.variables.values(), ...file.config.variables.values()]) {
    for (const { subject } of testReferences(expression).references) {
      if (subject.kind === 'run') names.add(subject.name);
    }
  }
  for (const { condition, errorMessage } of config.asserts) {
    for (const traversal of [...referencesIn(condition), ...referencesIn(errorMessage)]) {
      const subject = parseTestReference(traversal).reference?.subject;
      if (subject?.kind === 'run') names.add(subject.name);
    }
  }
  for (const { body } of file.config.providers.values()) {
    for (const { expression } of body.justAttributes().attributes.values()) {
      for (const { subject } of testReferences(expression).references) {
        if (subject.kind === 'run') names.add(subject.name);
      }
    }
  }
  return names;
}
