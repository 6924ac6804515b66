// Programs that are no plugins, or break off before they are any: the run ends and names the provider.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { GOOD } from './cases.ts';
import { environmentOf, workDirectory } from './run-case.ts';

const command = resolve(import.meta.dirname, '../../bin/terrane');
const SH = '#!/bin/sh\n';
const STATE = JSON.stringify({
  version: 4,
  terraform_version: '1.11.4',
  serial: 3,
  lineage: '8c0b8bbb-5ea2-4c2c-9a8e-3d3b9d6f0a10',
  outputs: {},
  resources: [],
  check_results: null,
});

test.each([
  [
    'garbage on standard output',
    `${SH}echo 'Hello, is anybody there?'; sleep 5`,
    'Hello, is anybody there?',
  ],
  ['bytes that are no text', `${SH}printf '\\377\\376\\000\\001\\n'; sleep 5`, ''],
  ['a handshake with too few parts', `${SH}echo '1|6|unix'; sleep 5`, '1|6|unix'],
  ['another core protocol', `${SH}echo '2|6|unix|/tmp/x|grpc|'; sleep 5`, 'core API version'],
  ['an unknown plugin protocol', `${SH}echo '1|9|unix|/tmp/x|grpc|'; sleep 5`, '9'],
  ['a plugin that speaks net/rpc', `${SH}echo '1|6|unix|/tmp/x|netrpc|'; sleep 5`, 'netrpc'],
  ['an unknown network', `${SH}echo '1|6|pigeon|/tmp/x|grpc|'; sleep 5`, 'pigeon'],
  [
    'a socket that nobody listens on',
    `${SH}echo '1|6|unix|/nonexistent/socket|grpc|'; sleep 20`,
    '',
  ],
  [
    'a certificate that is none',
    `${SH}echo '1|6|unix|/tmp/x|grpc|bm8gY2VydGlmaWNhdGU'; sleep 20`,
    '',
  ],
  ['an end before the handshake', `${SH}echo 'no license' >&2; exit 3`, 'no license'],
  ['an end by a signal', `${SH}kill -9 $$`, ''],
  ['an empty program', ``, ''],
  ['a program for another machine', `\u007fELF nonsense`, ''],
])('%s', (_, program, expectedText) => {
  const plugin = workDirectory('/nowhere');
  mkdirSync(join(plugin, 'bin'));
  const path = join(plugin, 'bin/terraform-provider-breaker');
  writeFileSync(path, program);
  chmodSync(path, 0o755);
  const work = workDirectory(join(plugin, 'bin'));
  try {
    writeFileSync(join(work, 'main.tf'), GOOD);
    writeFileSync(join(work, 'terraform.tfstate'), STATE);
    const ran = spawnSync(command, ['apply', '-auto-approve', '-no-color'], {
      cwd: work,
      env: environmentOf(work),
      encoding: 'utf8',
      timeout: 300_000,
    });
    const text = ran.stderr.replaceAll(/\s+/g, ' ');
    expect(ran.status, text).toBe(1);
    expect(text).toContain('Error: Failed to load plugin schemas');
    expect(text).toContain('registry.terraform.io/acme/breaker');
    expect(text).toContain(expectedText);
    expect(readFileSync(join(work, 'terraform.tfstate'), 'utf8')).toBe(STATE);
  } finally {
    rmSync(work, { recursive: true });
    rmSync(plugin, { recursive: true });
  }
});
