import { posix } from 'node:path';
import { errorText, type Host, TextTail } from '@terrane/host';
import { fields } from '../http/request.ts';
import { LARGEST_STREAM } from '../services/blobs.ts';
import type { AgentJob, JobResult } from '../services/jobs.ts';
import { type AgentClient, JobLost } from './agent-client.ts';
import type { AgentReport } from './agent-message.ts';
import { EVENTS_PATH, type Execute } from './execute.ts';
import { EventWriter } from './event-writer.ts';
import { programExecutor } from './execute-program.ts';
import { JobDirectory, type JobDirectoryContext, POLICIES } from './job-directory.ts';
import { LogWriter } from './log-writer.ts';
import { mirroredFiles } from './mirrored-files.ts';
import { changesOf, countChanges, parseJsonBytes, versionOfPlan } from './plan-facts.ts';
import { planArguments } from './plan-arguments.ts';
import { programProblem, UNSAVED } from './program-problem.ts';
import type { Program, Programs } from './programs.ts';
import { StateReplica } from './state-replica.ts';

/** The context of the execution of jobs. */
export interface JobContext extends JobDirectoryContext {
  readonly client: AgentClient;
  readonly host: Pick<Host, 'files' | 'clock' | 'environment' | 'spawn'>;
  readonly execute: Execute;
  /** the programs that execute runs of workspaces with another engine */
  readonly programs: Programs;
  /** the release of the engine, for the log */
  readonly version: string;
  /** the data of the agent, for states of programs that the server did not receive; nothing removes them */
  readonly dataDirectory: string;
  /** receives messages for the operator */
  readonly report: AgentReport;
}

const HEARTBEAT_MS = 5_000;
const DRIFT_REPORT = '.terrane/drift.json';
/** Exit codes of `drift`. */
const [NO_DRIFT, DRIFT] = [0, 2];
/** The part of the error output of a command that an error has. */
const MOST_ERROR_TEXT = 64 * 1024;
const NO_CHANGES = 0;
const CHANGES = 2;

/**
 * Executes a job in an empty directory, and reports its result. Returns the outcome when the server has it, and "lost" if
 * the server has taken the job.
 */
export async function runJob(
  context: JobContext,
  job: AgentJob,
  directory: string,
): Promise<JobResult['outcome'] | 'lost'> {
  const work = new JobWork(context, job, directory);
  try {
    return await work.run();
  } catch (error) {
    if (!(error instanceof JobLost)) throw error;
    // Another agent continues, or the run was ended by force: nothing that this one did may be reported.
    return 'lost';
  }
}

class JobWork {
  readonly #context: JobContext;
  readonly #job: AgentJob;
  readonly #paths: JobDirectory;
  readonly #log: LogWriter;
  readonly #events: EventWriter;
  readonly #interrupts = new Set<(isLost: boolean) => void>();
  readonly #summary: Record<string, unknown> = {};
  /** the program that executes the run; undefined for the engine */
  #program: Program | undefined;
  /** the counts of the plan that a program applies */
  #planned: Readonly<Record<string, number>> = {};
  #isCanceled = false;
  #lost: JobLost | undefined;

  constructor(context: JobContext, job: AgentJob, directory: string) {
    this.#context = context;
    this.#job = job;
    this.#paths = new JobDirectory(context, job, directory);
    const { client, host } = context;
    this.#log = new LogWriter(client, job, host.clock);
    this.#events = new EventWriter(client, job, host.clock);
  }

