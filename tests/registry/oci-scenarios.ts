// Packages and modules in an OCI registry of this machine, installed by OpenTofu or by Terrane: what is there afterwards.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { archiveOf, PLATFORM, sha256 } from './registry-server.ts';
import type { RegistryServer } from './registry-server.ts';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const PROVIDER = 'p/acme/thing';
const MODULE = 'mods/net';
const EMPTY = strToU8('{}');
const [OS = '', ARCH = ''] = PLATFORM.split('_');

/** One thing that is installed from an OCI registry. */
export interface OciScenario {
  readonly name: string;
  readonly publish: (registry: OciRegistry) => void;
  /** a version constraint of the provider, or the query of the module's source (`//sub?tag=1`) */
  readonly wants: { readonly provider: string } | { readonly module: string };
}

/** The result of a program. */
export interface OciOutcome {
  readonly code: number | null;
  /** what is installed, without the platform and OpenTofu's own lock */
  readonly files: readonly string[];
  /** of the lock file: the version and constraints, and how many checksums of which kinds */
  readonly lock: readonly string[];
}

/** Repositories of a registry. */
export class OciRegistry {
  readonly server: RegistryServer;
  /** who asks has to say name and password */
  closed = false;

  constructor(server: RegistryServer) {
    this.server = server;
    // OpenTofu tries its credentials there.
    this.#serve('/v2/', 'application/json', EMPTY);
  }

  #serve(path: string, type: string, bytes: Uint8Array): void {
    this.server.faults.set(path, (request, response) => {
      const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
      if (this.closed && request.headers.authorization !== basic) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="tests"' });
        response.end();
        return true;
      }
      response.writeHead(200, {
        'content-type': type,
        'content-length': bytes.length,
        'docker-content-digest': `sha256:${sha256(bytes)}`,
      });
      response.end(request.method === 'HEAD' ? undefined : bytes);
      return true;
    });
  }

  blob(repository: string, bytes: Uint8Array, served: Uint8Array = bytes): object {
    const digest = `sha256:${sha256(bytes)}`;
    this.#serve(`/v2/${repository}/blobs/${digest}`, 'application/octet-stream', served);
    return { mediaType: 'archive/zip', digest, size: bytes.length };
  }

  /** Serves a manifest under its digest and a tag; its descriptor. */
  manifest(repository: string, type: string, content: object, tag?: string): object {
    const bytes = strToU8(JSON.stringify({ schemaVersion: 2, mediaType: type, ...content }));
    const digest = `sha256:${sha256(bytes)}`;
    for (const reference of tag === undefined ? [digest] : [digest, tag]) {
      this.#serve(`/v2/${repository}/manifests/${reference}`, type, bytes);
    }
    return { mediaType: type, digest, size: bytes.length };
  }

  tags(repository: string, ...names: readonly string[]): void {
    const list = strToU8(JSON.stringify({ name: repository, tags: names }));
    this.#serve(`/v2/${repository}/tags/list`, 'application/json', list);
  }

  config(repository: string): object {
    const blob = this.blob(repository, EMPTY);
    return { ...blob, mediaType: 'application/vnd.oci.empty.v1+json' };
  }

  /** A version of the provider, as it is published by OpenTofu's instructions but for `changes`. */
  provider(version: string, changes: Changes = {}): void {
    const archive = archiveOf('thing', version, PLATFORM);
    const layer = this.blob(PROVIDER, archive, changes.served ?? archive);
    const artifactType = 'application/vnd.opentofu.provider-target';
    const target = this.manifest(PROVIDER, MANIFEST, {
      artifactType,
      config: this.config(PROVIDER),
      layers: changes.layers?.(layer) ?? [layer],
    });
    const platform = { os: OS, architecture: ARCH };
    this.manifest(
      PROVIDER,
      INDEX,
      {
        artifactType: 'application/vnd.opentofu.provider',
        manifests: [{ ...target, artifactType, platform, ...changes.descriptor }],
        ...changes.index,
      },
      version.replace('+', '_'),
    );
  }

  /** A module under a tag; the digest of its manifest. */
  module(tag: string, text: string, changes: Omit<Changes, 'index' | 'descriptor'> = {}): string {
    const archive = zipSync({
      'main.tf': strToU8(`output "v" {\n  value = "${text}"\n}\n`),
      'sub/main.tf': strToU8(''),
    });
    const layer = this.blob(MODULE, archive, changes.served ?? archive);
    const { digest } = this.manifest(
      MODULE,
      MANIFEST,
      {
        artifactType: changes.type ?? 'application/vnd.opentofu.modulepkg',
        config: this.config(MODULE),
        layers: changes.layers?.(layer) ?? [layer],
      },
      tag,
    ) as { readonly digest: string };
    return digest;
  }
}

interface Changes {
  readonly index?: object;
  readonly descriptor?: object;
  readonly layers?: (layer: object) => readonly object[];
  /** what comes in place of the archive */
  readonly served?: Uint8Array;
  readonly type?: string;
}

const versions =
  (...all: readonly string[]) =>
  (registry: OciRegistry) => {
    registry.tags(PROVIDER, ...all.map((each) => each.replace('+', '_')), 'latest', 'v9');
    for (const each of all) registry.provider(each);
  };
const changed = (changes: Changes) => (registry: OciRegistry) => {
  registry.tags(PROVIDER, '1.0.0');
  registry.provider('1.0.0', changes);
};
const any = { provider: '' };

