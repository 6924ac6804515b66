// The `pg` backend on a PostgreSQL server, beside the real terraform.
import { str, TRUE, type Value } from '@terrane/cty';
import { StateConflict, type Backend } from '@terrane/backends';
import { LockLost, type Storage } from '@terrane/host';
import Client from 'pg/lib/client.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAIRS, takeTurns } from './interchange.ts';
import { bytesOf, lockOf, openBackend, problemsOf, textOf } from './open-backend.ts';
import { postgresqlProgram, startPostgresql, type Postgresql } from '../interop/postgresql.ts';
import { expectSideStorage } from './side-storage.ts';

const installed =
  postgresqlProgram('initdb') !== undefined && postgresqlProgram('postgres') !== undefined;

it('has a server to run on, wherever CI is set', () => {
  if (process.env['CI'] === 'true') expect(installed).toBe(true);
});

it.each([
  [{ conn_str: str('host') }, {}, /cannot be read: it is neither a URL/],
  [{}, { PG_CONN_STR: "password='s3cret" }, /cannot be read: it is neither a URL/],
  [{ conn_str: str('postgres://a:%zz@x/') }, {}, /cannot be read/],
  [{}, { PG_SKIP_TABLE_CREATION: 'maybe' }, /^strconv.ParseBool: parsing "maybe": invalid syntax$/],
] as [Record<string, Value>, Record<string, string>, RegExp][])(
  'says what is wrong with a configuration: %#',
  async (values, variables, text) => {
    const [problem] = await problemsOf('pg', values, variables);
    expect(problem?.summary).toMatch(text);
    expect(problem?.summary).not.toContain('s3cret');
  },
);

