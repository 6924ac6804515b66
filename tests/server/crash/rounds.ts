// Ends servers, agents and the database of a run server while runs are executed, stalls connections, and compares what the
// runs have done with what the server says.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../interop/free-port.ts';
import { createInstallation, type Installation, type Program } from '../run-server.ts';
import { startStallingProxy } from './stalling-proxy.ts';
import { Client, type CrashRun, createWorkspaces, inspectRun, startRun } from './workload.ts';

/** Faults that are injected while runs are executed. */
export const FAULTS = ['server', 'agent', 'database', 'stall', 'cut'] as const;
export type Fault = (typeof FAULTS)[number];

export interface CrashOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly faults: readonly Fault[];
  readonly workspaces: number;
  readonly agents: number;
  /** faults in a round */
  readonly faultsPerRound: number;
  report?(line: string): void;
}

/** Counts of runs and faults, and the violations of the invariants; a correct server has no `problems`. */
export interface CrashResult {
  readonly runs: number;
  readonly applied: number;
  readonly errored: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly problems: readonly string[];
}

/** A generator of numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Runs rounds of faults. Each round starts one run in each workspace, and ends when all runs have ended. */
export async function runRounds(options: CrashOptions): Promise<CrashResult> {
  const random = randomNumbers(options.seed);
  await using installation = await createInstallation();
  const ports = [await freePort(), await freePort()];
  await using proxy = await startStallingProxy(ports);
  const url = `-url=http://127.0.0.1:${proxy.port}`;
  const unlimited = '-rate-limit=0';
  const servers = await Promise.all(
    ports.map((port) => installation.startServer(port, url, unlimited)),
  );
  const agents = await Promise.all(
    Array.from({ length: options.agents }, (_each, index) =>
      installation.startAgent(`agent-${index}`, proxy.port),
    ),
  );
  const client = new Client(proxy, installation.token);
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>; // Every key is a fault.
  const problems: string[] = [];
  let [applied, errored, total] = [0, 0, 0];

  const workspaces = await createWorkspaces(
    client,
    join(installation.folder, 'logs'),
    options.workspaces,
  );

  const injectFault = async (fault: Fault): Promise<void> => {
    counts[fault]++;
    const index = Math.floor(random() * 1_000);
    if (fault === 'server') {
      await replace(installation, servers, index % servers.length, (at) =>
        installation.startServer(ports[at] ?? 0, url, unlimited),
      );
    } else if (fault === 'agent') {
      await replace(installation, agents, index % agents.length, (at) =>
        installation.startAgent(`agent-${at}`, proxy.port),
      );
    } else if (fault === 'database') await installation.database.crash();
    else if (fault === 'stall') await proxy.stall(2_000 + random() * 6_000);
    else proxy.cut();
  };

  for (let round = 0; round < options.rounds; round++) {
    const runs: CrashRun[] = [];
    for (const [index, workspace] of workspaces.entries()) {
      runs.push(await startRun(client, workspace, `round-${round}-of-${index}`));
    }
    for (let count = 0; count < options.faultsPerRound; count++) {
      await sleep(300 + random() * 4_000);
      const fault = options.faults[Math.floor(random() * options.faults.length)];
      if (fault !== undefined) await injectFault(fault);
    }
    for (const run of runs) {
      const inspected = await inspectRun(client, run);
      total++;
      if (inspected.status === 'applied') applied++;
      else if (inspected.status === 'errored') errored++;
      problems.push(...inspected.problems);
    }
    options.report?.(`round ${round + 1}: ${applied} applied, ${errored} errored of ${total}`);
  }
  return { runs: total, applied, errored, faults: counts, problems };
}

/** Ends one of several programs, and starts it again. */
export async function replace(
  installation: Installation,
  programs: Program[],
  at: number,
  start: (at: number) => Promise<Program>,
): Promise<void> {
  const program = programs[at];
  if (program === undefined) return;
  await installation.end(program, 'SIGKILL');
  programs[at] = await start(at);
}
