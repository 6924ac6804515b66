import { plainFromValue, type PlainValue } from '@terrane/cty';
import type { Plan } from '@terrane/engine';
import { type Diagnostic, errorDiagnostic, hasErrors, Source } from '@terrane/hcl';
import { type Environment, type Host, nodeHost } from '@terrane/host';
import { apply, type Applied, type ChangeCounts } from '../apply.ts';
import type { Ask } from '../ask.ts';
import { initialise, type InitEvent } from '../initialise.ts';
import { withConsole } from '../open-console.ts';
import {
  type PlainChange,
  plainChange,
  plainChanges,
  type PlainDiagnostic,
  plainDiagnostic,
  plainOutputs,
  plainPlannedOutputs,
} from '../plain-results.ts';
import { plan } from '../plan.ts';
import { openProject, type Project, type ProjectOptions } from '../project.ts';
import { readState } from '../read-state.ts';
import { refresh } from '../refresh.ts';
import { SILENT } from '../run-ports.ts';
import type { ApplyEvent } from '../run-streams.ts';
import { runTests } from '../test/run-tests.ts';
import { validate } from '../validate.ts';
import { libraryEvents, type LibraryEvent } from './library-event.ts';
import {
  type LibraryPlanOptions,
  type OperationOptions,
  requestOf,
  signalsOf,
  type VariableValues,
} from './library-options.ts';
import { type LibraryRun, libraryRun } from './library-run.ts';
import { checkedDiagnostics, RunError } from './run-error.ts';
import { fileResult, type LibraryTestEvent, testEvents, type TestResults } from './test-results.ts';

/** Settings of a working directory, for all of its operations. */
export interface WorkingDirectoryOptions {
  /** values of root variables as JavaScript data, over those from files and the environment */
  readonly values?: VariableValues;
  /** variable files, relative to the directory */
  readonly variableFiles?: readonly string[];
  /** providers of the program by source address, such as "example/notes" */
  readonly providers?: ProjectOptions['providers'];
  /** the workspace; default: the selected one */
  readonly workspace?: string;
  /** environment variables, over those of the process; undefined removes one */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** limit of concurrent provider operations; default 10 */
  readonly parallelism?: number;
  /** the files, clock, network and processes to use; default: those of this machine */
  readonly host?: Host;
}

/** Options of {@link WorkingDirectory.init}. */
export interface LibraryInitOptions {
  /** backend configuration as `name=value` or paths of files */
  readonly backendConfig?: readonly string[];
  /** selects the newest allowed versions of modules and providers; default false */
  readonly upgrade?: boolean;
  /** the reaction to a changed backend: fail (default), ignore the old backend, or migrate the states */
  readonly backendChange?: 'fail' | 'reconfigure' | 'migrate';
  readonly signal?: AbortSignal;
}

