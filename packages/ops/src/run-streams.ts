import { CtyError, formatPath, type PlainInput, valueFromPlain } from '@terrane/cty';
import type { Plan, RunEvent, VariableOption } from '@terrane/engine';
import type { Diagnostic } from '@terrane/hcl';
import { apply, type ApplyOutcome, type ApplyPorts, type ApplyRequest } from './apply.ts';
import { DEFAULT_PARALLELISM } from './run/run-request.ts';
import { plan, type PlanOutcome } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import { refresh, type RefreshOutcome } from './refresh.ts';
import type { RunPorts } from './run-ports.ts';
import { type Running, running, type RunningOptions } from './running.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

/** Events of an apply: those of all runs, and the plan before it is executed. */
export type ApplyEvent =
  | RunEvent
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** diagnostics before the approval of the plan */
  | { readonly kind: 'diagnostics'; readonly diagnostics: readonly Diagnostic[] };

/** Options of a run with an event stream; without `ask` and `approval` there are no prompts. */
export type StreamOptions = Pick<RunPorts, 'ask' | 'signal' | 'abort' | 'remote' | 'waiting'>;

/**
 * Builds a request. Without `choices` it plans or applies everything in normal mode, with the state in the configured
 * backend, and without approval. `values` are values of root variables as JavaScript data; they are converted to the
 * types of the variables, and override values from files and the environment.
 *
 * @throws TypeError if `values` contains data that has no counterpart in the language, such as NaN or a function
 */
export function requestFor(
  choices: Partial<ApplyRequest> & { readonly values?: Readonly<Record<string, PlainInput>> } = {},
): ApplyRequest {
  const { values = {}, ...rest } = choices;
  return {
    state: DEFAULT_STATE_OPTIONS,
    parallelism: DEFAULT_PARALLELISM,
    mode: 'normal',
    refresh: true,
    targets: [],
    targetTexts: [],
    replace: [],
    autoApprove: true,
    ...rest,
    variables: [...(rest.variables ?? []), ...valueOptions(values)],
  };
}

function valueOptions(values: Readonly<Record<string, PlainInput>>): readonly VariableOption[] {
  return Object.entries(values).flatMap(([name, input]) => {
    if (input === undefined) return [];
    try {
      return { kind: 'value' as const, name, value: valueFromPlain(input) };
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      throw new TypeError(`values.${name}${formatPath(error.path)}: ${error.message}`);
    }
  });
}

/** {@link plan}, with its events for `for await`. */
export function streamPlan(
  project: Project,
  request: PlanRequest = requestFor(),
  options: StreamOptions = {},
  out?: string,
): Running<RunEvent, PlanOutcome> {
  return running(
    (emit, signal) => plan(project, request, { ...options, emit, signal }, out),
    streaming(options),
  );
}

/** {@link apply}, with its events for `for await`. `approval` is called before any change. */
export function streamApply(
  project: Project,
  request: ApplyRequest = requestFor(),
  options: StreamOptions & Pick<ApplyPorts, 'approval'> = {},
): Running<ApplyEvent, ApplyOutcome> {
  return running<ApplyEvent, ApplyOutcome>(
    (emit, signal) =>
      apply(project, request, {
        ...options,
        emit,
        signal,
        showPlan: (made) => emit({ kind: 'plan', plan: made }),
        showSavedPlan: (made) => emit({ kind: 'plan', plan: made }),
        showDiagnostics: (diagnostics) => emit({ kind: 'diagnostics', diagnostics }),
      }),
    streaming(options),
  );
}

/** {@link refresh}, with its events for `for await`. */
export function streamRefresh(
  project: Project,
  request: Parameters<typeof refresh>[1] = requestFor(),
  options: StreamOptions = {},
): Running<RunEvent, RefreshOutcome> {
  return running(
    (emit, signal) => refresh(project, request, { ...options, emit, signal }),
    streaming(options),
  );
}

/** Keeps only the newest of repeated progress events. */
function streaming<Event extends ApplyEvent>({ signal }: StreamOptions): RunningOptions<Event> {
  return {
    ...(signal === undefined ? {} : { signal }),
    nameOf: (event) => (event.kind === 'apply-progress' ? event.addr.text : undefined),
  };
}
