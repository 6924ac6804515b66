// An operator's work from day to day, with a provider that is told what to do wrong, and the state in a file, at a
// server that answers as Amazon's (moto), and in PostgreSQL.
import { createServer, type Server } from 'node:http';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MOTO, type Moto, startMoto } from '../backends/moto.ts';
import { DriftBench, type Ran, REQUIRED } from '../drift/drift-bench.ts';
import { type Postgresql, postgresqlProgram, startPostgresql } from '../interop/postgresql.ts';

const HAS_POSTGRESQL =
  postgresqlProgram('initdb') !== undefined && postgresqlProgram('postgres') !== undefined;

it.runIf(process.env['CI'] === 'true')('has all servers', () => {
  expect({ MOTO, HAS_POSTGRESQL }).toEqual({ MOTO: true, HAS_POSTGRESQL: true });
});

const CANARY = 'canary-7d30';

/** The service: an object with a secret, one that refers to it, and its size. */
const service = (size: number, more = ''): string => `resource "life_thing" "db" {
  name   = "db"
  size   = ${size}
  secret = "${CANARY}"
}
resource "life_thing" "web" {
  name = "web"
  size = ${size}
  note = life_thing.db.id
}
${more}`;

/** A directory with a configuration whose state is in a backend. */
class Operator extends DriftBench {
  readonly #header: string;

  constructor(backend: string, environment: Readonly<Record<string, string>>) {
    super('', true, environment);
    this.#header = `${REQUIRED}${backend}`;
    this.configure(service(1));
  }

