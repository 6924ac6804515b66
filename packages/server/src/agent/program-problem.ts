import { policiesNotEvaluated } from '../services/engines.ts';
import type { AgentJob } from '../services/jobs.ts';

/** The directory of states that the server did not receive, in the data of the agent. */
export const UNSAVED = 'unsaved-states';

/** Returns the reason for which a program other than Terrane's engine must not execute a job; undefined if it may. */
export function programProblem(
  { kind, attempt, policies, hasJournal }: AgentJob,
  name: string,
): string | undefined {
  if (kind === 'apply' && attempt > 1) {
    return `The connection to an agent was lost while ${name} applied the plan. The state has everything that ${name} had stored until then. Nothing is applied again: start a new run, whose plan shows the rest. Objects that were created afterwards are not part of the state. The data directory of that agent may have a later state: in "${UNSAVED}", or in the directory of this run if the agent itself ended.`;
  }
  if (policies !== undefined) {
    return policiesNotEvaluated(name);
  }
  if (hasJournal) {
    return `An earlier run with Terrane's engine was interrupted, and ${name} cannot read the changes that it has recorded. Change the attribute "engine" of the workspace to "terrane", start a run, which adds them to the state, and change it back.`;
  }
  return undefined;
}
