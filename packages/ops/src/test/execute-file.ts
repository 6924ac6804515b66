import type { Value } from '@terrane/cty';
import {
  type Configuration,
  EMPTY_STATE,
  type InputValue,
  mergeStatus,
  moduleSourceText,
  parseTestReference,
  type State,
  type TestedFile,
  type TestedRun,
  type TestEvent,
  testReferences,
} from '@terrane/engine';
import { variables as referencesIn } from '@terrane/hcl';
import { destroyRun, executeRun, type RunContext, type SuiteSettings } from './execute-run.ts';
import { fileOverrideProblems } from './override-targets.ts';
import { RunVariables } from './test-variables.ts';

/** How often is told that a run still goes on. */
const PROGRESS_MS = 2000;

/** What files are executed with. */
export interface FileSettings extends SuiteSettings {
  readonly configuration: Configuration;
  readonly globals: ReadonlyMap<string, InputValue>;
  readonly emit: (event: TestEvent) => void;
  /** how many runs may be executed at once, where they may be at all */
  readonly runParallelism: number;
  /** aborted to begin no further run */
  readonly stop?: AbortSignal | undefined;
}

/** A state that runs of a file share, and the run that has changed it last. */
interface SharedState {
  state: State;
  run: TestedRun | undefined;
}

const MAIN_KEY = '';

/** Executes the runs of a file and removes what they made. */
export class FileExecution {
  readonly #settings: FileSettings;
  readonly #file: TestedFile;
  readonly #states = new Map<string, SharedState>();
  readonly #outputs: Map<string, Value | undefined>;
  readonly #variables = new Map<TestedRun, RunVariables>();

  constructor(settings: FileSettings, file: TestedFile) {
    this.#settings = settings;
    this.#file = file;
    this.#states.set(MAIN_KEY, { state: EMPTY_STATE, run: undefined });
    this.#outputs = new Map(file.runs.map(({ name }) => [name, undefined]));
  }

  /** All of it. */
  async execute(): Promise<void> {
    const { emit } = this.#settings;
    const file = this.#file;
    emit({ kind: 'file', file, progress: 'starting' });
    await this.#runs();
    emit({ kind: 'file', file, progress: 'teardown' });
    await this.#cleanUp();
    emit({ kind: 'file', file, progress: 'complete' });
  }

