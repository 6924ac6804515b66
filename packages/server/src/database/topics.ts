import { importOptional, type Clock } from '@terrane/host';
import type { Client } from 'pg';
import type { TopicChannel } from '../services/wakeups.ts';

const CHANNEL = 'terrane_topics';
const RECONNECT_MS = 1_000;
/** Topics are collected for this time, so that a busy server sends few notifications. */
const COLLECT_MS = 10;
/** PostgreSQL limits the payload of a notification to 8000 bytes. */
const MOST_BYTES = 7_000;

/** The settings of a channel. */
export interface TopicsOptions {
  readonly url: string;
  /** distinguishes the server from others */
  readonly sender: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** closes the connection */
  readonly signal: AbortSignal;
}

/**
 * Connects the servers of a PostgreSQL database by LISTEN and NOTIFY. While the connection is interrupted, topics are
 * dropped. Returns when the connection listens or has failed for the first time.
 */
export async function listenPostgres(options: TopicsOptions): Promise<TopicChannel> {
  const channel = new PostgresTopics(options);
  await channel.connect();
  return channel;
}

class PostgresTopics implements TopicChannel {
  readonly #options: TopicsOptions;
  readonly #listeners: ((topic: string) => void)[] = [];
  readonly #pending = new Set<string>();
  #client: Client | undefined;
  #isCollecting = false;

  constructor(options: TopicsOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => void this.#client?.end().catch(() => undefined));
  }

  subscribe(listener: (topic: string) => void): void {
    this.#listeners.push(listener);
  }

  publish(topic: string): void {
    this.#pending.add(topic);
    if (this.#isCollecting) return;
    this.#isCollecting = true;
    const { clock, signal } = this.#options;
    void clock
      .sleep(COLLECT_MS, signal)
      .catch(() => undefined)
      .then(() => this.#flush());
  }

  async connect(): Promise<void> {
    const { url, signal } = this.#options;
    const { Client } = await importOptional(
      'The run server',
      ['pg'],
      async () => await import('./libraries/server-pg.ts'),
    );
    const client = new Client({
      connectionString: url,
      application_name: 'terrane-topics',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    client.on('notification', ({ payload = '' }) => this.#receive(payload));
    // "end" follows each error.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      client.on('end', () => {
        this.#client = undefined;
        void this.#reconnect();
      });
      if (signal.aborted) await client.end();
      else this.#client = client;
    } catch {
      // any-error: the server also works without the channel, more slowly.
      await client.end().catch(() => undefined);
      void this.#reconnect();
    }
  }

  async #reconnect(): Promise<void> {
    const { clock, signal } = this.#options;
    await clock.sleep(RECONNECT_MS, signal).catch(() => undefined);
    if (!signal.aborted) await this.connect();
  }

  #receive(payload: string): void {
    const [sender, ...topics] = payload.split('\n');
    if (sender === this.#options.sender) return;
    for (const topic of topics) for (const listener of this.#listeners) listener(topic);
  }

  #flush(): void {
    this.#isCollecting = false;
    const topics = [...this.#pending];
    this.#pending.clear();
    let payload = this.#options.sender;
    for (const [index, topic] of topics.entries()) {
      payload += `\n${topic}`;
      const next = topics[index + 1];
      if (next !== undefined && payload.length + next.length < MOST_BYTES) continue;
      this.#client
        ?.query('SELECT pg_notify($1, $2)', [CHANNEL, payload])
        // any-error: other servers find the change by asking the database.
        .catch(() => undefined);
      payload = this.#options.sender;
    }
  }
}
