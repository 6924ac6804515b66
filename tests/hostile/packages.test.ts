// Packages of providers and modules from servers that lie: about sizes, checksums, signatures and places.
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModuleServer, pointingTo } from '../modules/module-server.ts';
import { breakingOff, makeKey, PLATFORM, RegistryServer } from '../registry/registry-server.ts';
import { type Ended, Work } from './fixture.ts';

const ADDRESS = 'acme/thing';
const ARCHIVE = `/files/${ADDRESS}/terraform-provider-thing_1.0.0_${PLATFORM}.zip`;

describe('a package of a provider', () => {
  let server: RegistryServer;
  let other: RegistryServer;
  beforeEach(async () => {
    server = await RegistryServer.start();
    other = await RegistryServer.start(server);
  });
  afterEach(async () => {
    await server.close();
    await other.close();
  });

  async function publish(more: object = {}): Promise<void> {
    const key = await makeKey();
    const release = { version: '1.0.0', platforms: [PLATFORM], protocols: ['5.0'], key };
    await server.publish(ADDRESS, [{ ...release, ...more }]);
  }

  /** Installs the provider with a token for its registry. Returns what was installed too. */
  async function init(): Promise<
    Ended & {
      readonly installed: readonly string[];
      readonly work: Work;
      readonly run: (args: readonly string[]) => Promise<Ended>;
    }
  > {
    const work = new Work({
      'main.tf': `terraform {\n  required_providers {\n    thing = { source = "${server.host}/${ADDRESS}" }\n  }\n}\n`,
      'ca.pem': server.certificate,
      'cli.tfrc': `credentials "${server.host}" {\n  token = "s3cret"\n}\n`,
    });
    const env = {
      SSL_CERT_FILE: work.at('ca.pem'),
      TF_CLI_CONFIG_FILE: work.at('cli.tfrc'),
      TF_REGISTRY_DISCOVERY_RETRY: '0',
      TF_PROVIDER_DOWNLOAD_RETRY: '0',
    };
    const run = (args: readonly string[]): Promise<Ended> => work.run([...args], { env });
    const ended = await run(['init', '-no-color', '-input=false']);
    const folder = work.at('.terraform/providers');
    const installed = existsSync(folder)
      ? readdirSync(folder, { recursive: true })
          .map(String)
          .filter((each) => /_v1/.test(each))
      : [];
    return { ...ended, installed, work, run };
  }

  it('is installed from a server that behaves', async () => {
    await publish();
    const { code, installed } = await init();
    expect(code).toBe(0);
    expect(installed.length).toBe(1);
  });

  it.each([
    [
      'is announced with 8 GiB',
      () => {
        server.faults.set(ARCHIVE, (_, response) => {
          response.writeHead(200, { 'content-length': String(8 * 1024 ** 3) });
          response.write('PK');
          return true;
        });
      },
    ],
    [
      'is cut short',
      () => {
        server.faults.set(ARCHIVE, breakingOff(server.file(ARCHIVE), 50, 9));
      },
    ],
    [
      'is cut short without a word',
      () => {
        const file = server.file(ARCHIVE);
        server.put(ARCHIVE, file.subarray(0, file.length - 30));
      },
    ],
    [
      'has other bytes',
      () => {
        const file = Uint8Array.from(server.file(ARCHIVE));
        file[40] = (file[40] ?? 0) ^ 1;
        server.put(ARCHIVE, file);
      },
    ],
    [
      'has other bytes with their checksum in the list',
      () => {
        const sums = `/files/${ADDRESS}/1.0.0_SHA256SUMS`;
        server.put(sums, `${'0'.repeat(64)}  ${ARCHIVE.split('/').at(-1)}\n`);
      },
    ],
    [
      'has no signature',
      () => {
        server.faults.set(`/files/${ADDRESS}/1.0.0_SHA256SUMS.sig`, (_, response) => {
          response.writeHead(404).end();
          return true;
        });
      },
    ],
    ['has an empty signature', () => server.put(`/files/${ADDRESS}/1.0.0_SHA256SUMS.sig`, '')],
    [
      'has an endless signature',
      () => {
        server.faults.set(`/files/${ADDRESS}/1.0.0_SHA256SUMS.sig`, (_, response) => {
          response.writeHead(200);
          const timer = setInterval(() => response.write('x'.repeat(1024 ** 2)), 1);
          response.once('close', () => clearInterval(timer));
          return true;
        });
      },
    ],
  ])('is not installed if it %s', async (_, attack) => {
    await publish();
    attack();
    const { code, stderr, installed } = await init();
    expect(stderr).toContain('Error: Failed to install provider');
    expect(code).toBe(1);
    expect(installed).toEqual([]);
  });

  it('is not run after its bytes were changed in place, with the size and times of before', async () => {
    await publish();
    const { code, installed, work, run } = await init();
    expect(code).toBe(0);
    const before = await run(['providers', 'schema', '-json']);
    const path = work.at('.terraform/providers', installed[0] ?? '');
    const { atime, mtime, size, ino } = statSync(path);
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const file = openSync(path, 'r+');
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
    utimesSync(path, atime, mtime);
    expect(statSync(path)).toMatchObject({ size, ino, mtimeMs: mtime.getTime() });
    const after = await run(['providers', 'schema', '-json']);
    expect(after.code).toBe(1);
    expect(before.stderr).not.toMatch(/checksum/);
    expect(after.stderr).toMatch(/does not match any of the checksums/);
  });

  it('is not installed if another key has signed it', async () => {
    await publish({ keys: [await makeKey()] });
    const { code, installed } = await init();
    expect(code).toBe(1);
    expect(installed).toEqual([]);
  });

  it('from another origin, also by redirect, does not get the token of the registry', async () => {
    await publish();
    other.put(ARCHIVE, server.file(ARCHIVE));
    server.faults.set(ARCHIVE, (_, response) => {
      response.writeHead(302, { location: `https://${other.host}${ARCHIVE}` }).end();
      return true;
    });
    const { code, installed } = await init();
    expect(code).toBe(0);
    expect(installed.length).toBe(1);
    expect(other.asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(other.asked)).not.toContain('s3cret');
  });
});