/** The result of {@link WorkingDirectory.init}. */
export interface InitResult {
  /** warnings */
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** The result of a plan. */
export interface PlanResult {
  /** changes of objects, without those that do nothing */
  readonly changes: readonly PlainChange[];
  /** changes that were made outside of the configuration */
  readonly drift: readonly PlainChange[];
  /** planned outputs */
  readonly outputs: Readonly<Record<string, PlainValue>>;
  /** true if an apply would change objects, outputs or the state */
  readonly hasChanges: boolean;
  /** warnings */
  readonly diagnostics: readonly PlainDiagnostic[];
  /** the plan as data of the engine, for `planText` and `planJson` of `@terrane/render` */
  readonly plan: Plan;
}

/** Options of {@link WorkingDirectory.plan}. */
export interface SavedPlanOptions extends LibraryPlanOptions {
  /** file to save the plan as */
  readonly saveAs?: string;
}

/** Options of {@link WorkingDirectory.apply}. */
export interface LibraryApplyOptions extends LibraryPlanOptions {
  /** a saved plan to apply, instead of a new one */
  readonly planFile?: string;
  /** called with a new plan that has changes; it is applied if the result is true. Default: it is applied */
  readonly approve?: (plan: Omit<PlanResult, 'diagnostics'>) => boolean | Promise<boolean>;
}

/** The result of an apply. */
export interface ApplyResult {
  /** false: `approve` returned false, so nothing was changed */
  readonly isApproved: boolean;
  readonly counts: ChangeCounts;
  /** outputs of the new state; empty if the plan was not approved */
  readonly outputs: Readonly<Record<string, PlainValue>>;
  /** warnings */
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** The result of a refresh. */
export interface RefreshResult {
  readonly outputs: Readonly<Record<string, PlainValue>>;
  /** warnings */
  readonly diagnostics: readonly PlainDiagnostic[];
}

/** Options of {@link WorkingDirectory.test}. */
export interface LibraryTestOptions extends Pick<
  OperationOptions,
  'values' | 'variableFiles' | 'signal' | 'abort'
> {
  /** names of the test files to execute; default: all */
  readonly files?: readonly string[];
  /** default: tests */
  readonly testDirectory?: string;
}

/**
 * A directory with a root module, and the operations of the program on it. Values, changes, events and diagnostics are
 * JavaScript data. Failed operations throw a {@link RunError}.
 */
export interface WorkingDirectory {
  /** the argument of the other functions of this package */
  readonly project: Project;
  /** Prepares the backend, the modules and the providers. Not needed with the default backend and given providers. */
  init(options?: LibraryInitOptions): LibraryRun<InitEvent, InitResult>;
  /** Returns the errors and warnings of the configuration; does not throw because of them. */
  validate(): Promise<readonly PlainDiagnostic[]>;
  plan(options?: SavedPlanOptions): LibraryRun<LibraryEvent, PlanResult>;
  apply(options?: LibraryApplyOptions): LibraryRun<LibraryEvent, ApplyResult>;
  /** {@link apply} of a plan that destroys everything. */
  destroy(
    options?: Omit<LibraryApplyOptions, 'mode' | 'planFile'>,
  ): LibraryRun<LibraryEvent, ApplyResult>;
  /** Updates the state to match the remote objects. */
  refresh(
    options?: Omit<LibraryPlanOptions, 'mode' | 'refresh' | 'replace'>,
  ): LibraryRun<LibraryEvent, RefreshResult>;
  /** Returns the outputs of the stored state. */
  outputs(): Promise<Readonly<Record<string, PlainValue>>>;
  /** Evaluates an expression with the stored state, such as `aws_instance.web.id`. Locks the state. */
  evaluate(expression: string, options?: OperationOptions): Promise<PlainValue>;
  /** Executes the tests of the configuration. Failed tests are results; only errors before the tests are thrown. */
  test(options?: LibraryTestOptions): LibraryRun<LibraryTestEvent, TestResults>;
}

/**
 * Opens a directory with a root module.
 *
 * ```ts
 * const infrastructure = openWorkingDirectory('infrastructure', { values: { region: 'eu-west-1' } });
 * const { outputs } = await infrastructure.apply();
 * ```
 *
 * @throws TypeError if a key of `providers` is not a provider address
 */
export function openWorkingDirectory(
  directory: string = '.',
  options: WorkingDirectoryOptions = {},
): WorkingDirectory {
  return new OpenWorkingDirectory(directory, options);
}

class OpenWorkingDirectory implements WorkingDirectory {
  readonly project: Project;
  readonly #defaults: Parameters<typeof requestOf>[0];

  constructor(
    directory: string,
    {
      values = {},
      variableFiles = [],
      parallelism,
      providers,
      workspace,
      environment = {},
      host = nodeHost({ cwd: directory }),
    }: WorkingDirectoryOptions,
  ) {
    const changes = {
      ...environment,
      ...(workspace === undefined ? {} : { TF_WORKSPACE: workspace }),
    };
    this.project = openProject(
      { ...host, environment: changedEnvironment(host.environment, changes) },
      providers === undefined ? {} : { providers },
    );
    this.#defaults = { values, variableFiles, parallelism };
  }

