#!/usr/bin/env node
// Terrane in a project where `terraform init` has installed the published providers: before `init`, the
// real one runs. Stands in for the program in runs of differential cases.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliConfig } from '../../scripts/oracle/install-providers.mjs';

const args = process.argv.slice(2);
if (args.includes('init')) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  const config = join(folder, 'cli.tfrc');
  writeFileSync(config, cliConfig(process.env['INTEROP_MIRROR']));
  // What is wrong with the configuration is for Terrane to say.
  const upgrade = args.includes('-upgrade') ? ['-upgrade'] : [];
  spawnSync('terraform', ['init', '-input=false', '-backend=false', ...upgrade], {
    env: { ...process.env, TF_CLI_CONFIG_FILE: config },
    stdio: 'ignore',
  });
  rmSync(folder, { recursive: true, force: true });
}
const terrane = resolve(fileURLToPath(import.meta.url), '../../../bin/terrane');
const ran = spawnSync(terrane, args, { stdio: 'inherit' });
process.exit(ran.status ?? 128);