  configure(text: string): void {
    this.write('main.tf', this.#header + text);
  }

  /** Runs a command that has to succeed; nothing that it prints may be secret. */
  async ok(...args: readonly string[]): Promise<string> {
    return this.expectCode(0, await this.run(...args));
  }

  /** Runs a command that has to end with a code. */
  async fails(code: number, ...args: readonly string[]): Promise<string> {
    return this.expectCode(code, await this.run(...args));
  }

  expectCode(code: number, { exit, stdout, stderr }: Ran): string {
    const output = (stdout + stderr).replaceAll(/\s+/g, ' ');
    expect({ exit, output }).toEqual({ exit: code, output });
    expect(output).not.toContain(CANARY);
    return output;
  }

  /** Objects of the simulated service by file name, read without any state. */
  get objects(): Readonly<Record<string, unknown>> {
    const names = readdirSync(join(this.directory, 'cloud')).filter((name) =>
      name.endsWith('.json'),
    );
    return Object.fromEntries(names.sort().map((name) => [name, this.read(`cloud/${name}`)]));
  }

  /** Forgets everything that only this directory has. */
  leaveDirectory(): void {
    rmSync(join(this.directory, '.terraform'), { recursive: true, force: true });
  }
}

type Setting = readonly [backend: string, environment: Readonly<Record<string, string>>];

function work(setting: () => Setting): void {
  let operator: Operator;
  const start = async (): Promise<Operator> => {
    operator = new Operator(...setting());
    mkdirSync(join(operator.directory, 'cloud'), { recursive: true });
    await operator.ok('init', '-no-color');
    await operator.ok('apply', '-auto-approve', '-no-color');
    return operator;
  };
  afterEach(() => operator.dispose());

  it('finds drift, ignores it until a date, and accepts it', async () => {
    const bench = await start();
    await bench.ok('drift');
    const id =
      Object.keys(bench.objects)
        .find((name) => name.startsWith('db'))
        ?.slice(0, -5) ?? '';
    bench.change(id, { size: 5, secret: `${CANARY}-theirs` });
    const found = await bench.fails(2, 'drift', '-no-color');
    expect(found).toContain('~ life_thing.db');
    const rule = (until: string): string =>
      `ignore {\n  address = "life_thing.db"\n  until   = "${until}"\n  owner   = "ann"\n  reason  = "autumn sale"\n}\n`;
    bench.write('drift.hcl', rule('2999-01-01'));
    await bench.ok('drift');
    await bench.fails(3, 'drift', '-exit-ignored');
    bench.write('drift.hcl', rule('2020-01-01'));
    const expired = await bench.drift();
    expect({ exit: expired.exit, rules: expired.report.expired_rules.length }).toEqual({
      exit: 2,
      rules: 1,
    });
    expect(JSON.stringify(expired.report)).not.toContain(CANARY);
    rmSync(join(bench.directory, 'drift.hcl'));
    // What -accept says is what has to be done.
    const accepting = await bench.fails(2, 'drift', '-accept', '-no-color');
    expect(accepting).toContain('apply -refresh-only');
    await bench.ok('apply', '-refresh-only', '-auto-approve', '-no-color');
    bench.configure(service(1).replace('size   = 1', 'size   = 5'));
    await bench.ok('apply', '-auto-approve', '-no-color');
    await bench.ok('drift');
    await bench.ok('plan', '-detailed-exitcode');
  });

  it('undoes a bad apply, from a fresh directory, and finds it in the history', async () => {
    const bench = await start();
    const before = bench.objects;
    const cache = 'resource "life_thing" "cache" {\n  name = "cache"\n}\n';
    bench.configure(
      service(1, cache)
        .replace('  size   = 1\n', '  size   = 1\n  label  = "bad"\n')
        .replace('note = life_thing.db.id', 'note = "bad"'),
    );
    bench.write('control.json', JSON.stringify({ web: { update: 'fail' } }));
    const failed = await bench.fails(1, 'apply', '-auto-approve', '-no-color');
    expect(failed).toContain('was refused');
    rmSync(join(bench.directory, 'control.json'));
    expect(bench.objects).not.toEqual(before);
    bench.leaveDirectory();
    await bench.ok('init', '-no-color');
    const plan = await bench.ok('undo', '-no-color', '-out=undo.plan');
    expect(plan).toContain('life_thing.cache: delete');
    expect(plan).not.toContain('Lossy');
    await bench.ok('apply', '-no-color', 'undo.plan');
    const revisions = /"revision":\d+/g;
    const plain = (objects: object): string =>
      JSON.stringify(objects).replaceAll(/\\/g, '').replaceAll(revisions, '');
    expect(plain(bench.objects)).toBe(plain(before));
    const history: {
      readonly runs: readonly { readonly command: string; readonly outcome: string }[];
    } = JSON.parse((await bench.run('history', '-json')).stdout);
    expect(history.runs.map(({ command, outcome }) => `${command} ${outcome}`)).toEqual([
      'undo succeeded',
      'apply failed',
      'apply succeeded',
    ]);
    for (const line of ['history life_thing.db', 'history show last'])
      expect((await bench.run(...line.split(' '))).stdout).not.toContain(CANARY);
  });

  it('overrides a policy with a reason, which the history keeps', async () => {
    const bench = await start();
    bench.write(
      'small.policy.hcl',
      'resource_policy "life_thing" "small" {\n  enforcement_level = "mandatory_overridable"\n  enforce {\n    condition     = core::try(attrs.size, 0) < 5\n    error_message = "too large"\n  }\n}\n',
    );
    bench.configure(service(7));
    const state = (await bench.run('state', 'pull')).stdout;
    const refused = await bench.fails(1, 'apply', '-auto-approve', '-no-color', '-policies=.');
    expect(refused).toContain('too large');
    expect((await bench.run('state', 'pull')).stdout).toBe(state);
    const options = ['-policies=.', '-override-policy=small', '-reason=the sale'];
    await bench.ok('apply', '-auto-approve', '-no-color', ...options);
    const shown = await bench.ok('history', 'show', 'last');
    expect(shown).toContain('the sale');
  });
}

describe('an operator with the state in a file', () => {
  work(() => ['', {}]);

  it('gets back an object that a replacement could not delete', async () => {
    const bench = new Operator('', {});
    try {
      const web = (kind: string): string =>
        `resource "life_thing" "web" {\n  name = "web"\n  kind = "${kind}"\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n`;
      bench.configure(web('small'));
      await bench.ok('init', '-no-color');
      await bench.ok('apply', '-auto-approve', '-no-color');
      const before = bench.objects;
      bench.configure(web('large'));
      bench.write('control.json', JSON.stringify({ web: { delete: 'fail' } }));
      await bench.fails(1, 'apply', '-auto-approve', '-no-color');
      expect(Object.keys(bench.objects)).toHaveLength(2);
      rmSync(join(bench.directory, 'control.json'));
      const plan = await bench.ok('undo', '-no-color', '-out=undo.plan');
      expect(plan).toContain(
        'life_thing.web: nothing is planned; the former object still exists, as a deposed one, and becomes current again',
      );
      expect(plan).not.toContain('Lossy');
      await bench.ok('apply', '-no-color', 'undo.plan');
      expect(bench.objects).toEqual(before);
      bench.configure(web('small'));
      await bench.ok('plan', '-detailed-exitcode');
      // The history follows the object through both changes.
      expect(await bench.ok('history', 'life_thing.web')).toContain('restore');
    } finally {
      bench.dispose();
    }
  });
});

describe.runIf(MOTO)('an operator with the state in a bucket', () => {
  let moto: Moto;
  let count = 0;
  beforeAll(async () => {
    moto = await startMoto();
  });
  afterAll(() => moto.stop());
  work(() => [
    `terraform {
  backend "s3" {
    bucket                      = "bucket"
    key                         = "operator-${++count}"
    region                      = "us-east-1"
    use_path_style              = true
    use_lockfile                = true
    skip_credentials_validation = true
    skip_requesting_account_id  = true
    endpoints = { s3 = "${moto.endpoint}" }
  }
}
`,
    { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
  ]);
});

describe.runIf(HAS_POSTGRESQL)('an operator with the state in PostgreSQL', () => {
  let server: Postgresql;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgresql();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  work(() => [
    `terraform {
  backend "pg" {
    conn_str    = "postgres://postgres@127.0.0.1:${server.port}/postgres?sslmode=disable"
    schema_name = "operator_${++count}"
  }
}
`,
    {},
  ]);
});

describe('an operator with a module from the web', () => {
  let server: Server;
  let address: string;
  let size = '1';
  beforeAll(async () => {
    server = createServer((_, answer) => {
      const text = `variable "name" {}\noutput "label" {\n  value = "\${var.name}-${size}"\n}\n`;
      answer.end(zipSync({ 'main.tf': Buffer.from(text) }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const bound = server.address();
    address = typeof bound === 'object' && bound !== null ? `127.0.0.1:${bound.port}` : '';
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('gets an error for a modified module before any of it is used', async () => {
    const bench = new Operator('', {});
    try {
      bench.configure(
        service(
          1,
          `module "label" {\n  source = "http://${address}/label.zip"\n  name   = "x"\n}\n`,
        ),
      );
      const unknown = await bench.fails(1, 'init', '-no-color', '-lockfile=readonly');
      expect(unknown).toContain('is not recorded in .terraform.modules.lock.hcl');
      await bench.ok('init', '-no-color');
      await bench.ok('init', '-no-color', '-lockfile=readonly');
      bench.leaveDirectory();
      size = '2 # tampered';
      const refused = await bench.fails(1, 'init', '-no-color');
      expect(refused).toContain('Module package does not match the lock file');
      expect(bench.exists('.terraform/modules/label/main.tf')).toBe(false);
      await bench.ok('init', '-no-color', '-upgrade');
      await bench.ok('apply', '-auto-approve', '-no-color');
    } finally {
      bench.dispose();
    }
  });
});
