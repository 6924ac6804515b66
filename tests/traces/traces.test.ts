// The built program tells a collector what takes how long, where the environment asks for that.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Collector, type SentSpan } from './collector.ts';
import { GrpcCollector } from './grpc-collector.ts';

const SECRET = 'do-not-tell-a7f3';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-traces-'));
  onTestFinished(() => rmSync(work, { recursive: true }));
  writeFileSync(
    join(work, 'main.tf'),
    `variable "password" {
  type      = string
  sensitive = true
}

resource "terraform_data" "kept" {
  for_each = toset(["a", "b"])
  input    = "\${each.key}\${var.password}"
}

resource "random_integer" "dice" {
  min = length(terraform_data.kept)
  max = 6
}
`,
  );
});

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const terrane = join(import.meta.dirname, '../../packages/cli/dist/terrane.js');
  const child = spawn(process.execPath, [terrane, ...args], {
    cwd: work,
    env: { PATH: process.env['PATH'] ?? '', HOME: work, TF_VAR_password: SECRET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, stdout, stderr };
}

const traced = (collector: Collector): Record<string, string> => ({
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
});

function below(spans: readonly SentSpan[], parent: SentSpan | undefined): readonly SentSpan[] {
  return spans.filter((span) => span.parentSpanId === parent?.spanId);
}

test('an apply is exported as one trace, down to the calls of providers, without values', async () => {
  await using collector = await Collector.start();
  const environment = { ...traced(collector), TRACEPARENT: `00-${TRACE}-${PARENT}-01` };
  const done = await run(['apply', '-auto-approve'], environment);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const spans = collector.spans();
  expect(collector.sent.every(({ path }) => path === '/v1/traces')).toBe(true);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const root = spans.find(({ name }) => name === 'terrane apply');
  expect(root).toMatchObject({
    parentSpanId: PARENT,
    isError: false,
    attributes: { 'terrane.command': 'apply', 'process.exit.code': 0 },
  });
  const phases = below(spans, root);
  const [planning] = phases.filter(({ name }) => name === 'plan');
  const [applying] = phases.filter(({ name }) => name === 'apply');
  expect(planning?.attributes).toEqual({ 'terrane.mode': 'normal' });
  expect(applying?.nanoseconds).toBeLessThan(root?.nanoseconds ?? 0n);
  const changes = below(spans, applying).filter(({ name }) => name === 'applyResourceChange');
  expect(new Set(changes.map(({ attributes }) => attributes['terrane.address']))).toEqual(
    new Set(['random_integer.dice', 'terraform_data.kept["a"]', 'terraform_data.kept["b"]']),
  );
  expect(changes.map(({ attributes }) => attributes['terrane.provider'])).toContain(
    'registry.terraform.io/hashicorp/random',
  );
  expect(below(spans, planning).map(({ name }) => name)).toContain('planResourceChange');
  const traceText = collector.sent.map(({ body }) => body.toString()).join('');
  expect(traceText).not.toContain(SECRET);
  expect(collector.resource()).toMatchObject({ 'service.name': 'terrane' });
});

test('commands of local-exec get the span that they lie in, unless the block names another', async () => {
  writeFileSync(
    join(work, 'main.tf'),
    `resource "terraform_data" "run" {
  provisioner "local-exec" {
    command = "printf %s $TRACEPARENT > inherited"
  }
  provisioner "local-exec" {
    command     = "printf %s $TRACEPARENT > own"
    environment = { TRACEPARENT = "mine" }
  }
}
`,
  );
  await using collector = await Collector.start();
  const environment = { ...traced(collector), TRACEPARENT: `00-${TRACE}-${PARENT}-01` };
  expect(await run(['apply', '-auto-approve'], environment)).toMatchObject({ code: 0, stderr: '' });
  const applying = collector.spans().find(({ name }) => name === 'apply');
  const read = (name: string): string => readFileSync(join(work, name), 'utf8');
  expect(read('inherited')).toBe(`00-${TRACE}-${applying?.spanId}-01`);
  expect(read('own')).toBe('mine');
});

test('init exports spans of the backend and the providers, and marks failures', async () => {
  await using collector = await Collector.start();
  expect((await run(['init'], traced(collector))).code).toBe(0);
  const names = collector.spans().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['initialize backend', 'install providers']));

  const missing = 'data "local_file" "none" {\n  filename = "absent"\n}\n';
  writeFileSync(join(work, 'more.tf'), missing);
  await using other = await Collector.start();
  const failed = await run(['plan'], { ...traced(other), OTEL_SERVICE_NAME: 'ours' });
  expect(failed.code).toBe(1);
  const [root] = other.spans().filter(({ name }) => name === 'terrane plan');
  expect(root).toMatchObject({ isError: true, attributes: { 'process.exit.code': 1 } });
  const [read] = other.spans().filter(({ name }) => name === 'readDataSource');
  expect(read).toMatchObject({ isError: true, attributes: { 'terrane.type': 'local_file' } });
  expect(other.resource()).toMatchObject({ 'service.name': 'ours' });
});

test('protobuf is the default protocol', async () => {
  await using collector = await Collector.start();
  const { OTEL_EXPORTER_OTLP_PROTOCOL: _, ...environment } = traced(collector);
  const more = { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-mine' };
  expect((await run(['version'], { ...environment, ...more })).code).toBe(0);
  expect(collector.sent).toHaveLength(1);
  expect(collector.sent[0]?.headers).toMatchObject({
    'content-type': 'application/x-protobuf',
    'x-key': 'of-mine',
  });
  expect(collector.sent[0]?.body.includes('terrane version')).toBe(true);
});

test('gRPC is used if configured', async () => {
  await using collector = await GrpcCollector.start();
  const done = await run(['plan'], {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-mine',
  });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const traceBytes = Buffer.concat(collector.sent.map(({ body }) => body));
  expect(traceBytes.includes('terrane plan')).toBe(true);
  expect(traceBytes.includes('planResourceChange')).toBe(true);
  expect(traceBytes.includes(SECRET)).toBe(false);
  expect(collector.sent[0]?.metadata.get('x-key')).toEqual(['of-mine']);

  const { endpoint } = collector;
  await collector[Symbol.asyncDispose]();
  const alone = await run(['version'], {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  expect(alone.code).toBe(0);
  expect(alone.stderr).toContain('Traces of this run could not be sent: ');
});

test('a run without the variable sends nothing, and one that cannot send does its work', async () => {
  await using collector = await Collector.start();
  const { OTEL_TRACES_EXPORTER: _, ...environment } = traced(collector);
  expect((await run(['plan'], environment)).code).toBe(0);
  expect(collector.sent).toEqual([]);

  await using refusing = await Collector.start(400);
  const refused = await run(['plan', '-detailed-exitcode'], traced(refusing));
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Traces of this run could not be sent: ');

  const unknown = await run(['plan'], {
    ...traced(collector),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'smtp',
  });
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain(
    'Could not initialize telemetry: Traces are sent by one of http/protobuf',
  );
});