  get #isCancelled(): boolean {
    return this.#settings.abort?.aborted === true;
  }

  async #runs(): Promise<void> {
    const file = this.#file;
    const found = fileOverrideProblems(this.#settings.configuration, file.config);
    file.diagnostics = [...file.diagnostics, ...found];
    file.status = mergeStatus(file.status, file.runs.length === 0 ? 'pass' : 'skip');
    const waits = waitingFor(file);
    if (waits === undefined) {
      for (const run of file.runs) if (!(await this.#next(run))) return;
      return;
    }
    const done: Promise<void>[] = [];
    let free = this.#settings.runParallelism;
    const waiting: (() => void)[] = [];
    for (const [index, run] of file.runs.entries()) {
      const before = (waits[index] ?? []).flatMap((at) => done[at] ?? []);
      done.push(
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
    await Promise.all(done);
  }

  /** Executes the next run, or skips it; false where nothing more is to be done at all. */
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
    const shared = this.#sharedBy(run);
    const { clock } = project.host;
    const started = clock.monotonicMs();
    const startedAt = clock.now();
    emit({ kind: 'run', run, file, progress: 'starting', elapsedMs: 0 });
    const executed = await this.#telling(run, 'running', (creating) =>
      executeRun(this.#context(run, creating), shared.state),
    );
    if (executed.outputs !== undefined) this.#outputs.set(run.name, executed.outputs);
    if (executed.state !== undefined) {
      shared.state = executed.state;
      shared.run = run;
    }
    run.startedAt = startedAt;
    run.durationMs = clock.monotonicMs() - started;
    emit({ kind: 'run', run, file, progress: 'complete', elapsedMs: 0 });
    file.status = mergeStatus(file.status, run.status);
    return true;
  }

  #sharedBy(run: TestedRun): SharedState {
    const key = stateKeyOf(run);
    let shared = this.#states.get(key);
    if (shared === undefined) {
      shared = { state: EMPTY_STATE, run: undefined };
      this.#states.set(key, shared);
    }
    return shared;
  }

  #context(run: TestedRun, creating: RunContext['creating']): RunContext {
    const { config } = run;
    const configuration = config.module?.configuration ?? this.#settings.configuration;
    let variables = this.#variables.get(run);
    if (variables === undefined) {
      const { globals, functions } = this.#settings;
      const sources = { globals, functions, file: this.#file.config.variables };
      variables = new RunVariables(sources, configuration);
      this.#variables.set(run, variables);
    }
    const file = this.#file;
    const suite = this.#settings;
    return { suite, file, run, configuration, variables, outputs: this.#outputs, creating };
  }

  /** Works, and tells now and then that it still goes on, or what there is when it is given up. */
  async #telling<T>(
    run: TestedRun,
    progress: 'running' | 'teardown',
    work: (creating: RunContext['creating']) => Promise<T>,
  ): Promise<T> {
    const { emit, abort, project } = this.#settings;
    const { clock } = project.host;
    const file = this.#file;
    const began = clock.monotonicMs();
    const ended = new AbortController();
    let created: readonly string[] = [];
    const givenUp = (): void => {
      const states = [...this.#states].flatMap(([key, { state, run: last }]) =>
        key === MAIN_KEY || last === undefined ? [] : [{ run: last, state }],
      );
      const state = this.#states.get(MAIN_KEY)?.state ?? EMPTY_STATE;
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
        const elapsedMs = Math.trunc(clock.monotonicMs() - began);
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

  /** Removes what is left of each state, the last ones first. */
  async #cleanUp(): Promise<void> {
    const { emit } = this.#settings;
    const file = this.#file;
    if (this.#isCancelled) return;
    const left = [...this.#states.values()]
      .flatMap(({ state, run }) =>
        run === undefined || isWithoutObjects(state) ? [] : [{ state, run }],
      )
      .sort((a, b) => b.run.index - a.run.index);
    for (const { state, run } of left) {
      if (this.#isCancelled) return;
      const destroyed = await this.#telling(run, 'teardown', (creating) => {
        emit({ kind: 'run', run, file, progress: 'teardown', elapsedMs: 0 });
        return destroyRun(this.#context(run, creating), state);
      });
      if (!destroyed.state.isEmpty) file.status = 'error';
      const { diagnostics } = destroyed;
      emit({ kind: 'cleanup', run, file, state: destroyed.state, diagnostics });
    }
  }
}

function stateKeyOf({ config }: TestedRun): string {
  if (config.stateKey !== '') return config.stateKey;
  return config.module === undefined ? MAIN_KEY : moduleSourceText(config.module.source);
}

function isWithoutObjects(state: State): boolean {
  for (const _ of state.managedInstances()) return false;
  return true;
}

/**
 * For each run the runs that it has to wait for, by their indices; undefined where each waits for the one before. A
 * run that may go beside others waits for those whose outputs it uses and for those that share its state; others wait
 * for all before them, and all after them wait for them.
 */
export function waitingFor(file: TestedFile): readonly (readonly number[])[] | undefined {
  const { runs } = file;
  const isParallel = (run: TestedRun): boolean => run.config.parallel ?? file.config.parallel;
  if (!runs.some(isParallel)) return undefined;
  const byName = new Map(runs.map(({ name, index }) => [name, index]));
  return runs.map((run, index) => {
    const before = runs.slice(0, index);
    if (!isParallel(run)) return before.map((one) => one.index);
    const referred = referredRuns(run, file);
    return before
      .filter(
        (one) =>
          !isParallel(one) ||
          stateKeyOf(one) === stateKeyOf(run) ||
          [...referred].some((name) => byName.get(name) === one.index),
      )
      .map((one) => one.index);
  });
}

function referredRuns({ config }: TestedRun, file: TestedFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const expression of config.variables.values()) {
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
