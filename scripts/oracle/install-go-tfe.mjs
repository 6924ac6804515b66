#!/usr/bin/env node
// Compiles the integration tests of go-tfe, the client library of the HCP Terraform API, with which
// `npm run test:go-tfe` examines the run server. Running it again is free.
//
//   node scripts/oracle/install-go-tfe.mjs [VERSION...]
//
// Needs `go`. Modules come through the ordinary Go module proxy.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, chmodSync } from 'node:fs';
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

const MODULE = 'github.com/hashicorp/go-tfe';
/** Releases whose tests are run, newest first. */
export const GO_TFE_VERSIONS = ['1.108.0', '1.105.0'];

/** The compiled tests and the source of a release; undefined if they are not installed. */
export function findGoTfe(version = GO_TFE_VERSIONS[0]) {
  const directory = installDirectory(version);
  const program = join(directory, `tests${EXECUTABLE}`);
  return existsSync(program) ? { program, source: join(directory, 'source') } : undefined;
}

const installDirectory = (version) => join(cacheDirectory(), 'programs', `go-tfe-${version}`);

function download(version) {
  const text = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@v${version}`], {
    env: goEnvironment({ GOFLAGS: '-mod=mod' }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text).Dir;
}

function makeWritable(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(directory, entry.name));
    else chmodSync(join(directory, entry.name), 0o644);
  }
}

/** Compiles the tests of a release, unless they are there. */
function install(version) {
  if (findGoTfe(version) !== undefined) return;
  const source = join(installDirectory(version), 'source');
  mkdirSync(installDirectory(version), { recursive: true });
  cpSync(download(version), source, { recursive: true });
  makeWritable(source);
  inTemporaryDirectory('go-tfe', (work) => {
    const built = join(work, `tests${EXECUTABLE}`);
    const env = goEnvironment({ GOFLAGS: '-mod=mod -buildvcs=false' });
    run('go', ['test', '-c', '-ldflags', '-s -w', '-o', built, '.'], { cwd: source, env });
    keepExecutable(built, join(installDirectory(version), `tests${EXECUTABLE}`));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const versions = process.argv.slice(2);
  for (const version of versions.length > 0 ? versions : GO_TFE_VERSIONS.slice(0, 1)) {
    install(version);
    console.log(findGoTfe(version)?.program);
  }
}