  async run(): Promise<JobResult['outcome']> {
    const { client } = this.#context;
    const stop = new AbortController();
    const beating = this.#keepAlive(stop.signal);
    let result: JobResult;
    try {
      result = await this.#work();
    } catch (error) {
      if (error instanceof JobLost) throw error;
      // any-error: the run ends with the reason in its log, whatever it is.
      this.#log.write(`\nError: The run could not be executed\n\n${errorText(error)}\n`);
      result = this.#failed();
    } finally {
      stop.abort();
      await beating;
    }
    if (this.#lost !== undefined) throw this.#lost;
    await this.#log.flush();
    await this.#events.flush();
    await client.finish(this.#job, result);
    return result.outcome;
  }

  /** Extends the lease while the job runs, and interrupts it if the run is canceled. */
  async #keepAlive(signal: AbortSignal): Promise<void> {
    const { client, host } = this.#context;
    const { clock } = host;
    while (!signal.aborted) {
      try {
        const cancel = await client.heartbeat(this.#job, HEARTBEAT_MS, signal);
        if (cancel !== null && !this.#isCanceled) {
          this.#isCanceled = true;
          this.#interrupt(false);
        }
        if (cancel !== null) await clock.sleep(HEARTBEAT_MS, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof JobLost) {
          this.#lose(error);
          return;
        }
        // Others may pass, such as a server that could not be reached for long: the lease is extended again then.
        await clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
      }
    }
  }

  #lose(error: JobLost): void {
    this.#lost = error;
    // First gracefully, then forcibly: providers complete their operations, and no others start.
    this.#interrupt(true);
  }

  #interrupt(isLost: boolean): void {
    for (const listener of this.#interrupts) listener(isLost);
  }

  async #work(): Promise<JobResult> {
    const { kind, workspace } = this.#job;
    this.#log.write(
      `Terrane v${this.#context.version}\nRun ${this.#job.run.id} of workspace ${workspace.organization}/${workspace.name}\n\n`,
    );
    await this.#chooseProgram();
    await this.#paths.prepare();
    if (!(await this.#initialise())) return this.#failed();
    if (kind === 'drift') return await this.#drift();
    return kind === 'plan' ? await this.#plan() : await this.#apply();
  }

  /** Chooses the program of a run that the engine does not execute. Throws an error for the log if it cannot be used. */
  async #chooseProgram(): Promise<void> {
    const { engine: pin, kind } = this.#job;
    if (pin === undefined) return;
    const problem = programProblem(this.#job, pin.name);
    if (problem !== undefined) throw new Error(problem);
    let { version } = pin;
    if (kind === 'apply') {
      const bytes = await this.#context.client.content(this.#job, 'plan-json');
      const plan = parseJsonBytes(bytes ?? new Uint8Array());
      // A plan can only be applied by the version that made it.
      version = versionOfPlan(plan) ?? version;
      this.#planned = countChanges(plan);
    }
    this.#program = await this.#context.programs.choose({ name: pin.name, version });
    this.#log.write(`Executed with ${pin.name} ${this.#program.version}.\n\n`);
  }

  async #initialise(): Promise<boolean> {
    let output = '';
    const { code } = await this.#execute(['init', '-input=false', '-no-color'], (text) => {
      output += text;
    });
    if (code !== 0) this.#log.write(output);
    return code === 0;
  }

  async #plan(): Promise<JobResult> {
    const { client, host } = this.#context;
    const code = await this.#makePlan('plan.tfplan', true);
    if (code !== NO_CHANGES && code !== CHANGES) return this.#failed();
    const plan = await host.files.readFile(posix.join(this.#paths.root, '.terrane/plan.tfplan'));
    const json = await this.#planJson('plan.tfplan');
    await client.putContent(this.#job, 'plan-json', json);
    if (this.#program !== undefined) {
      Object.assign(this.#summary, countChanges(parseJsonBytes(json)));
    }
    if (this.#job.policies !== undefined) {
      const report = fields(parseJsonBytes(json))['policy_results'];
      if (report === undefined) throw new Error('The plan has no results of its policies.');
      await client.putContent(this.#job, 'policy-results', Buffer.from(JSON.stringify(report)));
    }
    await client.putContent(
      this.#job,
      'schemas',
      await this.#captured(['providers', 'schema', '-json']),
    );
    await client.putContent(this.#job, 'plan', plan);
    return { outcome: 'succeeded', hasChanges: code === CHANGES, summary: this.#summary };
  }

  /** Compares the state with the remote objects, without changing anything. */
  async #drift(): Promise<JobResult> {
    const { client, host } = this.#context;
    const { code } = await this.#execute(
      ['drift', `-json-into=${DRIFT_REPORT}`, '-input=false', '-var-file=.terrane/run.tfvars'],
      (text) => this.#log.write(text),
    );
    if (code !== NO_DRIFT && code !== DRIFT) return this.#failed();
    const report = await host.files.readFile(posix.join(this.#paths.root, DRIFT_REPORT));
    await client.putContent(this.#job, 'drift-report', report);
    return { outcome: 'succeeded', hasChanges: code === DRIFT, summary: this.#summary };
  }

  async #planJson(name: string): Promise<Uint8Array> {
    return await this.#captured(['show', '-json', `.terrane/${name}`]);
  }

  /** Plans with the options of the run. Returns the exit code of `plan -detailed-exitcode`. */
  async #makePlan(name: string, isShown: boolean): Promise<number> {
    const hasEvents = isShown && this.#program === undefined;
    const { code } = await this.#execute(planArguments(this.#job, name, hasEvents), (text) =>
      this.#log.write(text),
    );
    return code;
  }

  async #apply(): Promise<JobResult> {
    const { client, host } = this.#context;
    const plan = await client.content(this.#job, 'plan');
    if (plan === undefined) throw new Error('The server has no plan for the run.');
    await host.files.writeFile(posix.join(this.#paths.root, '.terrane/plan.tfplan'), plan, {
      mode: 0o600,
    });
    if (this.#program !== undefined) return await this.#applyWithProgram();
    let name = 'plan.tfplan';
    if (this.#job.attempt > 1) {
      const continued = await this.#continuation();
      if (continued === 'nothing') return this.#applied();
      if (continued === 'failed') return this.#failed();
      name = continued;
    }
    const { policies } = this.#job;
    const { code } = await this.#execute(
      [
        'apply',
        '-input=false',
        '-no-color',
        `-json-into=${EVENTS_PATH}`,
        ...(policies === undefined
          ? []
          : [
              `-policies=${POLICIES}`,
              ...policies.overrides.map((each) => `-override-policy=${each}`),
              ...(policies.overrides.length > 0 ? [`-reason=${policies.reason}`] : []),
            ]),
        `.terrane/${name}`,
      ],
      (text) => this.#log.write(text),
    );
    return code === 0 ? this.#applied() : this.#failed();
  }

  /** Applies the plan with a program, whose state is replicated while it runs. */
  async #applyWithProgram(): Promise<JobResult> {
    const { client, host } = this.#context;
    const replica = new StateReplica({
      host,
      path: this.#paths.state,
      put: (bytes) => client.putState(this.#job, bytes),
    });
    await replica.open();
    const stop = new AbortController();
    const watching = replica.watch(stop.signal).catch((error: unknown) => {
      if (error instanceof JobLost) this.#lose(error);
      // Others are repeated when the program has ended.
    });
    try {
      const { code } = await this.#execute(
        ['apply', '-input=false', '-no-color', '.terrane/plan.tfplan'],
        (text) => this.#log.write(text),
      );
      stop.abort();
      await watching;
      if (this.#lost !== undefined) throw this.#lost;
      await replica.flush();
      if (code !== 0) return this.#failed();
      Object.assign(this.#summary, this.#planned);
      return this.#applied();
    } finally {
      stop.abort();
      await this.#keepUnsaved(replica);
    }
  }

  /** Keeps a state that the server does not have. */
  async #keepUnsaved(replica: StateReplica): Promise<void> {
    const state = await replica.unsaved();
    if (state === undefined) return;
    const { dataDirectory, host, report } = this.#context;
    const { id } = this.#job.run;
    const directory = posix.join(dataDirectory, UNSAVED);
    await host.files.makeDirectory(directory);
    await host.files.chmod(directory, 0o700);
    const file = posix.join(directory, `${id}-${this.#job.attempt}.tfstate`);
    await host.files.writeFile(file, state, { mode: 0o600 });
    const text = `The server did not receive the last state of run ${id}. The agent keeps it in ${file}. Compare it with the state of the workspace, and store it with "state push" if it has more.`;
    report({ level: 'error', message: 'state not stored', fields: { run: id, file }, text });
    this.#log.write(`\n${text}\n`);
  }

  /**
   * Plans what an earlier agent has left to do. The remaining plan is applied if all of its changes are part of the
   * plan that was approved.
   */
  async #continuation(): Promise<string | 'nothing' | 'failed'> {
    const write = (text: string): void => this.#log.write(text);
    write('Recovering the changes that the earlier agent has recorded.\n\n');
    const recovered = await this.#execute(['state', 'recover', '-write'], write);
    if (recovered.code !== 0) return 'failed';
    const code = await this.#makePlan('rest.tfplan', false);
    if (code === NO_CHANGES) return 'nothing';
    if (code !== CHANGES) return 'failed';
    const approved = changesOf(parseJsonBytes(await this.#planJson('plan.tfplan')));
    const rest = changesOf(parseJsonBytes(await this.#planJson('rest.tfplan')));
    const others = [...rest].filter(([address, actions]) => approved.get(address) !== actions);
    if (others.length === 0) return 'rest.tfplan';
    const list = others.map(([address, actions]) => `  - ${address}: ${actions}`).join('\n');
    write(
      `\nError: The remaining changes were not approved\n\nAn agent was lost while it applied the plan. What is left to do contains changes that are not part of the approved plan:\n${list}\n\nThe state has been saved with everything that was done. Start a new run, and review its plan.\n`,
    );
    return 'failed';
  }

  #applied(): JobResult {
    return { outcome: 'succeeded', hasChanges: false, summary: this.#summary };
  }

  #failed(): JobResult {
    const outcome = this.#isCanceled ? 'canceled' : 'errored';
    return { outcome, hasChanges: false, summary: this.#summary };
  }

  /** Executes a command and returns its standard output, which is not part of the log. */
  async #captured(args: readonly string[]): Promise<Uint8Array> {
    const pieces: Buffer[] = [];
    const errors = new TextTail(MOST_ERROR_TEXT);
    let size = 0;
    const { code } = await this.#execute(
      args,
      (text) => {
        const piece = Buffer.from(text);
        size += piece.length;
        if (size <= LARGEST_STREAM) pieces.push(piece);
      },
      (text) => errors.write(text),
    );
    const output = Buffer.concat(pieces);
    const command = args.join(' ');
    if (code !== 0) throw new Error(`${command}: ${output.toString('utf8')}${errors.text}`);
    if (size > LARGEST_STREAM) {
      throw new Error(`${command} wrote more than ${LARGEST_STREAM} bytes.`);
    }
    return output;
  }

  async #execute(
    args: readonly string[],
    onOutput: (text: string) => void,
    onErrorOutput = onOutput,
  ) {
    if (this.#lost !== undefined) throw this.#lost;
    const { client, host } = this.#context;
    const { root, state, journal } = this.#paths;
    const mirror = {
      putState: (bytes: Uint8Array) => client.putState(this.#job, bytes),
      putJournal: (offset: number, bytes: Uint8Array) =>
        client.putJournal(this.#job, offset, bytes),
    };
    const execute =
      this.#program === undefined
        ? this.#context.execute
        : programExecutor(host, this.#program.path);
    return await execute(args, {
      directory: root,
      environment: this.#paths.environment(this.#program === undefined),
      files: (files) =>
        mirroredFiles(files, { state, journal }, mirror, (path) =>
          path.startsWith('/') ? path : posix.join(root, path),
        ),
      onOutput,
      onErrorOutput,
      onEvent: (line) => this.#event(line),
      onInterrupt: (listener) => {
        this.#interrupts.add(listener);
        if (this.#isCanceled) listener(false);
        return () => void this.#interrupts.delete(listener);
      },
    });
  }

  #event(line: string): void {
    const event = fields(parseJsonBytes(Buffer.from(line)));
    const type = event['type'];
    this.#events.write(event, line.length);
    if (type === 'change_summary') {
      const changes = fields(event['changes']);
      for (const [name, attribute] of [
        ['add', 'resource-additions'],
        ['change', 'resource-changes'],
        ['remove', 'resource-destructions'],
        ['import', 'resource-imports'],
      ] as const) {
        this.#summary[attribute] = changes[name] ?? 0;
      }
    }
  }
}
