#!/usr/bin/env node
// Builds the published providers that the differential tests run `terraform` with, and lays them out
// as a filesystem mirror. Running it again is free: what is already built is kept.
//
//   node scripts/oracle/install-providers.mjs            build all, print the mirror's path
//   node scripts/oracle/install-providers.mjs --schemas DIR    also write `providers schema -json` per provider
//
// Environment:
//   TERRANE_ORACLE_CACHE    where builds go (default ~/.cache/terrane-oracle)
//   TERRANE_ORACLE_SOURCES  a folder of git repositories to build from instead of github.com; either
//                           `terraform-provider-<type>` or `hashicorp+terraform-provider-<type>/repo` in it
//
// Needs `go` and `git`. Modules of dependencies come through the ordinary Go module proxy. Only `time` is
// a module that the proxy offers at a current version; the others have go.mod paths without their major
// version, so their sources come from git.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
  copyFileSync,
  chmodSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The versions that the recorded results were made with. */
export const PROVIDERS = {
  random: { version: '3.9.0', tag: 'v3.9.0', from: 'git' },
  local: { version: '2.9.0', tag: 'v2.9.0', from: 'git' },
  null: { version: '3.3.1', tag: 'v3.3.1', from: 'git' },
  time: { version: '0.14.2', tag: 'v0.14.2', from: 'proxy' },
  tls: { version: '4.2.1', tag: 'v4.2.1', from: 'git' },
};

export function cacheDirectory() {
  return process.env.TERRANE_ORACLE_CACHE || join(homedir(), '.cache', 'terrane-oracle');
}

export function mirrorDirectory() {
  return join(cacheDirectory(), 'mirror');
}

/** `linux_amd64` and the like: the platform of this machine in Go's words. */
export function platform() {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = { x64: 'amd64', ia32: '386' }[process.arch] ?? process.arch;
  return `${os}_${arch}`;
}

function installedPath(type, version) {
  const name = `terraform-provider-${type}_v${version}_x5${process.platform === 'win32' ? '.exe' : ''}`;
  return join(
    mirrorDirectory(),
    'registry.terraform.io',
    'hashicorp',
    type,
    version,
    platform(),
    name,
  );
}

function run(command, args, options = {}) {
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
}

function sourceOf(type) {
  const sources = process.env.TERRANE_ORACLE_SOURCES;
  if (sources) {
    for (const name of [
      join(`hashicorp+terraform-provider-${type}`, 'repo'),
      `terraform-provider-${type}`,
    ]) {
      if (existsSync(join(sources, name))) return join(sources, name);
    }
  }
  return `https://github.com/hashicorp/terraform-provider-${type}`;
}

function build(type, { version, tag, from }) {
  const target = installedPath(type, version);
  if (existsSync(target)) return target;
  const work = mkdtempSync(join(tmpdir(), `terrane-oracle-${type}-`));
  try {
    const binary = join(work, 'out');
    mkdirSync(binary);
    const env = { ...process.env, GOBIN: binary, GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' };
    if (from === 'proxy') {
      run('go', ['install', `github.com/hashicorp/terraform-provider-${type}@${tag}`], {
        cwd: work,
        env,
      });
    } else {
      const source = join(work, 'source');
      run('git', [
        '-c',
        'advice.detachedHead=false',
        'clone',
        '--quiet',
        '--branch',
        tag,
        sourceOf(type),
        source,
      ]);
      run('go', ['install', '.'], { cwd: source, env });
    }
    const built = join(
      binary,
      `terraform-provider-${type}${process.platform === 'win32' ? '.exe' : ''}`,
    );
    mkdirSync(join(target, '..'), { recursive: true });
    copyFileSync(built, `${target}.partial`);
    chmodSync(`${target}.partial`, 0o755);
    renameSync(`${target}.partial`, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return target;
}

/** Text of a CLI configuration that installs providers from the mirror and from nowhere else. */
export function cliConfig(mirror = mirrorDirectory()) {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
}

function writeSchemas(directory) {
  mkdirSync(directory, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'terrane-oracle-schemas-'));
  try {
    const config = join(work, 'cli.tfrc');
    writeFileSync(config, cliConfig());
    const required = Object.entries(PROVIDERS)
      .map(
        ([type, { version }]) =>
          `    ${type} = {\n      source  = "hashicorp/${type}"\n      version = "${version}"\n    }\n`,
      )
      .join('');
    const project = join(work, 'project');
    mkdirSync(project);
    writeFileSync(
      join(project, 'main.tf'),
      `terraform {\n  required_providers {\n    terraform = {\n      source = "terraform.io/builtin/terraform"\n    }\n${required}  }\n}\n`,
    );
    const env = { ...process.env, TF_CLI_CONFIG_FILE: config, CHECKPOINT_DISABLE: '1' };
    run('terraform', ['init', '-no-color'], { cwd: project, env });
    const text = execFileSync('terraform', ['providers', 'schema', '-json'], {
      cwd: project,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const schemas = JSON.parse(text).provider_schemas;
    const lines = [];
    for (const [address, schema] of Object.entries(schemas)) {
      const type = address.split('/').at(-1);
      writeFileSync(join(directory, `${type}.json`), `${JSON.stringify(schema, null, 2)}\n`);
      lines.push(`${address} ${PROVIDERS[type]?.version ?? 'builtin'}`);
    }
    const terraform = JSON.parse(
      execFileSync('terraform', ['version', '-json'], { encoding: 'utf8', env }),
    );
    lines.push(`terraform ${terraform.terraform_version}`);
    writeFileSync(join(directory, 'VERSIONS'), `${lines.sort().join('\n')}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [type, provider] of Object.entries(PROVIDERS)) {
    console.error(`${type} ${provider.version}: ${build(type, provider)}`);
  }
  const at = process.argv.indexOf('--schemas');
  if (at !== -1) writeSchemas(process.argv[at + 1]);
  console.log(mirrorDirectory());
}
