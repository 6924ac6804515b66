import type { Storage } from '@terrane/host';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import type { PgConnection, Row } from './pg-connection.ts';
import { lockLost, PgLock, type LockPorts } from './pg-lock.ts';
import { tableName } from './pg-table.ts';

/** The state of a workspace: a row. Writes replace only the version that was read or written last. */
export class PgStorage implements Storage {
  readonly #ports: LockPorts;
  readonly #lock: PgLock;
  /** the version of the row that is known; `none`: there was no row */
  #version: string | 'none' | undefined;

  constructor(ports: LockPorts) {
    this.#ports = ports;
    this.#lock = new PgLock(ports);
  }

  get #session(): PgConnection {
    return this.#lock.session ?? this.#ports.shared;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { table, name } = this.#ports;
    const [row] = await this.#session.query(
      `SELECT data, xmin::text AS version FROM ${tableName(table)} WHERE name = $1`,
      [name],
    );
    this.#version = row === undefined ? 'none' : versionOf(row);
    const data = row?.['data'];
    return typeof data === 'string' && data !== '' ? Buffer.from(data) : undefined;
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const text = new TextDecoder().decode(joined(data));
    const { table, name } = this.#ports;
    const where = tableName(table);
    await beforeCommit?.();
    const session = this.#session;
    const version = this.#version;
    const [statement, values] =
      version === undefined
        ? [
            `INSERT INTO ${where} AS s (name, data) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET data = $2 WHERE s.name = $1 RETURNING s.xmin::text AS version`,
            [name, text],
          ]
        : version === 'none'
          ? [
              `INSERT INTO ${where} AS s (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING RETURNING s.xmin::text AS version`,
              [name, text],
            ]
          : [
              `UPDATE ${where} AS s SET data = $2 WHERE s.name = $1 AND s.xmin::text = $3 RETURNING s.xmin::text AS version`,
              [name, text, version],
            ];
    let row: Row | undefined;
    try {
      [row] = await session.query(statement, values);
    } catch (error) {
      throw session !== this.#ports.shared && session.lost !== undefined ? lockLost(error) : error;
    }
    if (row === undefined) {
      throw new StateConflict(
        `The state of workspace ${JSON.stringify(name)} in PostgreSQL has been written by another client since it was read here.`,
      );
    }
    this.#version = versionOf(row);
  }

  lock: NonNullable<Storage['lock']> = (info) => this.#lock.lock(info);
  unlock: NonNullable<Storage['unlock']> = (id) => this.#lock.unlock(id);
  confirmLock: NonNullable<Storage['confirmLock']> = () => this.#lock.confirm();
  lockHolder: NonNullable<Storage['lockHolder']> = () => this.#lock.holder();

  /** Closes the session of the lock and thereby releases it. */
  close(): Promise<void> {
    return this.#lock.close();
  }
}

function versionOf(row: Row): string {
  return String(row['version']);
}