describe.skipIf(!installed)('on a server', () => {
  let server: Postgresql;
  let connection: string;
  let admin: InstanceType<typeof Client>;
  const opened: Backend[] = [];

  beforeAll(async () => {
    server = await startPostgresql();
    connection = `postgres://postgres@127.0.0.1:${server.port}/postgres?sslmode=disable`;
    admin = new Client({ connectionString: connection });
    await admin.connect();
  });
  afterAll(async () => {
    for (const backend of opened) await backend.close?.();
    await admin.end();
    await server[Symbol.asyncDispose]();
  });

  async function open(
    values: Record<string, Value>,
    variables: Record<string, string> = {},
  ): Promise<Backend> {
    const backend = await openBackend('pg', { conn_str: str(connection), ...values }, variables);
    opened.push(backend);
    return backend;
  }

  async function twoStorages(schema: string): Promise<[Storage, Storage]> {
    const [first, other] = [
      await open({ schema_name: str(schema) }),
      await open({ schema_name: str(schema) }),
    ];
    return [await first.storage('default'), await other.storage('default')];
  }

  for (const pair of PAIRS) {
    const [first, other] = pair;
    it(`takes turns with a state in PostgreSQL: ${first.name}, then ${other.name}`, async () => {
      const block = `  backend "pg" {\n    schema_name = "turns of ${first.name}"\n  }`;
      const env = { PG_CONN_STR: connection };
      // Terraform takes force-unlock for done without doing anything.
      const breaksLocks = other.name === 'terrane' && first.name === 'terrane';
      await takeTurns(pair, { block, env, hasWorkspaces: true, hasLocks: true, breaksLocks });
    });
  }

  it('reads its content, and overwrites only content that it has read', async () => {
    const [first, other] = await twoStorages('conflicts');
    expect(await first.read()).toBeUndefined();
    expect(await other.read()).toBeUndefined();
    await first.write([bytesOf('{"a": '), bytesOf('"ä"}')]);
    await expect(other.write([bytesOf('late')])).rejects.toThrow(StateConflict);
    expect(textOf(await other.read())).toBe('{"a": "ä"}');
    await other.write([bytesOf('2')]);
    await expect(first.write([bytesOf('3')])).rejects.toThrow(StateConflict);
    await other.write([bytesOf('4')]);
    expect(textOf(await first.read())).toBe('4');
  });

  it('leaves the state unchanged if a preceding write fails', async () => {
    const [state] = await twoStorages('before');
    await state.write([bytesOf('1')]);
    const fail = (): Promise<void> => Promise.reject(new Error('disk full'));
    await expect(state.write([bytesOf('2')], fail)).rejects.toThrow('disk full');
    expect(textOf(await state.read())).toBe('1');
  });

  it('locks, names the holder, and lets another in afterwards', async () => {
    const [first, other] = await twoStorages('locks');
    for (const exists of [false, true]) {
      expect(await first.lock?.(lockOf('a'))).toEqual({ kind: 'locked', id: 'a' });
      const held = await other.lock?.(lockOf('b'));
      expect(held).toMatchObject({
        kind: 'held',
        error: exists
          ? 'Workspace is already locked: default'
          : 'Already locked for workspace creation: default',
        info: { id: 'a', who: 'postgres@127.0.0.1' },
      });
      expect(await other.lockHolder?.()).toMatchObject({ id: 'a' });
      await first.confirmLock?.();
      await first.write([bytesOf('1')]);
      await first.unlock?.('a');
      expect(await other.lockHolder?.()).toBeUndefined();
    }
    expect(await other.lock?.(lockOf('b'))).toEqual({ kind: 'locked', id: 'b' });
    await other.unlock?.('b');
  });

  it('breaks the lock of another by its number, who then cannot write any more', async () => {
    const [first, other] = await twoStorages('broken');
    await first.write([bytesOf('1')]);
    await first.lock?.(lockOf('a'));
    await expect(other.unlock?.('b')).rejects.toThrow(
      'lock id "b" does not match existing lock: that has the id "a"',
    );
    await other.unlock?.('a');
    expect(await other.lock?.(lockOf('b'))).toEqual({ kind: 'locked', id: 'b' });
    await expect(first.confirmLock?.()).rejects.toThrow(LockLost);
    await expect(first.write([bytesOf('late')])).rejects.toThrow(LockLost);
    expect(textOf(await other.read())).toBe('1');
    await expect(first.unlock?.('c')).rejects.toThrow('does not match');
    await other.unlock?.('b');
    await expect(first.unlock?.('b')).rejects.toThrow('The state is not locked');
  });

  it('is kept out by the locks of making states, of Terraform and of OpenTofu', async () => {
    const [state] = await twoStorages('making');
    await state.write([bytesOf('1')]);
    // The lock id of OpenTofu 1.12 for the schema "making" and the table "states": -(FNV-1 of "making\0states").
    for (const key of ['-1', '-2511956804']) {
      await admin.query('SELECT pg_advisory_lock($1)', [key]);
      expect(await state.lock?.(lockOf('a')), key).toMatchObject({
        kind: 'held',
        error: 'Cannot lock workspace; already locked for workspace creation: default',
      });
      await admin.query('SELECT pg_advisory_unlock($1)', [key]);
    }
    expect(await state.lock?.(lockOf('a'))).toMatchObject({ kind: 'locked' });
    await state.unlock?.('a');
  });

  it('lists workspaces and deletes them', async () => {
    const backend = await open({ schema_name: str('names') });
    expect(await backend.workspaces?.names()).toEqual(['default']);
    for (const name of ['b', 'default', 'B', 'a']) {
      await (await backend.storage(name)).write([bytesOf(name)]);
    }
    expect(await backend.workspaces?.names()).toEqual(['default', 'B', 'a', 'b']);
    await backend.workspaces?.delete('b');
    expect(await backend.workspaces?.names()).toEqual(['default', 'B', 'a']);
    await expect(backend.workspaces?.delete('default')).rejects.toThrow(
      "can't delete default state",
    );
  });

  it('makes the table as Terraform does, by any name, and nothing that it is not to make', async () => {
    const names = {
      schema_name: str('my "own"'),
      table_name: str('my states'),
      index_name: str('i'),
    };
    await expect(open({ ...names, skip_schema_creation: TRUE })).rejects.toThrow(
      'schema "my "own"" does not exist',
    );
    await expect(open(names, { PG_SKIP_TABLE_CREATION: '1' })).rejects.toThrow('does not exist');
    await open(names);
    const { rows } = await admin.query<{ column_name: string; column_default: string | null }>(
      `SELECT column_name, data_type, column_default FROM information_schema.columns
        WHERE table_schema = 'my "own"' AND table_name = 'my states' ORDER BY ordinal_position`,
    );
    expect(rows).toEqual([
      {
        column_name: 'id',
        data_type: 'bigint',
        column_default: "nextval('global_states_id_seq'::regclass)",
      },
      { column_name: 'name', data_type: 'text', column_default: null },
      { column_name: 'data', data_type: 'text', column_default: null },
    ]);
  });

  it('makes schema, table and index while others make the same', async () => {
    for (let round = 0; round < 12; round += 1) {
      const schema = `at once ${round}`;
      await Promise.all(Array.from({ length: 8 }, () => open({ schema_name: str(schema) })));
      const { rows } = await admin.query(
        'SELECT tablename, indexname FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname',
        [schema],
      );
      expect(rows.map((row: { indexname: string }) => row.indexname)).toEqual([
        'states_by_name',
        'states_name_key',
        'states_pkey',
      ]);
      for (const backend of opened.splice(-8)) await backend.close?.();
    }
  });

  it('needs no right to create existing objects', async () => {
    await open({ schema_name: str('shared') });
    await admin.query(`CREATE ROLE guest LOGIN;
      GRANT USAGE ON SCHEMA shared TO guest;
      GRANT ALL ON ALL TABLES IN SCHEMA shared TO guest;
      GRANT USAGE ON SEQUENCE public.global_states_id_seq TO guest`);
    const backend = await open({
      conn_str: str(
        `host=127.0.0.1 port=${server.port} user='guest' dbname=postgres sslmode=disable`,
      ),
      schema_name: str('shared'),
    });
    const storage = await backend.storage('default');
    await storage.lock?.(lockOf('a'));
    await storage.write([bytesOf('1')]);
    await storage.unlock?.('a');
    expect(textOf(await storage.read())).toBe('1');
  });

  it('has data beside states in a table that the first write makes', async () => {
    await expectSideStorage(await open({ schema_name: str('beside') }));
    // Two clients make the table at once.
    const both = [
      await open({ schema_name: str('both') }),
      await open({ schema_name: str('both') }),
    ];
    await Promise.all(
      both.map(async (backend, at) => {
        const side = await backend.sideStorage?.(`w${at}`);
        await side?.write('index', bytesOf(String(at)));
        expect(textOf(await side?.read('index'))).toBe(String(at));
      }),
    );
  });

  it('has no data beside states where it may not make a table', async () => {
    const values = { schema_name: str('bare') };
    const first = await open(values);
    const skipping = await open({ ...values, skip_table_creation: TRUE });
    expect(await skipping.sideStorage?.('default')).toBeUndefined();
    await admin.query(`CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA bare TO reader`);
    const conn = `host=127.0.0.1 port=${server.port} user='reader' dbname=postgres sslmode=disable`;
    const reader = await open({ ...values, conn_str: str(conn) });
    expect(await reader.sideStorage?.('default')).toBeUndefined();
    await (await first.sideStorage?.('default'))?.write('index', bytesOf('x'));
    const side = await skipping.sideStorage?.('default');
    expect(textOf(await side?.read('index'))).toBe('x');
  });

  it('uses the variables of PostgreSQL, and reports its target without passwords', async () => {
    const variables = {
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: 'postgres',
      PGDATABASE: 'postgres',
      PGPASSWORD: 's3cret',
      PGSSLMODE: 'prefer',
      PG_SCHEMA_NAME: 'by variables',
    };
    const backend = await openBackend('pg', {}, variables);
    opened.push(backend);
    await (await backend.storage('default')).write([bytesOf('1')]);
    await expect(openBackend('pg', {}, { ...variables, PGSSLMODE: 'require' })).rejects.toThrow(
      'SSL is not enabled on the server',
    );
    const failure = openBackend('pg', {}, { ...variables, PGDATABASE: 'nowhere' });
    await expect(failure).rejects.toThrow('database "nowhere" does not exist');
    await expect(failure).rejects.not.toThrow('s3cret');
    await expect(openBackend('pg', {}, { ...variables, PGSSLMODE: 'maybe' })).rejects.toThrow(
      'The sslmode "maybe" of the backend "pg" is unknown',
    );
  });

  it('lets one of many in at a time, and loses no update', async () => {
    const backends = await Promise.all(
      Array.from({ length: 8 }, () => open({ schema_name: str('many') })),
    );
    await (await backends[0]?.storage('default'))?.write([bytesOf('0')]);
    let done = 0;
    await Promise.all(
      backends.map(async (backend, number) => {
        const storage = await backend.storage('default');
        for (let turn = 0; turn < 10;) {
          const got = await storage.lock?.(lockOf(`${number}-${turn}`));
          if (got?.kind !== 'locked') continue;
          const count = Number(textOf(await storage.read()));
          await storage.write([bytesOf(String(count + 1))]);
          await storage.unlock?.(got.id);
          done += 1;
          turn += 1;
        }
      }),
    );
    expect(done).toBe(80);
    expect(textOf(await (await backends[0]?.storage('default'))?.read())).toBe('80');
  });
});