describe('a module', () => {
  let server: ModuleServer;
  beforeEach(async () => {
    server = await ModuleServer.start();
  });
  afterEach(() => server.close());

  /** Installs a module that the registry says is somewhere. Returns the directory. */
  async function init(location: string): Promise<Ended & { readonly work: Work }> {
    server.publish('acme/m/x', ['1.0.0'], () => pointingTo(location));
    const host = 'reg.example';
    const work = new Work({
      'main.tf': `module "m" {\n  source  = "${host}/acme/m/x"\n  version = "1.0.0"\n}\n`,
      'ca.pem': server.certificate,
      'secret/main.tf': 'output "secret" { value = 1 }\n',
      'cli.tfrc': `host "${host}" {\n  services = {\n    "modules.v1" = "${server.url}/v1/"\n  }\n}\n`,
    });
    const ended = await work.run(['init', '-no-color', '-input=false'], {
      env: {
        SSL_CERT_FILE: work.at('ca.pem'),
        TF_CLI_CONFIG_FILE: work.at('cli.tfrc'),
        GIT_TERMINAL_PROMPT: '0',
      },
    });
    return { ...ended, work };
  }

  it.each([
    'git::https://localhost:1/x.git?ref=--upload-pack=touch%20pwned',
    'git::https://localhost:1/x.git?ref=-opwned&depth=1',
    'git::ext::sh -c touch% pwned',
    'git::ext::sh%20-c%20touch%25%20pwned',
    'git::--upload-pack=touch pwned;',
    'git::ssh://-oProxyCommand=touch%20pwned/x',
    'git::-oProxyCommand=touch pwned@localhost:x',
    'hg::https://localhost:1/x?rev=--config=alias.update=!touch%20pwned',
    'hg::--config=hooks.pre-clone=touch pwned',
  ])('from %s runs no command', async (location) => {
    const { code, stderr, work } = await init(location);
    expect(stderr).toContain('Error: ');
    expect(code).toBe(1);
    const files = readdirSync(work.path, { recursive: true }).map(String);
    expect(files.filter((each) => each.includes('pwned'))).toEqual([]);
  });

  it.each([
    '/m.zip//../../../../secret',
    '/m.zip//..\\..\\..\\..\\secret',
    '/m.zip//a/../../../../../secret',
  ])('from %s is not a directory outside of its package', async (path) => {
    const { code, stderr, work } = await init(`${server.url}${path}`);
    expect(stderr).toContain('Error: ');
    expect(code).toBe(1);
    const manifest = work.at('.terraform/modules/modules.json');
    expect(existsSync(manifest) ? work.read('.terraform/modules/modules.json') : '').not.toMatch(
      /"Dir":"[^"]*secret/,
    );
  });

  it('with infinite recursion is rejected', async () => {
    server.answers.set('/again', pointingTo(`${server.url}/again`));
    const { code, stderr } = await init(`${server.url}/again`);
    expect(stderr).toContain('Failed to download module');
    expect(code).toBe(1);
    expect(server.asked.length).toBeLessThan(50);
  });
});
