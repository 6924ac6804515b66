import { createHash } from 'node:crypto';
import type { FileSystem } from '@terrane/host';
import type { Project } from '@terrane/ops';

/** The agent that a session serves, as its client introduces itself. */
export interface AgentIdentity {
  readonly name: string;
  readonly version: string;
}

/** A proposed change, waiting for approval. */
export interface Ticket {
  /** the first digits of the digest, so that a ticket cannot refer to another plan */
  readonly id: string;
  /** SHA-256 of the plan file, in hexadecimal digits */
  readonly digest: string;
  readonly agent: AgentIdentity;
  /** why the agent proposes the change */
  readonly reason: string;
  /** RFC 3339 */
  readonly created: string;
  readonly workspace: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly status: 'proposed' | 'applied' | 'failed' | 'rejected';
}

const ID_LENGTH = 16;

/** The proposed changes of a project, in files that only their owner can read. */
export class Tickets {
  readonly #files: FileSystem;
  readonly #directory: string;

  constructor({ host, dataDirectory }: Project) {
    this.#files = host.files;
    this.#directory = `${dataDirectory}/tickets`;
  }

  /** Returns a path for a plan that has no ticket yet. */
  async newPlanPath(unique: string): Promise<string> {
    await this.#files.makeDirectory(this.#directory);
    return `${this.#directory}/proposal-${unique}.tfplan`;
  }

  planPath(id: string): string {
    return `${this.#directory}/${id}.tfplan`;
  }

  /** Creates the ticket of a saved plan, and renames the plan file after the ticket. */
  async create(path: string, content: Omit<Ticket, 'id' | 'digest' | 'status'>): Promise<Ticket> {
    const digest = digestOf(await this.#files.readFile(path));
    const id = digest.slice(0, ID_LENGTH);
    await this.#files.rename(path, this.planPath(id));
    const ticket: Ticket = { ...content, id, digest, status: 'proposed' };
    await this.write(ticket);
    return ticket;
  }

  async write(ticket: Ticket): Promise<void> {
    const text = `${JSON.stringify(ticket, undefined, 2)}\n`;
    await this.#files.replaceFile(`${this.#directory}/${ticket.id}.json`, text, { mode: 0o600 });
  }

  /** Returns a ticket; undefined if there is none, or if it is damaged. */
  async read(id: string): Promise<Ticket | undefined> {
    if (!/^[0-9a-f]{16}$/.test(id)) return undefined;
    const path = `${this.#directory}/${id}.json`;
    if ((await this.#files.stat(path)) === undefined) return undefined;
    try {
      const ticket: unknown = JSON.parse(await this.#files.readText(path));
      return isTicket(ticket) && ticket.id === id ? ticket : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Returns all tickets, newest first. */
  async list(): Promise<readonly Ticket[]> {
    if ((await this.#files.stat(this.#directory)) === undefined) return [];
    const entries = await this.#files.readDirectory(this.#directory);
    const ids = entries.flatMap(({ name }) => /^([0-9a-f]{16})\.json$/.exec(name)?.[1] ?? []);
    const tickets = await Promise.all(ids.map((id) => this.read(id)));
    return tickets
      .filter((ticket) => ticket !== undefined)
      .sort((a, b) => (a.created < b.created ? 1 : -1));
  }

  /** Returns why the plan of a ticket is not the one that was proposed; undefined if it is. */
  async problemOf(ticket: Ticket): Promise<string | undefined> {
    if (ticket.status !== 'proposed') return `Ticket ${ticket.id} is ${ticket.status} already.`;
    const path = this.planPath(ticket.id);
    if ((await this.#files.stat(path)) === undefined)
      return `The plan of ticket ${ticket.id} does not exist any more.`;
    const digest = digestOf(await this.#files.readFile(path));
    return digest === ticket.digest && digest.startsWith(ticket.id)
      ? undefined
      : `The plan of ticket ${ticket.id} has changed since it was proposed: its digest is ${digest}.`;
  }

  /** Records the end of a ticket and removes its plan, which may contain secrets. */
  async close(ticket: Ticket, status: Exclude<Ticket['status'], 'proposed'>): Promise<void> {
    await this.write({ ...ticket, status });
    await this.#files.remove(this.planPath(ticket.id));
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isTicket(value: unknown): value is Ticket {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['id', 'digest', 'reason', 'created', 'workspace', 'status'];
  return texts.every((name) => typeof Reflect.get(value, name) === 'string') && 'agent' in value;
}
