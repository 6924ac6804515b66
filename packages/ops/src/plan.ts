import { isOpenCreate, makePlan } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { withSpan } from '@terrane/host';
import { deprecationsOnce } from './deprecations-once.ts';
import type { Outcome } from './locked-state.ts';
import { planOptions, type PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import type { RunPorts } from './run-ports.ts';
import type { MadePlan } from './made-plan.ts';
import { generationProblems, writeGenerated } from './generated-config.ts';
import { executeRemotely } from './remote-runs/execute-remotely.ts';
import type { RemoteOutcome } from './remote-runs/run-remotely.ts';
import { loadRun } from './run/load-run.ts';
import { placeRun } from './run/place-run.ts';
import { type ReadyRun, withReadyRun } from './run/ready-run.ts';
import { savePlan } from './saved-plan.ts';

/** Plans, and saves the plan to the file `out` if that is set. Has no other effects. */
export async function plan(
  project: Project,
  request: PlanRequest,
  ports: RunPorts,
  out: string = '',
): Promise<PlanOutcome> {
  const savesPlan = out !== '';
  if (savesPlan && request.over !== undefined) {
    throw new TypeError('a plan over another state than the stored one cannot be saved');
  }
  const { mode, generateConfigOut } = request;
  const loaded = await loadRun(project, request, { kind: 'plan', mode, savesPlan });
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const problems =
    generateConfigOut === undefined ? [] : generationProblems(project, mode, generateConfigOut);
  if (problems.length > 0) return { diagnostics: problems };
  const { result: placed, diagnostics } = await placeRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  if (placed.kind === 'remote') {
    const work = { operation: 'plan', request, autoApprove: false } as const;
    return await executeRemotely(placed, savesPlan ? { ...work, out } : work, ports);
  }
  return await withReadyRun(placed, ports, (run) => planAndWrite(run, request, ports, out));
}

async function planAndWrite(
  run: ReadyRun,
  request: PlanRequest,
  ports: RunPorts,
  out: string,
): Promise<Outcome<MadePlan>> {
  const planned = await planRun(run, request);
  const made = planned.result;
  if (made === undefined) return planned;
  const reviewed = (await ports.review?.(made.plan, run.storedState)) ?? [];
  const outcome = { ...planned, diagnostics: [...planned.diagnostics, ...reviewed] };
  if (hasErrors(reviewed)) return outcome;
  const problems = out === '' ? [] : await savePlan(run, made, out);
  if (problems.length > 0) return { diagnostics: [...outcome.diagnostics, ...problems] };
  const { generateConfigOut } = request;
  if (generateConfigOut === undefined) return outcome;
  const writeProblems = await writeGenerated(run.project, made.plan, generateConfigOut);
  const diagnostics = [...outcome.diagnostics, ...writeProblems.diagnostics];
  if (hasErrors(writeProblems.diagnostics)) return { diagnostics };
  return { result: { ...made, generatedConfig: writeProblems.wrote }, diagnostics };
}

/** A plan, or the outcome of a run on a server. */
export type PlanOutcome = Outcome<MadePlan> & { readonly remote?: RemoteOutcome };

/** Plans in a ready run. */
export async function planRun(run: ReadyRun, request: PlanRequest): Promise<Outcome<MadePlan>> {
  const { traces } = run.project.host;
  return await withSpan(traces, 'plan', { 'terrane.mode': request.mode }, async (span) => {
    const outcome = await planUntraced(run, request);
    if (hasErrors(outcome.diagnostics)) span.fail();
    return outcome;
  });
}

async function planUntraced(run: ReadyRun, request: PlanRequest): Promise<Outcome<MadePlan>> {
  const interrupted = run.storedState.interrupted.filter(isOpenCreate);
  const made = await makePlan({
    ...run.settings,
    givenVariables: run.givenVariables,
    state: request.over === undefined ? run.state : request.over(run.state),
    ...planOptions(request),
    ...(interrupted.length === 0 ? {} : { interrupted }),
    ...(request.initialEvents === undefined ? {} : { initialEvents: request.initialEvents }),
  });
  const diagnostics = deprecationsOnce([...run.warnings, ...made.diagnostics]);
  if (made.plan === undefined) return { diagnostics };
  const plan =
    request.snapshot === undefined
      ? made.plan
      : { ...made.plan, purpose: request.snapshot.purpose };
  return { result: { plan, base: run.storedState.file }, diagnostics };
}
