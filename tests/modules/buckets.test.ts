// Packages in buckets: of S3 against moto, of Google against a server that answers as theirs, and in OCI registries.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../interop/free-port.ts';
import { Place, type Scenario, TERRAFORM } from './both-programs.ts';
import { ModuleServer } from './module-server.ts';

/** The server of `pip install 'moto[server]'`; scripts/install-moto.sh installs it. */
const moto = spawnSync('moto_server', ['--help']).status === 0;
const CI = process.env['CI'] === 'true';

let place: Place;
let zip: Uint8Array;

const init = ['init', '-no-color'] as const;
const calling = (sources: Readonly<Record<string, string>>): Scenario['files'] => ({
  'main.tf': Object.entries(sources)
    .map(([name, source]) => `module "${name}" {\n  source = "${source}"\n}\n`)
    .join('\n'),
});

beforeAll(async () => {
  place = await Place.make();
  await place.write({ 'pkg/main.tf': '', 'pkg/sub/main.tf': 'output "x" {\n  value = 1\n}\n' });
  await place.shell('pkg', "python3 -c \"import shutil; shutil.make_archive('../p','zip','.')\"");
  zip = await readFile(place.path('p.zip'));
});
afterAll(() => place.remove());

it.runIf(CI)('moto and terraform are there where everything is to be tested', () => {
  expect({ moto, TERRAFORM }).toEqual({ moto: true, TERRAFORM: true });
});

