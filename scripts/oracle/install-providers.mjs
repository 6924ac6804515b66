#!/usr/bin/env node
// Builds published providers that tests run `terraform` and Terrane with, and lays them out as a filesystem
// mirror. Running it again is free: what is already built is kept.
//
//   node scripts/oracle/install-providers.mjs               those of the differential tests; prints the mirror's path
//   node scripts/oracle/install-providers.mjs --interop     also those of tests/interop
//   node scripts/oracle/install-providers.mjs --reachable   leaves out, and names, those whose sources cannot be had
//   node scripts/oracle/install-providers.mjs --schemas DIR    also write `providers schema -json` per provider
//
// Environment:
//   TERRANE_ORACLE_CACHE    where builds go (default ~/.cache/terrane-oracle)
//   TERRANE_ORACLE_SOURCES  a folder of git repositories to build from instead of github.com; either
//                           `terraform-provider-<type>` or `<owner>+terraform-provider-<type>/repo` in it
//
// Needs `go` and `git`. Modules of dependencies come through the ordinary Go module proxy. Only what has a
// `module` is offered by the proxy in that version; the others have go.mod paths without their major version,
// so their sources come from git.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  EXECUTABLE,
  cacheDirectory,
  goEnvironment,
  inTemporaryDirectory,
  keepExecutable,
  run,
} from './builds.mjs';

export { cacheDirectory } from './builds.mjs';

/** The releases that the differential recordings were made with. */
export const PROVIDERS = {
  random: { version: '3.9.0' },
  local: { version: '2.9.0' },
  null: { version: '3.3.1' },
  time: { version: '0.14.2', module: 'github.com/hashicorp/terraform-provider-time' },
  tls: { version: '4.2.1' },
};

/** Further providers of tests/interop; the older ones use the first plugin SDK (protocol 5, legacy types). */
export const INTEROP = [
  { type: 'http', version: '3.6.0' },
  { type: 'archive', version: '2.8.0' },
  { type: 'external', version: '2.4.0' },
  { type: 'tfcoremock', version: '0.5.0' },
  { namespace: 'cyrilgdn', type: 'postgresql', version: '1.26.0' },
  {
    namespace: 'cyrilgdn',
    type: 'rabbitmq',
    version: '1.8.0',
    module: 'github.com/cyrilgdn/terraform-provider-rabbitmq',
  },
  {
    namespace: 'mastercard',
    type: 'restapi',
    version: '1.18.0',
    module: 'github.com/Mastercard/terraform-provider-restapi',
  },
  {
    namespace: 'ansible',
    type: 'ansible',
    version: '1.3.0',
    module: 'github.com/ansible/terraform-provider-ansible',
  },
  {
    type: 'http',
    version: '1.2.0',
    module: 'github.com/terraform-providers/terraform-provider-http',
  },
  {
    type: 'local',
    version: '1.4.0',
    module: 'github.com/terraform-providers/terraform-provider-local',
  },
];

export function mirrorDirectory() {
  return join(cacheDirectory(), 'mirror');
}

/** `linux_amd64` and the like: the platform of this machine in Go's words. */
export function platform() {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = { x64: 'amd64', ia32: '386' }[process.arch] ?? process.arch;
  return `${os}_${arch}`;
}

/** Returns the directory of a provider's package. */
export function packageDirectory({ namespace = 'hashicorp', type, version }) {
  return join(mirrorDirectory(), 'registry.terraform.io', namespace, type, version, platform());
}

function installedPath(provider) {
  const { type, version } = provider;
  return join(packageDirectory(provider), `terraform-provider-${type}_v${version}_x5${EXECUTABLE}`);
}

/** Returns true if a provider is installed. */
export function isInstalled(provider) {
  return existsSync(installedPath(provider));
}

function sourceOf({ namespace = 'hashicorp', type }) {
  const sources = process.env.TERRANE_ORACLE_SOURCES;
  if (sources) {
    for (const name of [
      join(`${namespace}+terraform-provider-${type}`, 'repo'),
      `terraform-provider-${type}`,
    ]) {
      if (existsSync(join(sources, name))) return join(sources, name);
    }
  }
  return `https://github.com/${namespace}/terraform-provider-${type}`;
}

function build(provider) {
  const { type, version, module } = provider;
  const target = installedPath(provider);
  if (existsSync(target)) return target;
  return inTemporaryDirectory(type, (work) => {
    const binary = join(work, 'out');
    mkdirSync(binary);
    const env = goEnvironment({ GOBIN: binary });
    if (module !== undefined) {
      // `go install MODULE@VERSION` refuses modules with replacements, and asks for more than one version.
      const text = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], {
        cwd: work,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // Older modules lack sums of some dependencies, which Go adds where it may write.
      const source = join(work, 'source');
      cpSync(JSON.parse(text).Dir, source, { recursive: true });
      run('chmod', ['-R', 'u+w', source]);
      run('go', ['install', '-mod=mod', '.'], { cwd: source, env });
    } else {
      const source = join(work, 'source');
      run('git', [
        '-c',
        'advice.detachedHead=false',
        'clone',
        '--quiet',
        '--depth=1',
        '--branch',
        `v${version}`,
        sourceOf(provider),
        source,
      ]);
      run('go', ['install', '.'], { cwd: source, env });
    }
    keepExecutable(join(binary, `terraform-provider-${type}${EXECUTABLE}`), target);
    return target;
  });
}

/** Text of a CLI configuration that installs providers from the mirror and from nowhere else. */
export function cliConfig(mirror = mirrorDirectory()) {
  return `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`;
}

function writeSchemas(directory) {
  mkdirSync(directory, { recursive: true });
  inTemporaryDirectory('schemas', (work) => {
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
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const differential = Object.entries(PROVIDERS).map(([type, rest]) => ({ type, ...rest }));
  const wanted = process.argv.includes('--interop') ? [...differential, ...INTEROP] : differential;
  for (const provider of wanted) {
    const name = `${provider.type} ${provider.version}`;
    try {
      console.error(`${name}: ${build(provider)}`);
    } catch (error) {
      if (!process.argv.includes('--reachable')) throw error;
      console.error(`${name}: NOT INSTALLED, its sources cannot be had here: ${error.message}`);
    }
  }
  const at = process.argv.indexOf('--schemas');
  if (at !== -1) writeSchemas(process.argv[at + 1]);
  console.log(mirrorDirectory());
}