/** All of them. */
export const OCI_SCENARIOS: readonly OciScenario[] = [
  { name: 'the newest release', publish: versions('1.0.0', '1.10.0', '1.9.3'), wants: any },
  {
    name: 'the newest that is allowed',
    publish: versions('1.0.0', '1.2.0', '2.0.0'),
    wants: { provider: '~> 1.0' },
  },
  { name: 'no preliminary release', publish: versions('1.0.0', '1.1.0-beta1'), wants: any },
  {
    name: 'a preliminary release by name',
    publish: versions('1.0.0', '1.1.0-beta1'),
    wants: { provider: '1.1.0-beta1' },
  },
  { name: 'a release with metadata', publish: versions('1.0.0', '1.1.0+build.5'), wants: any },
  { name: 'nothing that is allowed', publish: versions('1.0.0'), wants: { provider: '> 2.0' } },
  { name: 'no repository', publish: () => undefined, wants: any },
  {
    name: 'names and passwords',
    publish: (registry) => {
      registry.closed = true;
      versions('1.0.0')(registry);
    },
    wants: any,
  },
  {
    name: 'an index of another type',
    publish: changed({ index: { artifactType: 'text/x' } }),
    wants: any,
  },
  {
    name: 'another platform only',
    publish: changed({ descriptor: { platform: { os: 'plan9', architecture: 'mips' } } }),
    wants: any,
  },
  { name: 'no layer', publish: changed({ layers: () => [] }), wants: any },
  {
    name: 'two layers',
    publish: changed({ layers: (layer) => [layer, { ...layer, mediaType: 'text/plain' }] }),
    wants: any,
  },
  { name: 'two archives', publish: changed({ layers: (layer) => [layer, layer] }), wants: any },
  {
    name: 'another archive than the digest says',
    publish: changed({ served: archiveOf('thing', '6.6.6', PLATFORM) }),
    wants: any,
  },
  {
    name: 'a module: the tag latest',
    publish: (registry) => {
      registry.module('latest', 'newest');
      registry.module('1', 'first');
    },
    wants: { module: '' },
  },
  {
    name: 'a module: a tag, in a directory',
    publish: (registry) => void registry.module('1', 'first'),
    wants: { module: '//sub?tag=1' },
  },
  {
    name: 'a module: no such tag',
    publish: (registry) => void registry.module('1', 'first'),
    wants: { module: '?tag=2' },
  },
  {
    name: 'a module: no such directory',
    publish: (registry) => void registry.module('latest', 'x'),
    wants: { module: '//nowhere' },
  },
  {
    name: 'a module: of another type',
    publish: (registry) => void registry.module('latest', 'x', { type: 'text/x' }),
    wants: { module: '' },
  },
  {
    name: 'a module: no layer',
    publish: (registry) => void registry.module('latest', 'x', { layers: () => [] }),
    wants: { module: '' },
  },
  {
    name: 'a module: another archive than the digest says',
    publish: (registry) => void registry.module('latest', 'x', { served: EMPTY }),
    wants: { module: '' },
  },
  {
    name: 'a module: tag and digest',
    publish: (registry) => void registry.module('latest', 'x'),
    wants: { module: `?tag=latest&digest=sha256:${'0'.repeat(64)}` },
  },
  {
    name: 'a module: an argument that there is not',
    publish: (registry) => void registry.module('latest', 'x'),
    wants: { module: '?ref=latest' },
  },
];

/** Installs with a program, in a directory of its own. */
export async function installFromOci(
  program: string,
  server: RegistryServer,
  { publish, wants }: OciScenario,
): Promise<OciOutcome & { readonly output: string }> {
  server.faults.clear();
  publish(new OciRegistry(server));
  const directory = mkdtempSync(join(tmpdir(), 'terrane-oci-'));
  try {
    const project = join(directory, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'main.tf'), configurationOf(server.host, wants));
    writeFileSync(join(directory, 'cert.pem'), server.certificate);
    const configuration = join(directory, 'cli.tfrc');
    writeFileSync(
      configuration,
      `provider_installation {
  oci_mirror {
    repository_template = "${server.host}/p/$\{namespace}/$\{type}"
    include             = ["example.com/*/*"]
  }
}
oci_credentials "${server.host}" {
  username = "me"
  password = "secret"
}
`,
    );
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: directory,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: configuration,
      SSL_CERT_FILE: join(directory, 'cert.pem'),
    };
    const { code, output } = await run(
      program,
      ['init', '-no-color', '-input=false'],
      project,
      env,
    );
    const data = join(project, '.terraform');
    const files = ['providers', 'modules'].flatMap((part) => filesIn(join(data, part), data));
    return { code, files: code === 0 ? files : [], lock: lockOf(project), output };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function configurationOf(host: string, wants: OciScenario['wants']): string {
  if ('module' in wants) {
    return `module "m" {\n  source = "oci://${host}/${MODULE}${wants.module}"\n}\n`;
  }
  const version = wants.provider === '' ? '' : `, version = "${wants.provider}"`;
  return `terraform {\n  required_providers {\n    thing = { source = "example.com/acme/thing"${version} }\n  }\n}\n`;
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return await new Promise((done, fail) => {
    child.once('error', fail);
    child.on('close', (code) => done({ code, output }));
  });
}

function filesIn(folder: string, base: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith(`${PLATFORM}.lock`))
    .map((path) => relative(base, path).replaceAll(PLATFORM, 'PLATFORM'))
    .sort();
}

function lockOf(project: string): readonly string[] {
  const path = join(project, '.terraform.lock.hcl');
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const matches = text.match(/^ {2}(?:version|constraints) .*$|"(?:h1|zh):/gm) ?? [];
  return matches.map((each) => each.trim().replaceAll(/\s+/g, ' ').replace(/^"/, ''));
}
