import { type Clock, errorText } from '@terrane/host';
import { fields } from '../http/request.ts';
import type { AgentJob, JobResult } from '../services/jobs.ts';
import type { AgentReport } from './agent-message.ts';

/** Sends a request to the server: over HTTPS, or to a server in the same process. Rejects without a response. */
export type AgentTransport = (
  method: string,
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Uint8Array;
    readonly signal?: AbortSignal;
  },
) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

/** The server has given the job to another agent, or has ended it. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
}

/** The server does not know the agent: its row was deleted. */
export class AgentUnknown extends Error {
  override readonly name = 'AgentUnknown';
}

/** The server rejected the agent: its token, or each of its registrations. */
export class AgentRejected extends Error {
  override readonly name = 'AgentRejected';
}

/** The time for which a request is repeated while the server is unreachable. */
const PATIENCE_MS = 10 * 60_000;
const PAUSE = { first: 200, most: 5_000 };

/** A request that failed this often in a row is reported: a server that is replaced closes connections for a moment. */
const REPORTED_FAILURE = 3;

/** The client of the agent's protocol. Requests are repeated until the server has answered. */
export class AgentClient {
  readonly #transport: AgentTransport;
  readonly #token: string;
  readonly #clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
  readonly #report: AgentReport | undefined;
  /** true after it was reported that the server cannot be reached */
  #isAway = false;

  constructor(
    transport: AgentTransport,
    token: string,
    clock: Pick<Clock, 'monotonicMs' | 'sleep'>,
    report?: AgentReport,
  ) {
    this.#transport = transport;
    this.#token = token;
    this.#clock = clock;
    this.#report = report;
  }

  async register(name: string, signal: AbortSignal): Promise<string> {
    const { body } = await this.#json('POST', '/api/agent/v1/agents', { name }, signal);
    return String(fields(JSON.parse(Buffer.from(body).toString('utf8')))['id']);
  }

