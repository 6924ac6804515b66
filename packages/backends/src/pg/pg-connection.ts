import { importOptional, userErrorText } from '@terrane/host';
import type { Client } from 'pg';
import type { ConnectionOptions } from './connection-options.ts';

declare module 'pg' {
  // Members that the types of the library lack.
  interface ClientBase {
    ref(): void;
    unref(): void;
  }
}

/**
 * The time limit for a response, which also detects a server that disappeared without closing the connection. It
 * includes the transfer of the state, which is read and written in one query.
 */
const QUERY_MS = 300_000;

/** A row of a query result: strings, bools or null by name. */
export type Row = Readonly<Record<string, unknown>>;

/** A session with a server, opened on first use. While idle it does not keep the process alive. */
export class PgConnection {
  readonly #options: ConnectionOptions;
  readonly #application: string;
  readonly #reconnects: boolean;
  #client: Promise<Client> | undefined;
  #lost: Error | undefined;
  /** number of pending queries */
  #pendingCount = 0;

  /**
   * `application` is the session's application name unless the user sets one. `reconnects` replaces a session that
   * ended unexpectedly, as after a restart of the server.
   */
  constructor(options: ConnectionOptions, application: string, reconnects = false) {
    this.#options = options;
    this.#application = application;
    this.#reconnects = reconnects;
  }

  /** The reason why the session ended unexpectedly, if it did. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /**
   * Runs a query with values for `$1` and so on. Rejects with an error fit for users, which has the `code` of the
   * server.
   */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    if (this.#lost !== undefined) {
      if (!this.#reconnects) throw this.#failure(this.#lost);
      this.#lost = undefined;
      this.#client = undefined;
    }
    const client = await (this.#client ??= this.#open());
    if (this.#pendingCount++ === 0) client.ref();
    try {
      const { rows } = await client.query<Row>(text, [...values]);
      return rows;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      if (--this.#pendingCount === 0) client.unref();
    }
  }

  /** Ends the session, if there is one; the server releases its locks. */
  async end(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    if (client === undefined || this.#lost !== undefined) return;
    client.ref();
    await client.end().catch(() => undefined);
  }

  async #open(): Promise<Client> {
    const { ssl, alsoPlain } = this.#options;
    try {
      return await this.#connect(ssl);
    } catch (error) {
      this.#client = undefined;
      if (!alsoPlain || !/does not support SSL/.test(userErrorText(error)))
        throw this.#failure(error);
    }
    try {
      return await (this.#client = this.#connect(false));
    } catch (error) {
      this.#client = undefined;
      throw this.#failure(error);
    }
  }

  async #connect(ssl: ConnectionOptions['ssl']): Promise<Client> {
    const { host, port, user, database, password, application, connectionTimeoutMillis, options } =
      this.#options;
    // Loaded on first use: most runs use other backends.
    const library = await importOptional(
      'The backend "pg"',
      ['pg'],
      () => import('./libraries/pg.ts'),
    );
    const client = new library.Client({
      host,
      port,
      user,
      database,
      ...(password !== undefined && { password }),
      ...(options !== undefined && { options }),
      ssl,
      application_name: application ?? this.#application,
      connectionTimeoutMillis,
      query_timeout: QUERY_MS,
      keepAlive: true,
    });
    client.on('error', (error) => (this.#lost = error));
    await client.connect();
    this.#lost = undefined;
    client.unref();
    return client;
  }

  #failure(error: unknown): Error {
    const { host, port, user, database } = this.#options;
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    const text = userErrorText(error);
    const where = `PostgreSQL at ${host}:${port} (database ${JSON.stringify(database)}, user ${JSON.stringify(user)})`;
    const reason = /does not support SSL/.test(text)
      ? 'SSL is not enabled on the server; with sslmode=disable in conn_str, or PGSSLMODE, it is asked without'
      : text;
    return Object.assign(new Error(`${where}: ${reason}`, { cause: error }), { code });
  }
}
