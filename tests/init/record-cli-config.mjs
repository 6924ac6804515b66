#!/usr/bin/env node
// Writes into cli-config.json what the real terraform tells about each text as a CLI configuration file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const path = new URL('cli-config.json', import.meta.url);
const cases = JSON.parse(readFileSync(path, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'cli-config-'));
const env = { PATH: process.env['PATH'], HOME: folder, TF_CLI_CONFIG_FILE: 'rc' };
for (const each of cases) {
  writeFileSync(join(folder, 'rc'), each.text);
  const ran = spawnSync('terraform', ['version'], {
    cwd: folder,
    env: { ...env, CHECKPOINT_DISABLE: '1' },
    encoding: 'utf8',
  });
  each.told = ran.stderr;
}
rmSync(folder, { recursive: true });
writeFileSync(path, `${JSON.stringify(cases, undefined, 2)}\n`);