  init(options: LibraryInitOptions = {}): LibraryRun<InitEvent, InitResult> {
    const { backendConfig = [], upgrade = false, backendChange = 'fail' } = options;
    const start = async (
      emit: (event: InitEvent) => void,
      signal: AbortSignal,
    ): Promise<InitResult> => {
      const { diagnostics } = await initialise(
        this.project,
        {
          backend: true,
          backendConfig,
          reconfigure: backendChange === 'reconfigure',
          migrateState: backendChange === 'migrate',
          forceCopy: backendChange === 'migrate',
          input: false,
          lock: true,
          lockTimeoutMs: 0,
          fromModule: '',
          testDirectory: 'tests',
          get: true,
          upgrade,
          readonlyLock: false,
          pluginDirectories: [],
          ports: { signal },
        },
        emit,
      );
      return { diagnostics: checkedDiagnostics(diagnostics) };
    };
    return libraryRun({ start, convert: (event) => [event], signal: options.signal });
  }

  async validate(): Promise<readonly PlainDiagnostic[]> {
    return (await validate(this.project)).map(plainDiagnostic);
  }

  plan(options: SavedPlanOptions = {}): LibraryRun<LibraryEvent, PlanResult> {
    return this.#run(options, async (request, ports) => {
      const { result, diagnostics } = await plan(this.project, request, ports, options.saveAs);
      const warnings = checkedDiagnostics(diagnostics);
      if (result === undefined) throw executedElsewhere();
      return { ...planResult(result.plan), diagnostics: warnings };
    });
  }