  /**
   * Waits for a job; undefined if there was none for a while. Throws AgentUnknown if the agent has to be registered
   * again.
   */
  async claim(agent: string, waitMs: number, signal: AbortSignal): Promise<AgentJob | undefined> {
    const { status, body } = await this.#json(
      'POST',
      '/api/agent/v1/jobs/claim',
      { agent, 'wait-ms': waitMs },
      signal,
    ).catch((error: unknown) => {
      if (error instanceof AgentRequestError && error.status === 404) {
        throw new AgentUnknown(error.message);
      }
      throw error;
    });
    if (status === 204) return undefined;
    // The server is trusted by its token and TLS; both sides are built together.
    const { job } = JSON.parse(Buffer.from(body).toString('utf8')) as { readonly job: AgentJob };
    return job;
  }

  /** Returns the queued jobs of the pool; waits for one if there is none. */
  async queued(
    waitMs: number,
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly attempt: number }[]> {
    const path = `/api/agent/v1/queued-jobs?wait-ms=${waitMs}`;
    const { body } = await this.#send('GET', path, undefined, {}, signal);
    const { jobs } = fields(JSON.parse(Buffer.from(body).toString('utf8')));
    return (Array.isArray(jobs) ? (jobs as readonly unknown[]) : []).map((job) => {
      const { id, attempt } = fields(job);
      return { id: String(id), attempt: Number(attempt) };
    });
  }

  async heartbeat(job: AgentJob, waitMs: number, signal: AbortSignal): Promise<string | null> {
    const { body } = await this.#send(
      'POST',
      this.#path(job, 'heartbeat', `&wait-ms=${waitMs}`),
      undefined,
      {},
      signal,
    );
    const { cancel } = fields(JSON.parse(Buffer.from(body).toString('utf8')));
    return typeof cancel === 'string' ? cancel : null;
  }

  async content(job: AgentJob, name: string): Promise<Uint8Array | undefined> {
    const { status, body } = await this.#send('GET', this.#path(job, `contents/${name}`));
    return status === 204 ? undefined : body;
  }

  async putContent(job: AgentJob, name: string, bytes: Uint8Array): Promise<void> {
    await this.#send('PUT', this.#path(job, `contents/${name}`), bytes);
  }

  async putLog(job: AgentJob, offset: number, bytes: Uint8Array): Promise<void> {
    await this.#send('PUT', this.#path(job, 'log', `&offset=${offset}`), bytes);
  }

  async putJournal(job: AgentJob, offset: number, bytes: Uint8Array): Promise<void> {
    await this.#send('PUT', this.#path(job, 'journal', `&offset=${offset}`), bytes);
  }

  async putState(job: AgentJob, bytes: Uint8Array): Promise<void> {
    await this.#send('PUT', this.#path(job, 'state'), bytes);
  }

  /** Sends events; `first` is the number of the first one among those of the job. */
  async putEvents(job: AgentJob, first: number, events: readonly unknown[]): Promise<void> {
    await this.#json('POST', this.#path(job, 'events', `&first=${first}`), { events });
  }

  async finish(job: AgentJob, { outcome, hasChanges, summary }: JobResult): Promise<void> {
    await this.#json('POST', this.#path(job, 'finish'), {
      outcome,
      'has-changes': hasChanges,
      summary,
    });
  }

  #path(job: AgentJob, rest: string, query = ''): string {
    return `/api/agent/v1/jobs/${job.id}/${rest}?attempt=${job.attempt}${query}`;
  }

  async #json(method: string, path: string, body: unknown, signal?: AbortSignal) {
    const bytes = Buffer.from(JSON.stringify(body));
    return await this.#send(method, path, bytes, { 'content-type': 'application/json' }, signal);
  }

  async #send(
    method: string,
    path: string,
    body?: Uint8Array,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: Uint8Array }> {
    const start = this.#clock.monotonicMs();
    let failures = 0;
    for (let pause = PAUSE.first; ; pause = Math.min(PAUSE.most, pause * 2)) {
      signal?.throwIfAborted();
      let problem: unknown;
      try {
        const answer = await this.#transport(method, path, {
          headers: { authorization: `Bearer ${this.#token}`, ...headers },
          ...(body !== undefined && { body }),
          ...(signal !== undefined && { signal }),
        });
        const { status } = answer;
        if (status < 500 && status !== 429) this.#reached();
        if (status < 300) return answer;
        const text = detailOf(answer.body);
        if (status === 409) throw new JobLost(text);
        if (status === 401) throw new AgentRejected(text);
        if (status < 500 && status !== 429) {
          throw new AgentRequestError(
            `The server rejected ${method} ${path}: ${status} ${text}`,
            status,
          );
        }
        problem = new AgentRequestError(
          `The server answered ${method} ${path} with ${status} ${text}`,
          status,
        );
      } catch (error) {
        if (
          error instanceof JobLost ||
          error instanceof AgentRejected ||
          error instanceof AgentRequestError
        ) {
          throw error;
        }
        signal?.throwIfAborted();
        problem = error;
      }
      if (this.#clock.monotonicMs() - start > PATIENCE_MS) {
        throw problem instanceof Error ? problem : new Error('The server cannot be reached.');
      }
      if (++failures === REPORTED_FAILURE) this.#missed(problem);
      await this.#clock.sleep(pause, signal);
    }
  }

  /** Reports once that requests fail, until one succeeds. */
  #missed(problem: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    const error = errorText(problem);
    this.#report?.({
      level: 'warn',
      message: 'server not reached',
      fields: { error },
      text: `The server cannot be reached, and the agent goes on trying: ${error}`,
    });
  }

  #reached(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#report?.({
      level: 'info',
      message: 'server reached again',
      fields: {},
      text: 'The server can be reached again.',
    });
  }
}

class AgentRequestError extends Error {
  override readonly name = 'AgentRequestError';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

function detailOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8').slice(0, 2_000);
  try {
    const { errors } = fields(JSON.parse(text));
    const [first] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
    const { detail } = fields(first);
    return typeof detail === 'string' ? detail : text;
  } catch {
    return text;
  }
}
