// Injects one fault at each step of a run: before the server has a request of the agent, and after it has answered.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../interop/free-port.ts';
import { createInstallation } from '../run-server.ts';
import { replace } from './rounds.ts';
import { startStallingProxy } from './stalling-proxy.ts';
import { startStepProxy, type Step, type StepProxy } from './step-proxy.ts';
import { Client, createWorkspaces, inspectRun, startRun } from './workload.ts';

/** Faults that are injected at each step. */
export const STEP_FAULTS = [
  'agent',
  'server',
  'database',
  'agent-partition',
  'database-partition',
] as const;
export type StepFault = (typeof STEP_FAULTS)[number];

/** Faults that concern only the run at whose step they happen. Several runs have them at the same time. */
const LOCAL: ReadonlySet<StepFault> = new Set(['agent', 'agent-partition']);
/** Longer than the lease of a job, so that another agent takes it over while the first one still works. */
const AGENT_PARTITION_MS = 25_000;
const DATABASE_PARTITION_MS = 6_000;
/** Pieces of the log and of events are sent by time: their number differs from run to run. */
const BY_TIME = /put (log|events) (\d+)$/;
const MOST_BY_TIME = 2;

export interface StepOptions {
  readonly agents: number;
  readonly faults: readonly StepFault[];
  /** only every so many of the cases */
  readonly every: number;
  /** the first of them */
  readonly first?: number;
  report?(line: string): void;
}

/** Counts of cases; a correct server has no `problems`. */
export interface StepResult {
  /** steps of a run without faults, as they were recorded */
  readonly steps: readonly string[];
  readonly cases: number;
  /** cases whose step was reached */
  readonly injected: number;
  readonly applied: number;
  readonly errored: number;
  readonly problems: readonly string[];
}

interface Case {
  readonly fault: StepFault;
  readonly step: string;
  readonly moment: Step['moment'];
}

/** Records the steps of a run, and repeats it with each fault at each of them. */
export async function runSteps(options: StepOptions): Promise<StepResult> {
  await using installation = await createInstallation();
  const ports = [await freePort(), await freePort()];
  await using api = await startStallingProxy(ports);
  await using database = await startStallingProxy([installation.database.port]);
  const flags = [
    `-url=http://127.0.0.1:${api.port}`,
    '-rate-limit=0',
    `-database=postgres://postgres@127.0.0.1:${database.port}/postgres`,
  ];
  const startServer = (at: number) => installation.startServer(ports[at] ?? 0, ...flags);
  const servers = [await startServer(0), await startServer(1)];

  const recorded: string[] = [];
  const cases = new Map<string, Case>();
  let injected = 0;
  const pending: Promise<unknown>[] = [];
  const inject = async (at: number, fault: StepFault): Promise<void> => {
    injected++;
    switch (fault) {
      case 'agent':
        await replace(installation, agents, at, startAgent);
        break;
      case 'server':
        await replace(installation, servers, at % servers.length, startServer);
        break;
      case 'database':
        await installation.database.crash();
        break;
      case 'agent-partition':
        proxies[at]?.partition(AGENT_PARTITION_MS);
        break;
      case 'database-partition':
        await database.stall(DATABASE_PARTITION_MS);
        database.cut();
        break;
    }
  };
  const onStep = async (at: number, step: Step): Promise<void> => {
    recorded.push(`${step.moment} ${step.name}`);
    const injectedCase = cases.get(step.run);
    if (
      injectedCase === undefined ||
      injectedCase.step !== step.name ||
      injectedCase.moment !== step.moment
    )
      return;
    // Once: the agent that continues passes the same step.
    cases.delete(step.run);
    const injection = inject(at, injectedCase.fault);
    pending.push(injection);
    // The agent must not receive what it is not to know any more. It starts again beside the others.
    if (!LOCAL.has(injectedCase.fault)) await injection;
    else await sleep(injectedCase.fault === 'agent' ? 200 : 0);
  };
  const proxies: StepProxy[] = [];
  for (let at = 0; at < options.agents; at++) {
    // Half of the agents begin with the other server.
    const order = at % 2 === 0 ? ports : ports.toReversed();
    proxies.push(await startStepProxy(order, (step) => onStep(at, step)));
  }
  const startAgent = (at: number) => installation.startAgent(`agent-${at}`, proxies[at]?.port ?? 0);
  const agents = await Promise.all(proxies.map((_proxy, at) => startAgent(at)));
  const client = new Client(api, installation.token);
  const workspaces = await createWorkspaces(
    client,
    join(installation.folder, 'logs'),
    options.agents,
  );
  const problems: string[] = [];
  let [applied, errored] = [0, 0];
  try {
    const [first] = workspaces;
    if (first === undefined) throw new Error('no workspaces');
    // The second run replaces objects, as all later ones do.
    for (const name of ['first', 'recorded']) {
      recorded.length = 0;
      const inspected = await inspectRun(client, await startRun(client, first, name));
      problems.push(...inspected.problems);
    }
    const steps = recorded.filter((each) => Number(BY_TIME.exec(each)?.[2] ?? 0) <= MOST_BY_TIME);
    const all = options.faults.flatMap((fault) =>
      steps.map((each): Case => {
        const [moment = '', ...step] = each.split(' ');
        return { fault, step: step.join(' '), moment: moment === 'before' ? 'before' : 'after' };
      }),
    );
    const chosen = all.filter((_each, at) => at % options.every === (options.first ?? 0));
    let [done, round] = [0, 0];
    while (done < chosen.length) {
      const fault = chosen[done]?.fault;
      const most = fault !== undefined && LOCAL.has(fault) ? workspaces.length : 1;
      const batch = chosen.slice(done, done + most).filter((each) => each.fault === fault);
      const runs = await Promise.all(
        batch.map(async (each, at) => {
          const workspace = workspaces[(round + at) % workspaces.length] ?? first;
          const run = await startRun(client, workspace, `round-${round}-of-${at}`, (id) =>
            cases.set(id, each),
          );
          return { run, each };
        }),
      );
      for (const { run, each } of runs) {
        const inspected = await inspectRun(client, run);
        if (inspected.status === 'applied') applied++;
        else if (inspected.status === 'errored') errored++;
        const at = `${each.fault} ${each.moment} ${each.step}`;
        problems.push(...inspected.problems.map((problem) => `${at}: ${problem}`));
      }
      done += batch.length;
      round++;
      await Promise.all(pending.splice(0));
      const unreached = [...cases.values()].map((each) => `${each.moment} ${each.step}`);
      cases.clear();
      options.report?.(
        `${done} of ${chosen.length}: ${fault}, ${applied} applied, ${errored} errored${
          unreached.length === 0 ? '' : `; not reached: ${unreached.join(', ')}`
        }`,
      );
    }
    return { steps, cases: chosen.length, injected, applied, errored, problems };
  } finally {
    await Promise.allSettled(pending);
    for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
  }
}