  apply(options: LibraryApplyOptions = {}): LibraryRun<LibraryEvent, ApplyResult> {
    const { approve, planFile } = options;
    return this.#run(options, async (request, { emit, ...ports }) => {
      let shownPlan: Plan | undefined;
      const showPlan = (plan: Plan): void => {
        shownPlan = plan;
        emit({ kind: 'plan', plan: plan });
      };
      const approval: Ask = {
        input: async () => {
          const isApproved =
            shownPlan !== undefined && (await approve?.(planResult(shownPlan))) === true;
          return { text: isApproved ? 'yes' : 'no' };
        },
      };
      const outcome = await apply(
        this.project,
        {
          ...request,
          autoApprove: approve === undefined,
          ...(planFile === undefined ? {} : { planPath: planFile }),
        },
        {
          ...ports,
          emit,
          approval,
          showPlan,
          showSavedPlan: showPlan,
          showDiagnostics: (diagnostics) => emit({ kind: 'diagnostics', diagnostics }),
        },
      );
      const diagnostics = checkedDiagnostics(outcome.diagnostics);
      if (outcome.result === undefined && outcome.cancelled !== true) throw executedElsewhere();
      return applyResult(outcome.result, diagnostics);
    });
  }

  destroy(
    options: Omit<LibraryApplyOptions, 'mode' | 'planFile'> = {},
  ): LibraryRun<LibraryEvent, ApplyResult> {
    return this.apply({ ...options, mode: 'destroy' });
  }

  refresh(
    options: Omit<LibraryPlanOptions, 'mode' | 'refresh' | 'replace'> = {},
  ): LibraryRun<LibraryEvent, RefreshResult> {
    return this.#run(options, async (request, ports) => {
      const { result, diagnostics } = await refresh(this.project, request, ports);
      const warnings = checkedDiagnostics(diagnostics);
      if (result === undefined) throw executedElsewhere();
      return { outputs: plainOutputs(result), diagnostics: warnings };
    });
  }

  async outputs(): Promise<Readonly<Record<string, PlainValue>>> {
    const { file, diagnostics } = await readState(this.project, undefined, '');
    checkedDiagnostics(diagnostics);
    return plainOutputs(file?.state.outputs ?? new Map());
  }

  async evaluate(expression: string, options: OperationOptions = {}): Promise<PlainValue> {
    const { state, variables } = requestOf(this.#defaults, options);
    let value: PlainValue = null;
    const problems: Diagnostic[] = [];
    const diagnostics = await withConsole(
      this.project,
      { state, variables },
      { ...SILENT, ...signalsOf(options) },
      async (opened) => {
        if (opened.console === undefined || hasErrors(opened.diagnostics)) {
          problems.push(...opened.diagnostics);
          return;
        }
        const response = await opened.console.ask(new Source('<expression>', expression));
        problems.push(...response.diagnostics);
        if (response.value !== undefined) value = plainFromValue(response.value);
      },
    );
    checkedDiagnostics([...problems, ...diagnostics]);
    return value;
  }

  test(options: LibraryTestOptions = {}): LibraryRun<LibraryTestEvent, TestResults> {
    const { files = [], testDirectory = 'tests', signal, abort } = options;
    const { variables, parallelism } = requestOf(this.#defaults, options);
    const start = async (
      emit: (event: LibraryTestEvent) => void,
      stop: AbortSignal,
    ): Promise<TestResults> => {
      const shownDiagnostics: Diagnostic[] = [];
      const { suite, diagnostics } = await runTests(
        this.project,
        {
          testDirectory,
          filter: files,
          unknownFiles: 'reported',
          variables,
          verbose: false,
          parallelism,
          runParallelism: parallelism,
        },
        {
          emit: (event) => testEvents(event).forEach(emit),
          showDiagnostics: (each) => shownDiagnostics.push(...each),
          signal: stop,
          ...(abort === undefined ? {} : { abort }),
        },
      );
      const all = checkedDiagnostics([...shownDiagnostics, ...diagnostics]);
      return {
        status: suite?.status ?? 'pending',
        files: suite?.files.map(fileResult) ?? [],
        diagnostics: all,
      };
    };
    // The results in events change during the execution, so they are converted at once.
    return libraryRun({ start, convert: (event) => [event], signal });
  }

  /** Starts an operation with the request of its options, and converts its events. */
  #run<Result>(
    options: LibraryPlanOptions,
    operation: (
      request: ReturnType<typeof requestOf>,
      ports: {
        readonly emit: (event: ApplyEvent) => void;
        readonly signal: AbortSignal;
        readonly abort?: AbortSignal;
      },
    ) => Promise<Result>,
  ): LibraryRun<LibraryEvent, Result> {
    const { signal, ...signals } = signalsOf(options);
    return libraryRun<ApplyEvent, LibraryEvent, Result>({
      start: async (emit, stop) => {
        const request = requestOf(this.#defaults, options);
        return await operation(request, { ...signals, emit, signal: stop });
      },
      convert: libraryEvents,
      signal,
      nameOf: (event) => (event.kind === 'apply-progress' ? event.addr.text : undefined),
    });
  }
}

function planResult(plan: Plan): Omit<PlanResult, 'diagnostics'> {
  return {
    changes: plainChanges(plan),
    drift: plan.drift.map(plainChange),
    outputs: plainPlannedOutputs(plan),
    hasChanges: plan.applyable,
    plan: plan,
  };
}

const NO_CHANGES: ChangeCounts = {
  added: 0,
  changed: 0,
  removed: 0,
  forgotten: 0,
  imported: 0,
  invoked: 0,
  actionsFailed: 0,
};

function applyResult(
  applied: Applied | undefined,
  diagnostics: readonly PlainDiagnostic[],
): ApplyResult {
  return {
    isApproved: applied !== undefined,
    counts: applied?.counts ?? NO_CHANGES,
    outputs: plainOutputs(applied?.outputs ?? new Map()),
    diagnostics,
  };
}

/** The error for a run that a server executed, which has no result in this process. */
function executedElsewhere(): RunError {
  const detail =
    'The workspace executes its runs on a server, which does not return the values of plans and outputs. Use plan, apply and refresh of this package with the port "remote", or set the execution mode of the workspace to "local".';
  return new RunError([plainDiagnostic(errorDiagnostic('Run executed on a server', detail))]);
}

/** Returns an environment with other variables. */
function changedEnvironment(
  base: Environment,
  changes: Readonly<Record<string, string | undefined>>,
): Environment {
  if (Object.keys(changes).length === 0) return base;
  const variables = new Map(base.entries());
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  }
  return new Proxy(base, {
    get: (target, name) => {
      if (name === 'get') return (variable: string) => variables.get(variable);
      if (name === 'entries') return () => variables;
      return Reflect.get(target, name) as unknown;
    },
  });
}
