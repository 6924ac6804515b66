import { posix } from 'node:path';
import { errorText, type Host } from '@terrane/host';
import type { AgentReport } from './agent-message.ts';
import { AgentClient, AgentRejected, type AgentTransport } from './agent-client.ts';
import type { Execute } from './execute.ts';
import { Registration } from './registration.ts';
import { Programs } from './programs.ts';
import { type JobContext, runJob } from './run-job.ts';

/** The settings of an agent. */
export interface AgentOptions {
  readonly host: Pick<Host, 'files' | 'clock' | 'environment' | 'random' | 'spawn'>;
  readonly transport: AgentTransport;
  readonly token: string;
  readonly name: string;
  readonly execute: Execute;
  /** the parent of the directories of jobs, which are removed after the job */
  readonly directory: string;
  readonly serverHost: string;
  readonly version: string;
  readonly passedEnvironment: Readonly<Record<string, string>>;
  /** the directory with the programs `terraform` and `tofu`; undefined for those of the passed `PATH` */
  readonly programsDirectory?: string;
  /** maximum number of concurrent jobs; default: 1 */
  readonly concurrency?: number;
  /** true to stop after one job */
  readonly single?: boolean;
  /** with `single`, the time without a job after which the agent stops */
  readonly idleMs?: number;
  /** stops taking jobs, and waits for the running ones */
  readonly signal: AbortSignal;
  /** receives messages for the operator */
  readonly report: AgentReport;
}

/** A running agent. */
export interface Agent {
  /** resolves when the agent has stopped; rejects if the server rejects its token or its registrations */
  readonly stopped: Promise<void>;
}

const WAIT_MS = 25_000;
const PAUSE_MS = 1_000;
/** How an operation has ended, as the continuation of a sentence. */
const OUTCOMES = {
  succeeded: 'succeeded',
  errored: 'failed',
  canceled: 'was canceled',
  lost: 'was given to another agent or ended by force',
};

/** Starts an agent, which takes jobs from the server and executes them. */
export function runAgent(options: AgentOptions): Agent {
  return { stopped: run(options) };
}

async function run(options: AgentOptions): Promise<void> {
  const { host, transport, token, name, signal, report } = options;
  const client = new AgentClient(transport, token, host.clock, report);
  const registration = await Registration.open(client, name, report, signal).catch(
    (error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    },
  );
  if (registration === undefined) return;
  const { id } = registration;
  report({
    level: 'info',
    message: 'agent is waiting',
    fields: { agent: id, name },
    text: `Agent ${name} (${id}) is waiting for runs.`,
  });
  const cacheDirectory = posix.join(options.directory, 'providers');
  await host.files.makeDirectory(cacheDirectory);
  const context = {
    ...options,
    client,
    cacheDirectory,
    programs: new Programs(host, options.programsDirectory, options.passedEnvironment),
    dataDirectory: options.directory,
  };
  const slots = Array.from(
    { length: options.single === true ? 1 : (options.concurrency ?? 1) },
    () => takeJobs(options, registration, context),
  );
  await Promise.all(slots);
}

async function takeJobs(
  options: AgentOptions,
  registration: Registration,
  context: JobContext,
): Promise<void> {
  const { host, signal, report, idleMs = Infinity } = options;
  const started = host.clock.monotonicMs();
  while (!signal.aborted) {
    try {
      const left = idleMs - (host.clock.monotonicMs() - started);
      const job = await registration.claim(Math.max(0, Math.min(WAIT_MS, left)), signal);
      const { id } = registration;
      if (job === undefined) {
        if (left > WAIT_MS) continue;
        report({
          level: 'info',
          message: 'no run',
          fields: { agent: id },
          text: 'There is no run.',
        });
        return;
      }
      const workspace = `${job.workspace.organization}/${job.workspace.name}`;
      const described = { agent: id, run: job.run.id, job: job.id, attempt: job.attempt };
      const subject = { ...described, kind: job.kind, workspace };
      report({
        level: 'info',
        message: 'run started',
        fields: subject,
        text: `Run ${job.run.id}: ${job.kind} of ${workspace}`,
      });
      const begun = host.clock.monotonicMs();
      const directory = posix.join(options.directory, `${job.id}-${job.attempt}`);
      try {
        await host.files.makeDirectory(directory);
        await host.files.chmod(directory, 0o700);
        const outcome = await runJob(context, job, directory);
        const duration = Math.round(host.clock.monotonicMs() - begun);
        report({
          level: outcome === 'lost' ? 'warn' : 'info',
          message: 'run ended',
          fields: { ...subject, outcome, duration_ms: duration },
          text: `Run ${job.run.id}: ${job.kind} ${OUTCOMES[outcome]} after ${(duration / 1000).toFixed(1)} s`,
        });
      } finally {
        await host.files.removeTree(directory);
      }
      if (options.single === true) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof AgentRejected) throw error;
      // any-error: the agent continues with the next job after any failure.
      report({
        level: 'error',
        message: 'job failed',
        fields: { agent: registration.id, error: errorText(error) },
        text: `The agent could not execute a job: ${errorText(error)}`,
      });
      await host.clock.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  }
}
