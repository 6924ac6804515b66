// The engine as it is bundled for the browser, in Node: it works as the program does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workerBuild } from '../../site/playground/build-worker.ts';
import type { DoneMessage, Reply, RunMessage } from '../../site/playground/protocol.ts';
import { documentationExamples, EXAMPLE_VARIABLES } from './examples.ts';
import { planWithProgram } from './plan-with-program.ts';

/** The interface of `worker/runner.ts`, which is imported as a bundle. */
interface Runner {
  run(message: RunMessage): Promise<void>;
  stop(id: number): void;
}

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: DoneMessage['files'];
}

let work: string;
let createRunner: (reply: (message: Reply) => void) => Runner;

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'terrane-playground-'));
  const bundle = join(work, 'runner.mjs');
  await build(workerBuild(bundle, 'worker/runner.ts'));
  const { Runner } = (await import(pathToFileURL(bundle).href)) as {
    readonly Runner: new (reply: (message: Reply) => void) => Runner;
  };
  createRunner = (reply) => new Runner(reply);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** A playground: each call is a run on the files that the earlier ones left. */
function playground(): (
  args: readonly string[],
  message?: Partial<Pick<RunMessage, 'files' | 'input' | 'environment'>>,
) => Promise<Result> {
  let messages: Reply[] = [];
  const runner = createRunner((message) => messages.push(message));
  let id = 0;
  return async (args, { files = {}, input = '', environment = {} } = {}) => {
    messages = [];
    id += 1;
    await runner.run({ kind: 'run', id, args, files, environment, input, columns: 78 });
    const textOf = (stream: string): string =>
      stripVTControlCharacters(
        messages
          .map((each) => (each.kind === 'output' && each.stream === stream ? each.text : ''))
          .join(''),
      );
    const done = messages.at(-1);
    if (done?.kind !== 'done') throw new Error('the run has not ended');
    return {
      code: done.code,
      stdout: textOf('stdout'),
      stderr: textOf('stderr'),
      files: done.files,
    };
  };
}

const CONFIG = `
terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
variable "n" { default = 2 }
resource "random_pet" "name" { count = var.n }
resource "terraform_data" "names" { input = random_pet.name[*].id }
resource "time_static" "now" {}
resource "null_resource" "hash" {
  triggers = { sha1 = sha1("a"), md5 = md5("a"), yaml = yamlencode({ a = 1 }) }
}
module "child" { source = "./modules/child" }
output "names" { value = terraform_data.names.output }
`;
const FILES = {
  'main.tf': CONFIG,
  'modules/child/main.tf': 'resource "terraform_data" "child" { input = base64gzip("a") }\n',
  'names.tftest.hcl':
    'run "two" {\n  command = plan\n  assert {\n    condition     = var.n == 2\n    error_message = "not 2"\n  }\n}\n',
};

describe('the commands of the playground', () => {
  test('plan, apply, console, output, explain, graph, test and destroy', async () => {
    const run = playground();
    expect(await run(['init'], { files: FILES })).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['plan'])).stdout).toContain('Plan: 6 to add, 0 to change, 0 to destroy.');
    const applied = await run(['apply', '-auto-approve']);
    expect(applied.stdout).toContain('Apply complete! Resources: 6 added, 0 changed, 0 destroyed.');
    expect(JSON.parse(applied.files['terraform.tfstate'] ?? '')).toMatchObject({ version: 4 });
    expect((await run(['plan'])).stdout).toContain('No changes.');
    expect((await run(['console'], { input: 'length(random_pet.name)\n' })).stdout).toBe('2\n');
    const outputs = JSON.parse((await run(['output', '-json', 'names'])).stdout) as unknown;
    expect(outputs).toEqual([
      expect.stringMatching(/^\w+-\w+$/),
      expect.stringMatching(/^\w+-\w+$/),
    ]);
    const why = await run(['explain', 'random_pet.name[1]'], { environment: { TF_VAR_n: '1' } });
    expect(why.stdout).toContain('var.n is "1", given by TF_VAR_n in the environment');
    expect((await run(['graph'])).stdout).toContain('"terraform_data.names" -> "random_pet.name"');
    expect((await run(['graph', '-html'])).stdout).toMatch(/^<!doctype html>/);
    expect((await run(['test'])).stdout).toContain('Success! 1 passed, 0 failed.');
    expect(await run(['plan', '-out=plan'])).toMatchObject({ code: 0 });
    expect((await run(['show', '-html', 'plan'])).stdout).toMatch(/^<!doctype html>/);
    const destroyed = await run(['destroy', '-auto-approve']);
    expect(destroyed.stderr).toBe('');
    expect(destroyed.stdout).toContain('Destroy complete! Resources: 6 destroyed.');
  });

  test('a removed file is no longer part of the configuration', async () => {
    const run = playground();
    const files = { 'a.tf': 'output "a" { value = 1 }\n', 'b.tf': 'output "b" { value = 2 }\n' };
    expect((await run(['plan'], { files })).stdout).toContain('+ b = 2');
    expect((await run(['plan'], { files: { 'b.tf': null } })).stdout).not.toContain('+ b = 2');
  });

  test('an error has the position and the exit code of the program', async () => {
    const result = await playground()(['plan'], {
      files: { 'main.tf': 'output "a" { value = var.b }\n' },
    });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('on main.tf line 1, in output "a":');
  });

  test.each([
    ['a backend', 'terraform {\n  backend "s3" {\n    bucket = "a"\n  }\n}\n', 'Backends'],
    [
      'a module of another machine',
      'module "a" { source = "git::https://example.com/a" }\n',
      'Modules',
    ],
  ])('%s is reported as unavailable', async (_, text, feature) => {
    const result = await playground()(['init'], { files: { 'main.tf': text } });
    expect(result.code).toBe(1);
    expect(result.stderr.replaceAll(/[│\s]+/g, ' ')).toContain(
      `${feature} of other machines are not available in the browser. Install Terrane`,
    );
  });
});

test('every example of the documentation plans as with the program', async () => {
  const examples = documentationExamples();
  expect(examples.length).toBeGreaterThan(8);
  let planned = 0;
  for (const { name, files } of examples) {
    const run = playground();
    await run(['init'], { files });
    const args = ['plan', '-input=false', '-no-color', '-parallelism=1'];
    const { code, stdout, stderr } = await run(args, { environment: EXAMPLE_VARIABLES });
    const expected = planWithProgram(work, name, files);
    expect({ name, code, stdout, stderr }).toEqual({ name, ...expected });
    if (code === 0) planned += 1;
  }
  expect(planned).toBeGreaterThan(4);
});
