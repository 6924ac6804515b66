#!/usr/bin/env node
// Terrane with the published providers: its `init` installs them from the mirror, since the CLI configuration says
// so, and the other commands use them. Stands in for the program in runs of differential cases.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliConfig } from '../../scripts/oracle/install-providers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'interop-'));
const config = join(folder, 'cli.tfrc');
writeFileSync(config, cliConfig(process.env['INTEROP_MIRROR']));
// Called as terraform, as in the comparisons, since names of functions with an alias are refused then only.
const terrane = resolve(fileURLToPath(import.meta.url), '../../../packages/cli/dist/terraform.js');
const ran = spawnSync(process.execPath, [terrane, ...process.argv.slice(2)], {
  env: { ...process.env, TF_CLI_CONFIG_FILE: config },
  stdio: 'inherit',
});
rmSync(folder, { recursive: true, force: true });
process.exit(ran.status ?? 128);
