import type { State, Plan } from '@terrane/engine';
import type { Failure, Outcome } from './locked-state.ts';
import { planRun } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import type { Project } from './project.ts';
import { loadRun } from './run/load-run.ts';
import { placeLocalRun } from './run/place-run.ts';
import { type ReadyRun, withReadyRun } from './run/ready-run.ts';
import type { RunPorts } from './run-ports.ts';

/** A prepared run that can plan and store nothing. */
export interface ReadOnlyRun {
  readonly project: Project;
  /** the snapshot of the state; empty if there is none */
  readonly state: State;
  /** Plans over the snapshot, or over another state. Warnings of preparing the run are part of each result. */
  plan(request: PlanRequest, state?: State): Promise<Outcome<Plan>>;
}

/**
 * Prepares a run in this process that changes neither the state nor the backend, executes `work` and closes the
 * providers. Reads a snapshot of the state without a lock, even if `request.state` asks for one.
 */
export async function withReadOnlyRun<O extends Failure>(
  project: Project,
  request: PlanRequest,
  ports: RunPorts,
  work: (run: ReadOnlyRun) => Promise<O>,
): Promise<O | Failure> {
  const state = { ...request.state, lock: false, snapshot: true, readOnly: true };
  const { mode } = request;
  const operation = { kind: 'plan', mode, savesPlan: false } as const;
  const loaded = await loadRun(project, { ...request, state }, operation);
  if (loaded.result === undefined) return { diagnostics: loaded.diagnostics };
  const { result: placed, diagnostics } = await placeLocalRun(loaded.result);
  if (placed === undefined) return { diagnostics };
  return await withReadyRun(placed, ports, (run) => work(readOnly(run)));
}

function readOnly(run: ReadyRun): ReadOnlyRun {
  return {
    project: run.project,
    state: run.state,
    async plan(request, state = run.state) {
      const { result, diagnostics } = await planRun({ ...run, state }, request);
      return result === undefined ? { diagnostics } : { result: result.plan, diagnostics };
    },
  };
}