describe.runIf(moto)('buckets of S3', () => {
  let server: ChildProcess;
  let endpoint: string;
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

  beforeAll(async () => {
    const port = await freePort();
    endpoint = `http://127.0.0.1:${port}`;
    server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
    for (let attempt = 0; ; attempt++) {
      if (
        await fetch(`${endpoint}/bucket`, { method: 'PUT' }).then(
          (a) => a.ok,
          () => false,
        )
      )
        break;
      if (attempt > 1_200 || server.exitCode !== null) throw new Error('moto does not answer');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const put = async (name: string, body: string | Uint8Array): Promise<void> => {
      const answer = await fetch(`${endpoint}/bucket/${name}`, {
        method: 'PUT',
        body: Buffer.from(body),
      });
      expect(answer.ok).toBe(true);
    };
    await put('p.zip', zip);
    await put('dir/main.tf', '# in the bucket\n');
    await put('dir/in/a%20%26%20b.txt', 'x');
    await put('directory/main.tf', '# another\n');
  });
  afterAll(async () => {
    server.kill();
    await new Promise((resolve) => server.once('exit', resolve));
  });

  it('are read as archives and as directories, with the keys of the address', async () => {
    const login = 'aws_access_key_id=id&aws_access_key_secret=secret';
    const scenario: Scenario = {
      files: calling({
        a: `s3::${endpoint}/bucket/p.zip?${login}`,
        b: `s3::${endpoint}/bucket/p.zip//sub?${login}&region=eu-west-1`,
      }),
      steps: [['get', '-no-color']],
    };
    const { runs, tree, manifest } = await place.terrane(scenario);
    if (TERRAFORM) {
      // It shows the keys; the rest is the same.
      const theirs = await place.terraform(scenario);
      expect({ tree, manifest }).toEqual({ tree: theirs.tree, manifest: theirs.manifest });
    }
    expect(runs[0]?.code).toBe(0);
    expect(runs[0]?.output).not.toContain('secret=secret');
    expect(tree['.terraform/modules/a/sub/main.tf']).toBeDefined();
  });

  it('are read with keys of the environment and of profiles', async () => {
    await place.write({
      'aws/credentials': '[other]\naws_access_key_id = id\naws_secret_access_key = secret\n',
      'aws/config':
        '[profile other]\nregion = eu-west-1\n[profile run]\ncredential_process = echo \'{"Version":1,"AccessKeyId":"id","SecretAccessKey":"secret"}\'\n',
    });
    const files = calling({
      zip: `s3::${endpoint}/bucket/p.zip//sub`,
      dir: `s3::${endpoint}/bucket/dir`,
      slash: `s3::${endpoint}/bucket/dir/`,
    });
    const variants: readonly Readonly<Record<string, string>>[] = [
      keys,
      { AWS_PROFILE: 'other', AWS_SHARED_CREDENTIALS_FILE: place.path('aws/credentials') },
      { AWS_PROFILE: 'run', AWS_CONFIG_FILE: place.path('aws/config') },
    ];
    for (const env of variants) {
      const { runs, tree } = await place.terrane({ env, files, steps: [init] });
      expect(runs[0]?.code).toBe(0);
      const names = Object.keys(tree).filter((name) => name.startsWith('.terraform/modules/dir'));
      expect(names).toEqual([
        '.terraform/modules/dir',
        '.terraform/modules/dir/in',
        '.terraform/modules/dir/in/a & b.txt',
        '.terraform/modules/dir/main.tf',
      ]);
    }
  });

  it('use Amazon’s names if the environment redirects them', async () => {
    const { runs } = await place.terrane({
      env: { ...keys, AWS_ENDPOINT_URL_S3: endpoint },
      files: calling({
        old: 'bucket.s3.amazonaws.com/p.zip',
        dash: 's3-eu-west-1.amazonaws.com/bucket/p.zip//sub',
        vhost: 's3::https://bucket.s3.eu-west-1.amazonaws.com/p.zip',
        path: 's3::https://s3.eu-west-1.amazonaws.com/bucket/p.zip',
      }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(0);
  });

  it('are locked, and rejected when they change', async () => {
    const { runs } = await place.ownName({
      env: keys,
      files: calling({ m: `s3::${endpoint}/bucket/directory` }),
      steps: [init, init],
      changes: { 1: { '.terraform': undefined } },
      async before(step) {
        if (step !== 1) return;
        const answer = await fetch(`${endpoint}/bucket/directory/more.tf`, {
          method: 'PUT',
          body: Buffer.from('# changed\n'),
        });
        expect(answer.ok).toBe(true);
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 1]);
    expect(runs[1]?.output).toContain('Error: Module package does not match the lock file');
  });

  it.each([
    ['no such object', '/bucket/none.zip', 'NoSuchKey'],
    ['no such bucket', '/none/p.zip', 'NoSuchBucket'],
    ['nothing below a name', '/bucket/nothing', 'no objects found below nothing'],
    ['no object at all', '/bucket', 'URL is not a valid S3 compliant URL'],
  ])('fail with %s', async (_name, path, message) => {
    const { runs } = await place.terrane({
      env: keys,
      files: calling({ m: `s3::${endpoint}${path}` }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
    expect(runs[0]?.output.replace(/\s+/g, ' ')).toContain(message);
  });
});

describe('buckets of Google', () => {
  it('are read as archives and as directories', async () => {
    const server = await ModuleServer.start(false);
    const base = '/storage/v1/b/bucket/o';
    server.answers.set(base, (request) => {
      const second = request.url?.includes('pageToken=next') === true;
      const names = second ? ['dir/sub/main.tf'] : ['dir/', 'dir/main.tf', 'directory/x.tf'];
      const items = names.map((name) => ({ name }));
      return { body: JSON.stringify(second ? { items } : { items, nextPageToken: 'next' }) };
    });
    server.answers.set(`${base}/p.zip`, { body: zip });
    server.answers.set(`${base}/dir%2Fmain.tf`, { body: '# a\n' });
    server.answers.set(`${base}/dir%2Fsub%2Fmain.tf`, { body: '# b\n' });
    try {
      const env = { STORAGE_EMULATOR_HOST: server.url };
      const { runs, tree } = await place.terrane({
        env,
        files: calling({
          zip: 'gcs::https://www.googleapis.com/storage/v1/bucket/p.zip//sub',
          dir: 'www.googleapis.com/storage/v1/bucket/dir',
        }),
        steps: [init],
      });
      expect(runs[0]?.code).toBe(0);
      expect(
        Object.keys(tree).filter((name) => name.startsWith('.terraform/modules/dir/')),
      ).toEqual([
        '.terraform/modules/dir/main.tf',
        '.terraform/modules/dir/sub',
        '.terraform/modules/dir/sub/main.tf',
      ]);
      const missing = await place.terrane({
        env,
        files: calling({ m: 'gcs::https://www.googleapis.com/storage/v1/bucket/none.zip' }),
        steps: [init],
      });
      expect(missing.runs[0]?.output.replace(/\s+/g, ' ')).toContain(
        "storage: object doesn't exist",
      );
    } finally {
      await server.close();
    }
  });
});

describe('OCI registries', () => {
  it('give packages by tag and digest, to whom they know', async () => {
    const server = await ModuleServer.start();
    await place.write({ 'ca.pem': server.certificate });
    const sha = (bytes: string | Uint8Array): string =>
      `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const manifestOf = (layers: readonly unknown[], artifactType: string): string =>
      JSON.stringify({ schemaVersion: 2, mediaType: type, artifactType, layers });
    const ours = 'application/vnd.opentofu.modulepkg';
    const layer = { mediaType: 'archive/zip', digest: sha(zip), size: zip.length };
    const good = manifestOf([layer], ours);
    const { host } = new URL(server.url);
    const put = (name: string, body: string): void => {
      for (const reference of [name, sha(body)]) {
        server.answers.set(`/v2/a/mod/manifests/${reference}`, (request) =>
          request.headers.authorization === 'Bearer t0k3n'
            ? { headers: { 'content-type': type, 'docker-content-digest': sha(body) }, body }
            : {
                status: 401,
                headers: {
                  'www-authenticate': `Bearer realm="${server.url}/token",service="reg",scope="repository:a/mod:pull"`,
                },
              },
        );
      }
    };
    put('latest', good);
    put('other', manifestOf([layer], 'application/x'));
    put('empty', manifestOf([], ours));
    put('twice', manifestOf([layer, layer], ours));
    put('wrong', manifestOf([{ ...layer, digest: sha('x') }], ours));
    server.answers.set('/token', (request) =>
      request.url?.includes('scope=repository%3Aa%2Fmod%3Apull') === true
        ? { body: '{"token":"t0k3n"}' }
        : { status: 403 },
    );
    server.answers.set(`/v2/a/mod/blobs/${layer.digest}`, { body: zip });
    server.answers.set(`/v2/a/mod/blobs/${sha('x')}`, { body: zip });
    const env = { SSL_CERT_FILE: place.path('ca.pem') };
    try {
      const { runs, tree } = await place.terrane({
        env,
        files: calling({
          a: `oci://${host}/a/mod`,
          b: `oci://${host}/a/mod//sub?digest=${sha(good)}`,
        }),
        steps: [init],
      });
      expect(runs[0]?.code).toBe(0);
      expect(tree['.terraform/modules/b/sub/main.tf']).toBeDefined();
      const faults: readonly [string, string][] = [
        ['?tag=none', 'resolving tag'],
        ['?tag=other', 'unexpected artifact type "application/x"'],
        ['?tag=empty', 'image manifest contains no layers of types supported'],
        ['?tag=twice', 'multiple layers with media type "archive/zip"'],
        ['?tag=wrong', 'invalid blob returned from registry'],
        ['?tag=a&digest=sha256:00', 'invalid digest'],
        ['?ref=x', 'unsupported argument "ref"'],
        ['?archive=zip', 'the "archive" argument is not allowed for OCI sources'],
      ];
      for (const [query, message] of faults) {
        const files = calling({ m: `oci://${host}/a/mod${query}` });
        const failed = await place.terrane({ env, files, steps: [init] });
        expect(failed.runs[0]?.output.replace(/\s+/g, ' ')).toContain(message);
      }
    } finally {
      await server.close();
    }
  });
});
