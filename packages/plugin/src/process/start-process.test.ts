import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import type { Clock } from '@terrane/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlugin } from '../index.ts';
import { parseHandshake } from './handshake.ts';
import { parseReattach } from './reattach.ts';
import { StderrTail } from './stderr-tail.ts';

const host = nodeHost();
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Returns the error of starting a program as a plugin. */
async function problemOf(script: string | undefined, clock: Clock = host.clock): Promise<string> {
  const path = join(directory, 'plugin');
  if (script !== undefined) {
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }
  const plugin = openPlugin('example.com/acme/x', { kind: 'executable', path }, { ...host, clock });
  const { diagnostics = [] } = await plugin.create().schema();
  await plugin.close();
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['Failed to load plugin schemas']);
  return diagnostics[0]?.detail ?? '';
}

describe.skipIf(process.platform === 'win32')('a program that is no plugin', () => {
  it.each([
    [
      'prints something else',
      'echo why >&2; echo hello; sleep 60',
      /Unrecognized remote plugin message: hello\n[^]*standard error:\n\nwhy$/,
    ],
    [
      'ends at once',
      'echo "This binary is a plugin." >&2; exit 3',
      /ended with code 3\n\nThe plugin wrote this to its standard error:\n\nThis binary is a plugin\.$/,
    ],
    [
      'speaks an old core protocol',
      'echo "2|6|unix|/x|grpc"; sleep 60',
      /incompatible core API version with plugin\. Plugin version: 2/,
    ],
    [
      'speaks version 4',
      'echo "1|4|unix|/x|grpc"; sleep 60',
      /Incompatible API version with plugin\. Plugin version: 4/,
    ],
    ['offers no TLS', 'echo "1|6|unix|/x|grpc"; sleep 60', /offers no TLS/],
    ['is not there', undefined, /ENOENT/],
  ])('and %s', async (_, script, expected) => {
    expect(await problemOf(script)).toMatch(expected);
  });

  it.each(['203.0.113.1:80', 'example.com:80', '[2001:db8::1]:80', '127.0.0.1.example.com:80'])(
    'and listens at %s',
    async (address) => {
      const script = `echo "1|6|tcp|${address}|grpc|${'A'.repeat(60)}"; sleep 60`;
      expect(await problemOf(script)).toMatch(/which is not an address of this machine/);
    },
  );

  it('and prints nothing', async () => {
    const clock = { ...host.clock, sleep: () => host.clock.sleep(50) };
    expect(await problemOf('sleep 60', clock)).toMatch(/timeout while waiting for plugin to start/);
  });

  it('and violates the handshake', async () => {
    const certificate = 'A'.repeat(60);
    const plugin = openPlugin(
      'example.com/acme/x',
      { kind: 'executable', path: join(directory, 'plugin') },
      host,
    );
    writeFileSync(
      join(directory, 'plugin'),
      `#!/bin/sh\necho "1|6|unix|/nowhere|grpc|${certificate}"\nsleep 60\n`,
    );
    chmodSync(join(directory, 'plugin'), 0o755);
    const { diagnostics = [] } = await plugin.create().schema();
    await plugin.close();
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['error']);
  });
});

it.each([
  ['1|5|tcp|127.0.0.1:1234|grpc', { version: 5, network: 'tcp', address: '127.0.0.1:1234' }],
  [`1|6|unix|/tmp/x|grpc|${'c'.repeat(60)}\n`, { version: 6, certificate: 'c'.repeat(60) }],
  ['1|6|unix|/tmp/x|grpc|short|true', { certificate: undefined }],
])('the line %s is understood', (line, expected) => {
  expect(parseHandshake(line)).toMatchObject(expected);
});

it.each(['x|6|unix|/a|grpc', '1|6|pipe|/a|grpc', '1|6|unix|/a', '1|6|unix|/a|netrpc', ''])(
  'the line %j is rejected',
  (line) => {
    expect(() => parseHandshake(line)).toThrow();
  },
);

it('TF_REATTACH_PROVIDERS contains the addresses of running providers', () => {
  const text = JSON.stringify({
    'example.com/acme/x': {
      Protocol: 'grpc',
      ProtocolVersion: 6,
      Pid: 1,
      Test: true,
      Addr: { Network: 'unix', String: '/s' },
    },
    y: { Protocol: 'grpc', Addr: { Network: 'tcp', String: '127.0.0.1:1' } },
  });
  expect([...parseReattach(text)]).toEqual([
    ['example.com/acme/x', { version: 6, network: 'unix', address: '/s', certificate: undefined }],
    ['y', { version: 5, network: 'tcp', address: '127.0.0.1:1', certificate: undefined }],
  ]);
});

it.each([
  ['{', /Invalid format/],
  ['[]', /Invalid format/],
  ['{"x":{"Protocol":"netrpc"}}', /unsupported plugin protocol "netrpc"/],
  ['{"x":{"Protocol":"grpc","Addr":{"Network":"pipe"}}}', /Unknown address type "pipe" for "x"/],
  [
    '{"x":{"Protocol":"grpc","ProtocolVersion":7,"Addr":{"Network":"unix","String":"/s"}}}',
    /protocol 7/,
  ],
])('TF_REATTACH_PROVIDERS %s is rejected', (text, message) => {
  expect(() => parseReattach(text)).toThrow(message);
});

it('long messages of a plugin keep their beginning and their end, without log entries', () => {
  const tail = new StderrTail();
  tail.push('2026-01-02T03:04:05.678Z [DEBUG] secret');
  for (let i = 0; i < 300; i++) tail.push(`line ${i}`);
  const lines = tail.text().split('\n');
  expect([lines[0], lines[50], lines.at(-1), lines.length]).toEqual([
    'line 0',
    '… (200 lines)',
    'line 299',
    101,
  ]);
});
