// The servers that states are moved to and from: a PostgreSQL server, Amazon's services as moto has them, and a server
// that keeps a state over HTTP. Each move has places of its own in them.
import { spawnSync } from 'node:child_process';
import { postgresqlProgram, startPostgresql, type Postgresql } from '../../interop/postgresql.ts';
import { MOTO, startMoto, type Moto } from '../moto.ts';
import { StateServer } from '../state-server.ts';

/** A backend that needs a server; `other`: with another address, key or schema. */
export type ServedPlace = 'http' | 'http-other' | 'pg' | 'pg-other' | 's3' | 's3-other';

const PLACES: ReadonlySet<string> = new Set<ServedPlace>([
  'http',
  'http-other',
  'pg',
  'pg-other',
  's3',
  's3-other',
]);

/** The server looks at who asks, and believes it. */
const SOMEBODY = {
  authorization: 'AWS4-HMAC-SHA256 Credential=id/20200101/us-east-1/s3/aws4_request',
};

/** Returns true if a location needs a server. */
export function isServed(place: string): place is ServedPlace {
  return PLACES.has(place);
}

/** Returns true if the servers of these locations are installed. */
export function areHere(...places: readonly string[]): boolean {
  return places.every(
    (place) =>
      (!place.startsWith('pg') || postgresqlProgram('psql') !== undefined) &&
      (!place.startsWith('s3') || MOTO),
  );
}

/** The servers of a migration. */
export interface Served {
  /** the `backend` block of a place */
  block(place: ServedPlace): string;
  /** all states that are there, by where they are */
  states(): Promise<ReadonlyMap<string, string>>;
  /** a text without what is of this run only */
  clean(text: string): string;
}

/** The servers, each started when a move first needs it. */
export class Servers implements AsyncDisposable {
  #postgresql: Promise<Postgresql> | undefined;
  #moto: Promise<Moto> | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Places for a move between these. */
  async for(name: string, ...places: readonly string[]): Promise<Served & AsyncDisposable> {
    const needs = (kind: string): boolean => places.some((place) => place.startsWith(kind));
    const postgresql = needs('pg') ? await (this.#postgresql ??= startPostgresql()) : undefined;
    const moto = needs('s3') ? await (this.#moto ??= startMoto()) : undefined;
    // Locks of new workspaces are those of a whole server: who comes at the same time is refused.
    let done = (): void => undefined;
    if (needs('pg')) {
      const turn = this.#turn;
      this.#turn = new Promise((resolve) => (done = resolve));
      await turn;
    }
    const http = new Map<string, StateServer>();
    for (const place of ['http', 'http-other']) {
      if (places.includes(place)) http.set(place, await StateServer.start());
    }
    const schema = (place: string): string => `move_${name}_${place}`.replaceAll('-', '_');
    const connection = `postgres://postgres@127.0.0.1:${postgresql?.port}/postgres?sslmode=disable`;
    return {
      block(place) {
        if (place.startsWith('http')) {
          const address = http.get(place)?.address ?? '';
          return `backend "http" {\n    address        = "${address}"\n    lock_address   = "${address}"\n    unlock_address = "${address}"\n  }`;
        }
        if (place.startsWith('pg')) {
          return `backend "pg" {\n    conn_str    = "${connection}"\n    schema_name = "${schema(place)}"\n  }`;
        }
        return `backend "s3" {\n    bucket                      = "bucket"\n    key                         = "${name}/${place}"\n    workspace_key_prefix        = "${name}/${place}-of"\n    region                      = "us-east-1"\n    access_key                  = "id"\n    secret_key                  = "secret"\n    use_path_style              = true\n    use_lockfile                = true\n    skip_credentials_validation = true\n    skip_requesting_account_id  = true\n    skip_metadata_api_check     = true\n    skip_region_validation      = true\n    endpoints = {\n      s3 = "${moto?.endpoint}"\n    }\n  }`;
      },
      async states() {
        const stateTexts = new Map<string, string>();
        for (const [place, server] of http) {
          if (server.lock !== undefined) throw new Error('the lock is still there');
          if (server.state !== undefined) stateTexts.set(place, server.state);
        }
        for (const place of ['pg', 'pg-other']) {
          if (!places.includes(place)) continue;
          for (const [workspace, text] of rows(connection, schema(place))) {
            stateTexts.set(`${place}: ${workspace}`, text);
          }
        }
        if (moto !== undefined) {
          const ask = async (path: string): Promise<string> =>
            await (await fetch(`${moto.endpoint}/bucket${path}`, { headers: SOMEBODY })).text();
          const all = await ask(`?list-type=2&prefix=${name}/`);
          for (const [, key = ''] of all.matchAll(/<Key>([^<]*)<\/Key>/g)) {
            stateTexts.set(key.slice(name.length + 1), await ask(`/${key}`));
          }
        }
        return stateTexts;
      },
      clean(text) {
        // Messages about locks that take long, on a busy machine.
        let neutral = text.replace(/^(?:Acquir|Releas)ing state lock\. .*\n/gm, '');
        for (const [place, { address }] of http) neutral = neutral.replaceAll(address, place);
        if (moto !== undefined) neutral = neutral.replaceAll(moto.endpoint, 'http://moto');
        return neutral.replaceAll(connection, 'postgres://');
      },
      async [Symbol.asyncDispose]() {
        done();
        for (const server of http.values()) await server[Symbol.asyncDispose]();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#postgresql)?.[Symbol.asyncDispose]();
    await (await this.#moto)?.stop();
  }
}

/** The states in a schema, by workspace. */
function rows(connection: string, schema: string): readonly [string, string][] {
  const query = `SELECT json_agg(json_build_array(name, data) ORDER BY name) FROM ${schema}.states`;
  const { status, stdout, stderr } = spawnSync(
    postgresqlProgram('psql') ?? 'psql',
    [connection, '-At', '-c', query],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    if (stderr.includes('does not exist')) return [];
    throw new Error(stderr);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the query makes it so
  return stdout.trim() === '' ? [] : (JSON.parse(stdout) as [string, string][]);
}
