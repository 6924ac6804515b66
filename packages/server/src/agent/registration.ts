import { type AgentClient, AgentRejected, AgentUnknown } from './agent-client.ts';
import type { AgentReport } from './agent-message.ts';
import type { AgentJob } from '../services/jobs.ts';

/** The registration of an agent, which its slots share. It is renewed when the server does not know it any more. */
export class Registration {
  readonly #client: AgentClient;
  readonly #name: string;
  readonly #report: AgentReport;
  #id: string;
  /** true if the server has answered a request for a job of this registration */
  #isConfirmed = false;
  #renewal: Promise<void> | undefined;

  private constructor(client: AgentClient, name: string, report: AgentReport, id: string) {
    this.#client = client;
    this.#name = name;
    this.#report = report;
    this.#id = id;
  }

  /** Registers an agent. Rejects if the server rejects it, or the signal is aborted. */
  static async open(
    client: AgentClient,
    name: string,
    report: AgentReport,
    signal: AbortSignal,
  ): Promise<Registration> {
    return new Registration(client, name, report, await client.register(name, signal));
  }

  get id(): string {
    return this.#id;
  }

  /**
   * Waits for a job; undefined if there was none for a while. Registers the agent again if it was deleted. Throws
   * AgentRejected if the server does not know the new registration either.
   */
  async claim(waitMs: number, signal: AbortSignal): Promise<AgentJob | undefined> {
    for (;;) {
      const id = this.#id;
      try {
        const job = await this.#client.claim(id, waitMs, signal);
        if (id === this.#id) this.#isConfirmed = true;
        return job;
      } catch (error) {
        if (!(error instanceof AgentUnknown)) throw error;
        // Another slot may have renewed the registration.
        if (id !== this.#id) continue;
        this.#renewal ??= this.#renew(error, signal).finally(() => {
          this.#renewal = undefined;
        });
        await this.#renewal;
      }
    }
  }

  async #renew(reason: AgentUnknown, signal: AbortSignal): Promise<void> {
    if (!this.#isConfirmed) {
      throw new AgentRejected(
        `The server does not know agent ${this.#id}, which it has just registered: ${reason.message} Check that the address is that of one Terrane server, and that all of its processes use one database.`,
      );
    }
    const former = this.#id;
    this.#id = await this.#client.register(this.#name, signal);
    this.#isConfirmed = false;
    this.#report({
      level: 'warn',
      message: 'agent registered again',
      fields: { agent: this.#id, former, name: this.#name },
      text: `Agent ${former} was deleted at the server. It is registered again, as ${this.#id}.`,
    });
  }
}
