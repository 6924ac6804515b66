import { type Zippable, zipSync } from 'fflate';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Place, type Scenario } from './both-programs.ts';
import { ModuleServer, pointingTo } from './module-server.ts';

let place: Place;
let server: ModuleServer;
let env: Record<string, string>;
let zip: Uint8Array;

const init = ['init', '-no-color'] as const;

beforeAll(async () => {
  place = await Place.make();
  server = await ModuleServer.start();
  await place.write({
    'pkg/main.tf': 'output "v" {\n  value = 1\n}\n',
    'pkg/run.sh': '#!/bin/sh\n',
    'pkg/.hidden': 'h',
    'pkg/modules/in/main.tf': 'module "up" {\n  source = "../../other"\n}\n',
    'pkg/other/main.tf': '',
    'pkg/empty/.keep': '',
    'ca.pem': server.certificate,
    rc: `host "example.com" {\n  services = {\n    "modules.v1" = "${server.url}/v1/"\n  }\n}\nhost "registry.terraform.io" {\n  services = {\n    "modules.v1" = "${server.url}/v1/"\n  }\n}\nhost "none.example.com" {\n  services = {}\n}\nhost "old.example.com" {\n  services = {\n    "modules.v2" = "${server.url}/v1/"\n  }\n}\nhost "gone.example.com" {\n  services = {\n    "modules.v1" = "https://localhost:1/v1/"\n  }\n}\ncredentials "example.com" {\n  token = "s3cr3t"\n}\n`,
  });
  await place.shell(
    'pkg',
    "chmod 755 run.sh && chmod 640 other/main.tf && ln -s main.tf link && tar czf ../p.tar.gz . && tar cjf ../p.tar.bz2 . && tar cJf ../p.tar.xz . && tar czf ../deep.tgz -C .. pkg && python3 -c \"import shutil; shutil.make_archive('../p','zip','.')\"",
  );
  for (const name of ['p.tar.gz', 'p.tar.bz2', 'p.tar.xz', 'p.zip', 'deep.tgz']) {
    server.answers.set(`/${name}`, { body: await readFile(place.path(name)) });
  }
  zip = await readFile(place.path('p.zip'));
  for (const name of ['p.tgz', 'p.tbz2', 'p.txz', 'plain']) {
    const from = { 'p.tgz': 'p.tar.gz', 'p.tbz2': 'p.tar.bz2', 'p.txz': 'p.tar.xz' }[name];
    server.answers.set(`/${name}`, { body: await readFile(place.path(from ?? 'p.zip')) });
  }
  env = {
    SSL_CERT_FILE: place.path('ca.pem'),
    TF_CLI_CONFIG_FILE: place.path('rc'),
    TERRANE_DEFAULT_REGISTRY: 'registry.terraform.io',
    TF_REGISTRY_DISCOVERY_RETRY: '0',
  };
});
afterAll(async () => {
  await server.close();
  await place.remove();
});
afterEach(() => {
  server.asked.length = 0;
});

const calling = (sources: Readonly<Record<string, string>>): Scenario['files'] => ({
  'main.tf': Object.entries(sources)
    .map(([name, source]) => {
      const [address = '', version] = source.split(' @ ');
      const rest = version === undefined ? '' : `  version = "${version}"\n`;
      return `module "${name}" {\n  source = "${address}"\n${rest}}\n`;
    })
    .join('\n'),
});

