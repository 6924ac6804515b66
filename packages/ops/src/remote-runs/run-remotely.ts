import type { RemoteRun, RunServer, RunWorkspace } from '@terrane/backends';
import type { Configuration, InputValue } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import { programCommand, userErrorText } from '@terrane/host';
import type { PlanRequest } from '../plan-request.ts';
import type { Project } from '../project.ts';
import type { RemotePorts, RunPorts } from '../run-ports.ts';
import { applyBookmark, applyRemotely } from './apply-remotely.ts';
import { makeRemotePlan } from './make-remote-plan.ts';
import { type PlanBookmark, writeBookmark } from './plan-bookmark.ts';
import { RemoteContext, RemoteProblem, Stopped } from './remote-context.ts';
import { remoteRefusals } from './remote-refusals.ts';
import { runVariables } from './run-variables.ts';

/** The result of a remote run. */
export interface RemoteOutcome {
  /** true if the plan has no changes */
  readonly isEmpty: boolean;
  /** true if the run did not complete, even without diagnostics */
  readonly hasFailed: boolean;
  /** true if a plan was created and the next step is to be printed */
  readonly hasNextStep: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The operation and inputs of a remote run. */
export interface RemoteWork {
  readonly server: RunServer;
  readonly workspace: RunWorkspace;
  readonly operation: 'plan' | 'apply' | 'refresh';
  readonly request: PlanRequest;
  readonly autoApprove: boolean;
  /** the file to save a bookmark of the plan in */
  readonly out?: string | undefined;
  /** the saved plan to apply instead of a new one */
  readonly saved?: PlanBookmark | 'local' | undefined;
  readonly configuration: Configuration;
  readonly inputs: ReadonlyMap<string, InputValue>;
}

/** Executes a plan or an apply on a server and displays its progress, until it ends or is no longer awaited. */
export async function runRemotely(
  project: Project,
  work: RemoteWork,
  ports: RunPorts,
): Promise<RemoteOutcome> {
  const remote = ports.remote ?? silent(ports);
  const { server, operation } = work;
  if (operation === 'refresh' && server.flavour === 'remote') {
    return failure([refreshUnsupported()]);
  }
  const isRefresh = operation === 'refresh';
  const request: PlanRequest = isRefresh
    ? { ...work.request, mode: 'refresh-only', refresh: true }
    : work.request;
  const { saved } = work;
  const about = { ...work, project, request, operation: isRefresh ? 'apply' : operation } as const;
  const refusals = remoteRefusals({
    ...about,
    appliesLocalPlan: saved === 'local',
    appliesRemotePlan: saved !== undefined && saved !== 'local',
  });
  if (hasErrors(refusals)) return failure(refusals);
  const collected =
    server.flavour === 'cloud'
      ? runVariables(work.configuration, work.inputs)
      : { variables: [], diagnostics: [] };
  if (hasErrors(collected.diagnostics)) return failure(collected.diagnostics);
  const timeout = new AbortController();
  const context = new RemoteContext({
    project,
    server,
    workspace: work.workspace,
    ports: remote,
    stop: AbortSignal.any([timeout.signal, ...(ports.signal === undefined ? [] : [ports.signal])]),
    request: runRequest(
      { ...about, autoApprove: isRefresh || work.autoApprove },
      collected.variables,
    ),
  });
  if (isRefresh) {
    context.line(
      `[bold][yellow]Proceeding with '${programCommand('apply -refresh-only -auto-approve')}'.[reset]\n`,
    );
  }
  const completed = new AbortController();
  const waiting = cancelLate(context, timeout, completed.signal);
  try {
    return await carriedOut(context, saved === 'local' ? undefined : saved, ports);
  } finally {
    completed.abort();
    await waiting;
  }
}

function runRequest(
  {
    operation,
    request,
    autoApprove,
    out,
  }: Omit<RemoteWork, 'operation'> & {
    readonly operation: 'plan' | 'apply';
  },
  variables: RemoteContext['request']['variables'],
): RemoteContext['request'] {
  return {
    operation,
    mode: request.mode,
    refresh: request.refresh,
    targets: request.targetTexts,
    replace: request.replace.map(({ text }) => text),
    lockTimeoutMs: request.state.lock ? request.state.lockTimeoutMs : 0,
    autoApprove,
    ...(out === undefined ? {} : { out: out }),
    ...(request.generateConfigOut === undefined
      ? {}
      : { generateConfigOut: request.generateConfigOut }),
    variables,
    invokes: request.invoke === undefined ? [] : [request.invoke.text],
  };
}

function refreshUnsupported(): Diagnostic {
  const command = programCommand('apply -refresh-only');
  return {
    severity: 'error',
    summary: `error starting operation: \n\nThe "refresh" operation is not supported when using the "remote" backend. Use "${command}" instead.`,
    detail: '',
  };
}

function failure(diagnostics: readonly Diagnostic[]): RemoteOutcome {
  return { isEmpty: true, hasFailed: true, hasNextStep: false, diagnostics };
}

/** Returns ports without output, which approve every run. */
function silent(ports: RunPorts): RemotePorts {
  return {
    print: () => undefined,
    style: { color: false, width: 78 },
    ask: ports.ask ?? { input: () => Promise.resolve({ text: 'yes' }) },
    input: true,
  };
}

async function carriedOut(
  context: RemoteContext,
  saved: PlanBookmark | undefined,
  ports: RunPorts,
): Promise<RemoteOutcome> {
  const { server, request } = context;
  let isStopped = false;
  let hasNextStep = false;
  try {
    if (saved !== undefined) await applyBookmark(context, saved);
    else if (request.operation === 'apply') await applyRemotely(context);
    else {
      const run = await makeRemotePlan(context);
      if (request.out !== undefined) {
        const bookmark = { run: run.id, hostname: server.hostname };
        await writeBookmark(context.project.host.files, request.out, bookmark);
      }
      hasNextStep = context.isCloud;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) return failure(diagnosticsOf(error));
    isStopped = true;
  }
  const { run } = context;
  if (run === undefined) return failure([]);
  let last: RemoteRun;
  try {
    last = await context.current(run);
    if (isStopped) await cancel(context, last, ports);
  } catch (error) {
    return failure(diagnosticsOf(error));
  }
  return {
    isEmpty: !last.hasChanges,
    hasFailed: isStopped || last.status === 'canceled' || last.status === 'errored',
    hasNextStep,
    diagnostics: [],
  };
}

function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof RemoteProblem) return error.diagnostics;
  const summary = userErrorText(error);
  return [{ severity: 'error', summary, detail: '' }];
}

