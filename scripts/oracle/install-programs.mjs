#!/usr/bin/env node
// Builds releases of Terraform and OpenTofu that the differential tests compare Terrane with, from their Go
// modules. Running it again is free: what is already built is kept.
//
//   node scripts/oracle/install-programs.mjs                    all releases
//   node scripts/oracle/install-programs.mjs terraform-1.16     only the named ones
//   node scripts/oracle/install-programs.mjs --list             prints the names and where each program is
//
// Environment:
//   TERRANE_ORACLE_CACHE      where builds go (default ~/.cache/terrane-oracle)
//   TERRANE_ORACLE_<PROGRAM>  a program to use instead of a build, such as TERRANE_ORACLE_TERRAFORM_1_13. Programs
//                             under development have no module, so they are only found this way:
//                             TERRANE_ORACLE_TERRAFORM_DEV and TERRANE_ORACLE_TOFU_DEV.
//
// Needs `go`. Modules come through the ordinary Go module proxy. The archive of Terraform's module lacks its
// nested modules (most remote backends), so these are left out of the build; no differential case uses them.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
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

const TERRAFORM = 'github.com/hashicorp/terraform';
const OPENTOFU = 'github.com/opentofu/opentofu';

/** Reference programs by name. Those without a module exist only where the environment names them. */
export const PROGRAMS = {
  'terraform-1.12': { program: 'terraform', version: '1.12.2', module: TERRAFORM },
  'terraform-1.13': { program: 'terraform', version: '1.13.3', module: TERRAFORM },
  'terraform-1.14': { program: 'terraform', version: '1.14.3', module: TERRAFORM },
  'terraform-1.15': { program: 'terraform', version: '1.15.5', module: TERRAFORM },
  'terraform-1.16': { program: 'terraform', version: '1.16.0', module: TERRAFORM },
  'terraform-1.16-experiments': {
    program: 'terraform',
    version: '1.16.0',
    module: TERRAFORM,
    experiments: true,
  },
  'terraform-dev': { program: 'terraform', version: '1.17.0-dev' },
  'tofu-1.12': { program: 'tofu', version: '1.12.6', module: OPENTOFU, package: './cmd/tofu' },
  'tofu-dev': { program: 'tofu', version: '1.13.0-dev' },
};

/** The environment variable that names a program. */
export function programVariable(name) {
  return `TERRANE_ORACLE_${name.toUpperCase().replace(/[-.]/g, '_')}`;
}

function installedPath(name) {
  const { program, version, experiments } = PROGRAMS[name];
  const variant = experiments === true ? `${version}-experiments` : version;
  return join(cacheDirectory(), 'programs', `${program}-${variant}`, `${program}${EXECUTABLE}`);
}

/** The path of a reference program: as the environment says, else its build, else undefined. */
export function findProgram(name) {
  const named = process.env[programVariable(name)];
  if (named !== undefined && named !== '') return named;
  const { module } = PROGRAMS[name];
  return module !== undefined && existsSync(installedPath(name)) ? installedPath(name) : undefined;
}

function moduleDirectory(module, version) {
  const env = goEnvironment({ GOFLAGS: '-mod=mod' });
  const text = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text).Dir;
}

/** Files of a module are read-only in the cache, and so are their copies. */
function makeWritable(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else chmodSync(path, 0o644);
  }
}

/** Removes nested modules, which the archive of a module does not contain, from the requirements and imports. */
function leaveOutNestedModules(source, module) {
  const replaced = [
    ...readFileSync(join(source, 'go.mod'), 'utf8').matchAll(/^replace (\S+) => \.\//gm),
  ]
    .map((match) => match[1])
    .filter((path) => path.startsWith(`${module}/`));
  if (replaced.length === 0) return;
  const edits = replaced.flatMap((path) => [`-dropreplace=${path}`, `-droprequire=${path}`]);
  run('go', ['mod', 'edit', ...edits], { cwd: source, env: goEnvironment() });
  const backends = join(source, 'internal', 'backend', 'init', 'init.go');
  const lines = readFileSync(backends, 'utf8').split('\n');
  const dropped = lines
    .map((line) => /^\t(\w+) "(\S+)"$/.exec(line))
    .filter((match) => match !== null && replaced.includes(match[2]))
    .map((match) => match[1]);
  const kept = lines.filter(
    (line) => !dropped.some((name) => new RegExp(`\\b${name}\\b`).test(line)),
  );
  writeFileSync(backends, kept.join('\n'));
}

/** Builds a program unless it is built. Returns its path. */
export function buildProgram(name) {
  const { version, module, package: main = '.', experiments } = PROGRAMS[name];
  const target = installedPath(name);
  if (existsSync(target)) return target;
  return inTemporaryDirectory(name, (work) => {
    const source = join(work, 'source');
    cpSync(moduleDirectory(module, version), source, { recursive: true });
    makeWritable(source);
    leaveOutNestedModules(source, module);
    const settings = [`-X '${module}/version.dev=no'`];
    if (experiments === true) settings.push("-X 'main.experimentsAllowed=yes'");
    const built = join(work, `out${EXECUTABLE}`);
    // Without -trimpath the temporary path would keep packages from being taken from Go's build cache.
    run(
      'go',
      [
        'build',
        '-mod=mod',
        '-trimpath',
        '-ldflags',
        `-s -w ${settings.join(' ')}`,
        '-o',
        built,
        main,
      ],
      {
        cwd: source,
        env: goEnvironment(),
      },
    );
    keepExecutable(built, target);
    return target;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const named = args.filter((argument) => !argument.startsWith('--'));
  for (const name of named) {
    if (PROGRAMS[name]?.module === undefined) {
      console.error(`${name} cannot be built; run with --list for the names.`);
      process.exit(1);
    }
  }
  const all = Object.keys(PROGRAMS);
  if (args.includes('--list')) {
    for (const name of all) {
      const absent =
        PROGRAMS[name].module === undefined ? `set ${programVariable(name)}` : 'not built';
      console.log(`${name} ${PROGRAMS[name].version}: ${findProgram(name) ?? absent}`);
    }
  } else {
    const wanted =
      named.length > 0 ? named : all.filter((name) => PROGRAMS[name].module !== undefined);
    for (const name of wanted) {
      const start = Date.now();
      const path = buildProgram(name);
      console.error(`${name}: ${path} (${Math.round((Date.now() - start) / 1000)} s)`);
    }
  }
}