describe('archives on the web', () => {
  it('are unpacked, in any format', async () => {
    const { runs, tree } = await place.same({
      env,
      files: calling({
        zip: `${server.url}/p.zip`,
        gz: `${server.url}/p.tar.gz`,
        tgz: `${server.url}/p.tgz`,
        bz2: `${server.url}/p.tar.bz2`,
        tbz2: `${server.url}/p.tbz2//modules/in`,
        xz: `${server.url}/p.tar.xz`,
        txz: `${server.url}/p.txz//*/in`,
        told: `${server.url}/plain?archive=zip&x=1`,
        deep: `${server.url}/deep.tgz//pkg`,
        file: `${place.path('p.zip')}//modules/in`,
      }),
      steps: [init, ['validate', '-no-color']],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(tree['.terraform/modules/gz/run.sh']).toMatch(/^755 /);
    expect(tree['.terraform/modules/gz/other/main.tf']).toMatch(/^640 /);
  });

  it('are checked by their sums', async () => {
    const of = (type: string): string => createHash(type).update(zip).digest('hex');
    server.answers.set('/SUMS', { body: `${of('sha256')}  p.zip\n${'0'.repeat(64)}  other.zip\n` });
    server.answers.set('/BSD', { body: `SHA256 (p.zip) = ${of('sha256')}\n` });
    const { runs } = await place.same({
      env,
      files: calling({
        a: `${server.url}/p.zip?checksum=sha256:${of('sha256')}`,
        b: `${server.url}/p.zip?checksum=${of('md5')}`,
        c: `${server.url}/p.zip?checksum=sha512:${of('sha512')}`,
        d: `${server.url}/p.zip?checksum=file:${server.url}/SUMS`,
        e: `${server.url}/p.zip?checksum=file:${server.url}/BSD`,
      }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(0);
  });

  const faults: readonly [string, () => string][] = [
    ['a wrong type of sum', () => '/p.zip?checksum=crc:00'],
    ['a sum that is none', () => '/p.zip?checksum=sha256:xyz'],
    ['a sum of a strange length', () => '/p.zip?checksum=abcd'],
    ['a list without the file', () => `/p.zip?checksum=file:${server.url}/EMPTY`],
    ['no such file', () => '/nothing.zip'],
    ['a server that fails', () => '/broken.zip'],
    ['something else than an archive', () => '/text.zip'],
    ['a file that is only compressed', () => '/p.gz'],
    ['an archive that climbs out', () => '/evil.zip'],
    ['a tar archive that climbs out', () => '/evil.tar.gz'],
    ['a page that says nothing', () => '/page'],
    ['a page that points nowhere', () => '/pointless'],
    ['a page that points to itself', () => '/circle'],
    ['a page that points to a strange getter', () => '/strange'],
    ['no such page', () => '/none'],
  ];
  it.each(faults)('fail with %s', async (_name, path) => {
    const entry: Zippable = { '../evil.tf': new TextEncoder().encode('x') };
    await place.write({ 'evil/x.tf': 'x' });
    await place.shell(
      'evil',
      'tar czf ../evil.tar.gz --absolute-names --transform "s,^,../../," x.tf && tar czf ../empty.tar.gz -T /dev/null',
    );
    server.answers.set('/EMPTY', { body: 'nothing of use\n' });
    server.answers.set('/broken.zip', { status: 500 });
    server.answers.set('/text.zip', { body: 'this is text' });
    server.answers.set('/text.tar.gz', { body: 'this is text' });
    server.answers.set('/p.gz', { body: zip });
    server.answers.set('/empty.tar.gz', { body: await readFile(place.path('empty.tar.gz')) });
    server.answers.set('/evil.zip', { body: zipSync(entry) });
    server.answers.set('/evil.tar.gz', { body: await readFile(place.path('evil.tar.gz')) });
    server.answers.set('/page', { body: '<html><body>hi</body></html>' });
    server.answers.set('/pointless', { headers: { 'X-Terraform-Get': './here' } });
    server.answers.set('/circle', { headers: { 'X-Terraform-Get': `${server.url}/circle` } });
    server.answers.set('/strange', { headers: { 'X-Terraform-Get': 'ftp://localhost/x' } });
    const { runs } = await place.same({
      env,
      files: calling({ m: `${server.url}${path()}` }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
  });

  it('that are none, or are empty, are named', async () => {
    await place.shell('pkg', 'tar czf ../empty.tar.gz -T /dev/null');
    server.answers.set('/text.tar.gz', { body: 'this is text' });
    server.answers.set('/empty.tar.gz', { body: await readFile(place.path('empty.tar.gz')) });
    const { runs } = await place.terrane({
      env,
      files: calling({ a: `${server.url}/text.tar.gz`, b: `${server.url}/empty.tar.gz` }),
      steps: [init],
    });
    const output = runs[0]?.output.replace(/\s+/g, ' ');
    expect(output).toContain('Error opening a gzip reader for text.tar.gz: gzip: invalid header');
    expect(output).toContain('empty archive: empty.tar.gz');
  });

  it('that break off leave nothing', async () => {
    server.answers.set('/short.zip', {
      body: zip.subarray(0, 40),
      headers: { 'content-length': '4000' },
    });
    const { runs, tree } = await place.terrane({
      env,
      files: calling({ m: `${server.url}/short.zip` }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(1);
    expect(Object.keys(tree).filter((name) => name.startsWith('.terraform/modules/'))).toEqual([]);
  });

  it('are found by headers and pages that point to them', async () => {
    const to = `${server.url}/p.zip`;
    server.answers.set('/header', { headers: { 'X-Terraform-Get': `${to}//other` } });
    server.answers.set('/header2', { headers: { 'X-Terraform-Get': `${server.url}/meta` } });
    server.answers.set('/meta', {
      body: `<!DOCTYPE html>\n<html><head><META charset=utf-8 />\n<meta name="terraform-get" content="${to}?x=1&amp;y=2"></head><body></body></html>`,
    });
    server.answers.set('/togit', {
      headers: { 'X-Terraform-Get': `git::file://${place.path('repo')}//sub` },
    });
    await place.write({ 'repo/sub/main.tf': '' });
    await place.shell(
      'repo',
      'test -d .git || git init -q -b main && git add -A && git commit -qm x || true',
    );
    const { runs } = await place.same({
      env,
      files: calling({
        header: `${server.url}/header`,
        header2: `${server.url}/header2//other`,
        meta: `${server.url}/meta`,
        togit: `${server.url}/togit`,
      }),
      steps: [init],
    });
    expect(runs[0]?.code).toBe(0);
  });

  it('are requested with netrc credentials, for that host only', async () => {
    server.answers.set('/private.zip', (request) =>
      request.headers.authorization === `Basic ${Buffer.from('joe:pass word').toString('base64')}`
        ? { body: zip }
        : { status: 401 },
    );
    const port = new URL(server.url).host;
    await writeFile(
      place.path('netrc'),
      `# c\nmachine other login x password y\nmachine ${port}\n  login joe\n  password passed\n`,
    );
    server.answers.set('/netrc.zip', (request) =>
      request.headers.authorization === `Basic ${Buffer.from('joe:passed').toString('base64')}`
        ? { body: zip }
        : { status: 401 },
    );
    const { runs } = await place.terrane({
      env: { ...env, NETRC: place.path('netrc') },
      files: calling({
        n: `${server.url}/netrc.zip`,
        u: `${server.url.replace('https://', 'https://joe:pass%20word@')}/private.zip`,
        bad: `${server.url}/private.zip`,
      }),
      steps: [['get', '-no-color']],
    });
    expect(runs[0]?.output).toContain('- n in .terraform/modules/n\n');
    expect(runs[0]?.output).toContain('- u in .terraform/modules/u\n');
    expect(runs[0]?.output).toContain('bad response code: 401');
    expect(runs[0]?.output).not.toContain('pass%20word');
  });
});

describe('modules of registries', () => {
  const json = (value: unknown) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

  it('are chosen by version', async () => {
    const at = (version: string): string => `${server.url}/p.zip?v=${version}`;
    const versions = ['0.9.0', '1.0.0', '1.1.0-beta', '1.1.0', '1.2.0-rc1', '1.1.5', '2.0.0-alpha'];
    server.publish('acme/net/aws', versions, (version) => pointingTo(at(version)));
    server.publish('acme/sub/aws', ['1.0.0'], () => pointingTo(`${server.url}/p.zip//modules`));
    server.publish('acme/relative/aws', ['1.0.0'], () => pointingTo('/p.zip?archive=zip'));
    const { runs } = await place.same({
      env,
      files: calling({
        latest: 'example.com/acme/net/aws',
        one: 'example.com/acme/net/aws @ ~> 1.0',
        pre: 'example.com/acme/net/aws @ 1.2.0-rc1',
        exact: 'example.com/acme/net/aws @ = 1.0',
        sub: 'example.com/acme/net/aws//modules/in @ < 1.1.0',
        both: 'example.com/acme/sub/aws//in',
        implied: 'acme/net/aws @ 0.9.0',
        relative: 'example.com/acme/relative/aws',
      }),
      steps: [
        init,
        init,
        ['get', '-update', '-no-color'],
        ['validate', '-no-color'],
        ['validate', '-no-color'],
        init,
      ],
      changes: {
        4: calling({
          latest: 'example.com/acme/net/aws @ < 1.0.0',
          one: 'acme/net/aws @ ~> 1.0',
          plain: `${server.url}/p.zip`,
        }),
      },
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1, 0]);
    const asked = server.asked.filter(({ url }) => url.startsWith('/v1/'));
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer s3cr3t', undefined]),
    );
  });

  const faults: readonly [string, string][] = [
    ['no such module', 'example.com/acme/none/aws'],
    ['no version that fits', 'example.com/acme/net/aws @ 9.9.9'],
    ['no versions', 'example.com/acme/empty/aws'],
    ['only prereleases', 'example.com/acme/pre/aws'],
    ['versions that are none', 'example.com/acme/bad/aws'],
    ['an answer without modules', 'example.com/acme/without/aws'],
    ['a registry that fails', 'example.com/acme/fails/aws'],
    ['no location', 'example.com/acme/nowhere/aws'],
    ['a location that is gone', 'example.com/acme/gone/aws'],
    ['a location that fails', 'example.com/acme/locfails/aws'],
    ['a location in the registry', 'example.com/acme/again/aws'],
    ['a location that is nonsense', 'example.com/acme/nonsense/aws'],
    ['a package that is gone', 'example.com/acme/missing/aws'],
    ['no such submodule', 'example.com/acme/net/aws//modules/none'],
    ['a host without registry', 'none.example.com/acme/net/aws'],
    ['a host with another registry', 'old.example.com/acme/net/aws'],
    ['a host that does not answer', 'gone.example.com/acme/net/aws'],
  ];
  it.each(faults)('fail with %s', async (_name, source) => {
    const at = (address: string, location: ReturnType<typeof pointingTo>): void =>
      server.publish(address, ['1.0.0'], () => location);
    server.publish('acme/net/aws', ['1.0.0'], () => pointingTo(`${server.url}/p.zip`));
    server.publish('acme/empty/aws', [], () => ({}));
    server.publish('acme/pre/aws', ['1.0.0-beta'], () => ({}));
    server.publish('acme/bad/aws', ['x', '', '1.0.0.'], () => ({}));
    server.answers.set('/v1/acme/without/aws/versions', json({ modules: [] }));
    server.answers.set('/v1/acme/text/aws/versions', { body: 'text' });
    server.answers.set('/v1/acme/fails/aws/versions', { status: 403 });
    at('acme/nowhere/aws', { status: 204 });
    at('acme/gone/aws', { status: 404 });
    at('acme/locfails/aws', { status: 400, body: 'no' });
    at('acme/again/aws', pointingTo('acme/net/aws'));
    at('acme/nonsense/aws', pointingTo('nonsense'));
    at('acme/missing/aws', pointingTo(`${server.url}/none.zip`));
    const { runs } = await place.same({ env, files: calling({ m: source }), steps: [init] });
    expect(runs[0]?.code).toBe(1);
  });

  it('are found by answers of OpenTofu’s protocol too', async () => {
    server.publish('acme/tofu/aws', ['1.0.0'], () => json({ location: `${server.url}/p.zip` }));
    server.publish('acme/direct/aws', ['1.0.0'], () =>
      json({ location: '/direct', use_registry_credentials: true }),
    );
    server.answers.set('/direct', (request) =>
      request.headers.authorization === 'Bearer s3cr3t' ? { body: zip } : { status: 401 },
    );
    const { runs, manifest } = await place.terrane({
      env,
      files: calling({
        a: 'example.com/acme/tofu/aws',
        b: 'example.com/acme/direct/aws//modules/in',
      }),
      steps: [init, ['validate', '-no-color']],
    });
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(manifest).toContain('.terraform/modules/b/modules/in');
  });
});
