import { Bug } from '@terrane/cty';
import type { Path, Type, Value } from '@terrane/cty';
import { forManyListeners } from '@terrane/host';
import { isPromise } from '../awaitable.ts';
import type { Awaitable, Deferred, ImportedObject, ProviderDiagnostic } from '../contract.ts';
import { error, pathText, warning } from './diagnostics.ts';
import { placeIn } from './part.ts';
import { ConversionError, ProviderError } from './provider-error.ts';
import type { Log } from './log.ts';
import type { Deferral, ImportedOther } from './outcomes.ts';

type Place = string | readonly (string | number)[];

/** Collects the diagnostics of a request while it is handled. */
export class Findings {
  readonly diagnostics: ProviderDiagnostic[] = [];
  readonly #type: Type;

  constructor(type: Type) {
    this.#type = type;
  }

  warn(summary: string, detail = '', at?: Place): void {
    this.diagnostics.push(warning(summary, detail, this.#place(at)));
  }

  error(summary: string, detail = '', at?: Place): void {
    this.diagnostics.push(error(summary, detail, this.#place(at)));
  }

  report(diagnostics: readonly ProviderDiagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  pathTo(at: Place): Path {
    return placeIn(this.#type, at);
  }

  /** the functions above, to be handed out */
  get functions(): Pick<Findings, 'warn' | 'error' | 'report' | 'pathTo'> {
    return {
      warn: (summary, detail, at) => this.warn(summary, detail, at),
      error: (summary, detail, at) => this.error(summary, detail, at),
      report: (diagnostics) => this.report(diagnostics),
      pathTo: (at) => this.pathTo(at),
    };
  }

  #place(at: Place | undefined): Path | undefined {
    return at === undefined ? undefined : this.pathTo(at);
  }
}

/** Returns true if there are errors. */
export function hasErrors(diagnostics: readonly ProviderDiagnostic[]): boolean {
  return diagnostics.some((d) => d.severity === 'error');
}

/** The operation of a handler and its object, for messages. */
export class Work {
  /** "creating", "reading", … */
  readonly doing: string;
  /** the object or type that it is about: "example_server.main" */
  readonly subject: string;
  readonly findings: Findings;
  /** values of the object must not be in messages */
  readonly isEphemeral: boolean;
  readonly #log: Log;

  constructor(doing: string, subject: string, type: Type, log: Log, isEphemeral = false) {
    this.doing = doing;
    this.subject = subject;
    this.findings = new Findings(type);
    this.isEphemeral = isEphemeral;
    this.#log = log;
  }

  /** Returns a log whose messages name the subject of the request. */
  get log(): Log {
    return this.#log.with({ subject: this.subject, operation: this.doing });
  }
}

/**
 * Calls a handler and passes its result to `done`. Exceptions become diagnostics, with the path in the schema if known;
 * `failed` then returns the response.
 */
export function handle<T>(
  work: Work,
  call: () => unknown,
  done: (result: unknown) => T,
  failed: () => T,
): Awaitable<T> {
  const caught = (problem: unknown): T => {
    report(work, problem);
    return failed();
  };
  const finish = (result: unknown): T => {
    try {
      return done(result);
    } catch (problem) {
      return caught(problem);
    }
  };
  try {
    const result = call();
    if (isPromise(result)) return result.then(finish, caught);
    return finish(result);
  } catch (problem) {
    return caught(problem);
  }
}

function report(work: Work, problem: unknown): void {
  const { doing, subject, findings } = work;
  if (problem instanceof Bug) throw problem;
  if (problem instanceof ProviderError) {
    findings.report(problem.diagnostics);
    return;
  }
  if (problem instanceof ConversionError) {
    const { steps } = problem;
    const place = steps.length === 0 ? 'the object' : pathText(steps);
    const reason = work.isEphemeral ? problem.message : problem.described;
    const detail = `While ${doing} ${subject}, the provider met a value that does not fit its own schema: ${place}: ${reason}.\n\nThis is always an issue in the provider and should be reported to its developers.`;
    findings.report([error('Value Conversion Error', detail, steps)]);
    return;
  }
  if (problem instanceof Error && problem.stack !== undefined) {
    work.log.error('a handler failed', { stack: problem.stack });
  }
  const detail = `While ${doing} ${subject}, the provider failed: ${textOf(problem)}`;
  findings.report([error('Unexpected Provider Error', detail)]);
}

/** Returns the message of an error with the messages of its causes. */
function textOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const causes: string[] = [problem.message === '' ? problem.name : problem.message];
  let { cause } = problem;
  while (cause instanceof Error && causes.length < 5) {
    if (cause.message !== '' && !causes.includes(cause.message)) causes.push(cause.message);
    cause = cause.cause;
  }
  return causes.join(': ');
}

/** Returns a deferred response, or the error that deferral is not allowed. */
export function deferredAnswer(
  findings: Findings,
  reason: Deferred['reason'],
  allowed: boolean,
): { readonly deferred?: Deferred } {
  if (allowed) return { deferred: { reason } };
  findings.error(
    'Invalid Deferred Response',
    `The provider put the operation off (${reason.replaceAll('_', ' ')}), but the side that asked for it did not say that it can put anything off. Run it again when what it needs is known.`,
  );
  return {};
}

/** The provider's part of a handler context. */
export interface Surroundings {
  readonly client: unknown;
  readonly log: Log;
  /** aborted when running work is to end */
  readonly stopped: AbortSignal;
  /** values of the `provider_meta` block that the request carries */
  readonly meta: (v: Value | undefined) => unknown;
  /** set if all operations that need the client are deferred */
  readonly deferral: Deferral | undefined;
  /** true if handlers receive a client, which exists after the provider is configured */
  readonly needsClient: boolean;
  /** converts an imported object of another resource type of the provider */
  readonly importOther: (imported: ImportedOther, around: Surroundings) => ImportedObject;
}

/** Returns the signal for a handler and its concurrent operations: that of its request, or that of the provider. */
export function signalOf(
  { stopped }: Surroundings,
  requestSignal: AbortSignal | undefined,
): AbortSignal {
  return requestSignal === undefined
    ? stopped
    : forManyListeners(AbortSignal.any([requestSignal, stopped]));
}
