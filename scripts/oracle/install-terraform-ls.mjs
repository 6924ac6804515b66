#!/usr/bin/env node
// Builds terraform-ls, which `npm run bench -- editor` measures beside Terrane's language server, and downloads the
// source of the release whose handler tests are an external suite of it. Running it again is free.
//
//   node scripts/oracle/install-terraform-ls.mjs             both
//   node scripts/oracle/install-terraform-ls.mjs --source    only the source of the tests
//
// Needs `go`. Modules come through the ordinary Go module proxy.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs';
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

const MODULE = 'github.com/hashicorp/terraform-ls';
/** The newest release whose requirements can all be downloaded. */
const PROGRAM_VERSION = '0.39.0';
/** The release whose tests are the external suite; they need no build. */
const TESTS_VERSION = '0.39.1';

/** The path of the program; undefined if it is not built. */
export function findTerraformLs() {
  const path = programPath();
  return existsSync(path) ? path : undefined;
}

function programPath() {
  return join(
    cacheDirectory(),
    'programs',
    `terraform-ls-${PROGRAM_VERSION}`,
    `terraform-ls${EXECUTABLE}`,
  );
}

/** The folder of a downloaded module in Go's cache; downloads it unless `offline`. Undefined if it cannot be had. */
function moduleDirectory(version, offline) {
  const env = goEnvironment({ GOFLAGS: '-mod=mod', ...(offline ? { GOPROXY: 'off' } : {}) });
  try {
    const text = execFileSync('go', ['mod', 'download', '-json', `${MODULE}@v${version}`], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(text).Dir;
  } catch {
    return undefined;
  }
}

/** The folder of the handler tests; undefined if their source was not downloaded. */
export function findHandlerTests() {
  const directory = moduleDirectory(TESTS_VERSION, true);
  return directory === undefined ? undefined : join(directory, 'internal/langserver/handlers');
}

function makeWritable(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) makeWritable(path);
    else chmodSync(path, 0o644);
  }
}

function buildProgram() {
  if (existsSync(programPath())) return;
  inTemporaryDirectory('terraform-ls', (work) => {
    const source = join(work, 'source');
    cpSync(moduleDirectory(PROGRAM_VERSION, false), source, { recursive: true });
    makeWritable(source);
    const built = join(work, `out${EXECUTABLE}`);
    const flags = ['-mod=mod', '-trimpath', '-ldflags', '-s -w'];
    run('go', ['build', ...flags, '-o', built, '.'], { cwd: source, env: goEnvironment() });
    keepExecutable(built, programPath());
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (moduleDirectory(TESTS_VERSION, false) === undefined) {
    console.error(`terraform-ls ${TESTS_VERSION} could not be downloaded`);
    process.exitCode = 1;
  }
  if (!process.argv.includes('--source')) buildProgram();
  console.log(`program: ${findTerraformLs()}\ntests: ${findHandlerTests()}`);
}