/** Cancels a run that is no longer awaited, if the user confirms. */
async function cancel(context: RemoteContext, run: RemoteRun, ports: RunPorts): Promise<void> {
  if (!run.isCancelable) return;
  if (context.autoApprove) context.line();
  else {
    const question = {
      id: 'cancel',
      query: '\nDo you want to cancel the remote operation?',
      description: "Only 'yes' will be accepted to cancel.",
    };
    const answer = await context.ports.ask.input(question, ports.abort);
    if ('problem' in answer) {
      const rejection = Promise.reject(new Error(answer.problem));
      await context.ask('Failed asking to cancel', rejection);
      return;
    }
    if (answer.text !== 'yes') {
      context.line('[reset][red]The remote operation was not cancelled.[reset]');
      return;
    }
  }
  await context.ask('Failed to cancel run', context.server.act(run.id, 'cancel'));
  context.line('[reset][red]The remote operation was successfully cancelled.[reset]');
}

/** Cancels a run that did not start within the lock time-out. */
async function cancelLate(
  context: RemoteContext,
  timeout: AbortController,
  completed: AbortSignal,
): Promise<void> {
  const { lockTimeoutMs } = context.request;
  if (lockTimeoutMs <= 0) return;
  const { clock } = context.project.host;
  try {
    await clock.sleep(lockTimeoutMs, completed, { background: true });
    const { run } = context;
    if (run === undefined || completed.aborted) return;
    const now = await context.server.run(run.id);
    if (completed.aborted || now.status !== 'pending' || !now.isCancelable) return;
    context.line(
      '[reset][red]Lock timeout exceeded, sending interrupt to cancel the remote operation.\n[reset]',
    );
    context.autoApprove = true;
    timeout.abort();
  } catch {
    // The run has ended, or the server is unreachable, which the wait for it reports.
  }
}
