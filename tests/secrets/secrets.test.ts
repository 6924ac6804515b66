// Searches for secrets, each with a text of its own, in everything that is printed, logged and written.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runWithin } from 'terrane/testing/with-providers';
import { keepers } from './keeper.ts';
import { MARKERS } from './markers.ts';
import { foundBelow, foundIn, type Finding } from './search.ts';

const PROVIDER = `terraform {
  required_providers {
    keeper = { source = "test/keeper" }
  }
}

variable "environment" {
  type      = string
  sensitive = true
}

variable "option" {
  type      = string
  sensitive = true
}

variable "file" {
  type      = object({ password = string })
  sensitive = true
}

variable "token" {
  type      = string
  ephemeral = true
}

variable "write_only" {
  type      = string
  ephemeral = true
  sensitive = true
}

provider "keeper" {
  token = var.token
}

ephemeral "keeper_token" "open" {
  for = var.token
}
`;

const WHOLE = `${PROVIDER}
variable "act" {
  default = "make"
}

locals {
  joined = "\${var.environment}-\${var.option}"
}

resource "keeper_box" "first" {
  content     = local.joined
  password_wo = var.write_only
  lifecycle {
    postcondition {
      condition     = self.key != ""
      error_message = "No key."
    }
  }
}

resource "keeper_box" "second" {
  label       = var.act
  act         = var.act
  content     = var.file.password
  password_wo = "\${ephemeral.keeper_token.open.value}\${ephemeral.keeper_token.open.plain}"
}

resource "terraform_data" "copy" {
  triggers_replace = [var.option, var.file, keeper_box.first.key]

  provisioner "local-exec" {
    command     = "echo $SECRET $PASSED \${keeper_box.first.key}"
    environment = { SECRET = var.environment, PASSED = ephemeral.keeper_token.open.plain }
  }
}

check "secret" {
  assert {
    condition     = var.option == "something else"
    error_message = "It is not \${var.option}."
  }
}

output "environment" {
  value     = var.environment
  sensitive = true
}

output "key" {
  value     = keeper_box.first.key
  sensitive = true
}
`;

let work: string;
let findings: Finding[];

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-secrets-'));
  findings = [];
  writeFileSync(join(work, 'secret.auto.tfvars'), `file = { password = "${MARKERS.file}" }\n`);
  configure(WHOLE);
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

function configure(text: string): void {
  writeFileSync(join(work, 'main.tf'), text);
}

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TF_VAR_environment: MARKERS.environment,
  TF_VAR_token: MARKERS.token,
  TF_VAR_write_only: MARKERS.writeOnly,
  TF_LOG: 'trace',
  TF_LOG_PATH: join(work, 'trace.log'),
  CHECKPOINT_DISABLE: '1',
});

const OPTION = `-var=option=${MARKERS.option}`;

/** Runs a command; what it printed and what is on the disk afterwards is searched. */
async function run(...args: readonly string[]): Promise<{ exit: number; output: string }> {
  const { exit, stdout, stderr } = await runWithin(args, {
    directory: work,
    environment: environment(),
    providers: keepers,
  });
  search(args.join(' ').replaceAll(MARKERS.option, '…'), stdout + stderr);
  return { exit, output: stdout + stderr };
}

function search(command: string, output: string): void {
  findings.push(...foundIn(`what is printed by ${command}`, output));
  findings.push(
    ...foundBelow(work, ['secret.auto.tfvars']).map((each): Finding => `${each} after ${command}`),
  );
}

it('a lifecycle without errors reveals none', async () => {
  expect((await run('init', '-input=false')).exit).toBe(0);
  expect((await run('validate', '-json')).exit).toBe(0);
  expect((await run('plan', OPTION, '-out=one.tfplan')).exit).toBe(0);
  expect((await run('show', 'one.tfplan')).exit).toBe(0);
  expect((await run('explain', 'keeper_box.first', 'one.tfplan')).exit).toBe(0);
  expect((await run('apply', '-json', 'one.tfplan')).exit).toBe(0);
  expect((await run('plan', OPTION, '-json', '-var=act=change', '-out=two.tfplan')).exit).toBe(0);
  expect((await run('plan', OPTION, '-explain', '-var=act=change')).exit).toBe(0);
  expect((await run('apply', OPTION, '-auto-approve', '-var=act=change')).exit).toBe(0);
  expect((await run('apply', '-auto-approve', '-var=option=another')).exit).toBe(0);
  for (const args of [
    ['show'],
    ['output'],
    ['state', 'list'],
    ['state', 'show', 'keeper_box.first'],
    ['state', 'show', 'terraform_data.copy'],
    ['taint', 'keeper_box.second'],
    ['state', 'mv', 'keeper_box.second', 'keeper_box.moved'],
    ['state', 'rm', 'keeper_box.moved'],
    ['import', OPTION, 'keeper_box.second', 'box'],
    ['refresh', OPTION],
    ['providers'],
    ['workspace', 'new', 'other'],
    ['workspace', 'select', 'default'],
    ['destroy', OPTION, '-auto-approve'],
  ]) {
    expect(`${args.join(' ')}: ${(await run(...args)).exit}`).toBe(`${args.join(' ')}: 0`);
  }
  expect(findings).toEqual([]);
  // The search can find: what has to hold secrets held them.
  const backup = readFileSync(join(work, 'terraform.tfstate.backup'), 'utf8');
  expect(backup).toContain(MARKERS.environment);
  expect(backup).toContain(MARKERS.computed);
});

it('failed calls print none', async () => {
  expect((await run('init', '-input=false')).exit).toBe(0);
  expect((await run('apply', OPTION, '-auto-approve', '-var=act=fail')).exit).toBe(1);
  expect((await run('apply', OPTION, '-auto-approve')).exit).toBe(0);
  expect((await run('apply', OPTION, '-auto-approve', '-json', '-var=act=fail')).exit).toBe(1);
  expect(findings).toEqual([]);
});

describe('faults in the configuration', () => {
  it.each([
    ['a number', 'tonumber(var.environment)'],
    ['a conversion', 'tolist(var.environment)'],
    ['a parsed text', 'jsondecode(var.environment)'],
    ['a parsed document', 'yamldecode("{: ${var.option}")'],
    ['a time', 'timeadd(var.environment, "1h")'],
    ['a pattern', 'regex("(${var.environment}", "x")'],
    ['a search', 'regex("x+y", var.environment)'],
    ['a file', 'file(var.environment)'],
    ['a template', 'templatefile(var.environment, {})'],
    ['an index', '{ a = 1 }[var.environment]'],
    ['an attribute', 'var.file.passwort'],
    ['a list', '[1][var.environment]'],
    ['a lookup', 'lookup({ a = 1 }, var.environment)'],
    ['arithmetics', 'var.environment + 1'],
    ['a comparison', 'var.environment > 1'],
    ['a condition', 'var.environment ? 1 : 2'],
    ['a call', 'substr(var.environment)'],
    ['base64', 'base64decode("${var.environment}!")'],
    ['an address', 'cidrhost(var.environment, 1)'],
    ['a format', 'format("%d", var.environment)'],
    ['a key', 'rsadecrypt("AA==", var.environment)'],
    ['a uuid', 'uuidv5(var.environment, "x")'],
    ['a provider', 'provider::terraform::decode_tfvars("${var.environment} = ")'],
    ['a template within', '"${var.environment}${[]}"'],
    ['what is ephemeral', 'var.token'],
    ['what is ephemeral, converted', 'tonumber(var.token)'],
    ['what an ephemeral resource gives', 'tonumber(ephemeral.keeper_token.open.plain)'],
  ])('tell none: %s', async (_, expression) => {
    configure(`${PROVIDER}\nresource "keeper_box" "faulty" {\n  content = ${expression}\n}\n`);
    await run('init', '-input=false');
    const { exit } = await run('plan', OPTION);
    expect(exit).toBe(1);
    await run('plan', OPTION, '-json');
    await run('apply', OPTION, '-auto-approve');
    expect(findings).toEqual([]);
  });

  it.each([
    ['count', 'count = var.environment'],
    ['for_each', 'for_each = toset([var.environment])'],
    ['for_each of a map', 'for_each = { (var.environment) = 1 }'],
    [
      'a condition',
      'lifecycle {\n    precondition {\n      condition     = var.option == ""\n      error_message = "It is ${var.option}."\n    }\n  }',
    ],
    [
      'a connection',
      'connection {\n    host     = "127.0.0.1"\n    port     = 1\n    timeout  = "1s"\n    password = var.environment\n    user     = var.option\n  }\n  provisioner "remote-exec" {\n    inline = ["echo ${var.environment}"]\n  }',
    ],
    [
      'a command',
      'provisioner "local-exec" {\n    command = "echo ${var.environment}; echo ${var.token}; exit 3"\n  }',
    ],
    [
      'a directory of a command',
      'provisioner "local-exec" {\n    command     = "true"\n    working_dir = "/${var.environment}"\n  }',
    ],
    [
      'an interpreter',
      'provisioner "local-exec" {\n    command     = "true"\n    interpreter = ["/${var.environment}"]\n  }',
    ],
  ])('tell none: %s', async (_, argument) => {
    configure(`${PROVIDER}\nresource "keeper_box" "faulty" {\n  ${argument}\n}\n`);
    await run('init', '-input=false');
    expect((await run('apply', OPTION, '-auto-approve')).exit).toBe(1);
    expect((await run('apply', OPTION, '-auto-approve', '-json')).exit).toBe(1);
    expect(findings).toEqual([]);
  });

  it.each([
    [
      'a validation',
      'validation {\n    condition     = var.option == "x"\n    error_message = "It is ${var.option}."\n  }',
      '',
    ],
    ['a type', 'default = null', '-var=environment=[1'],
  ])('print none: %s of a variable', async (_, text, more) => {
    configure(PROVIDER.replace('variable "option" {', `variable "option" {\n  ${text}`));
    await run('init', '-input=false');
    const { exit } = await run('plan', OPTION, ...(more === '' ? [] : [more]));
    expect(exit).toBe(more === '' ? 1 : 0);
    expect(findings).toEqual([]);
  });
});

it('a process that is killed during a creation leaves none, and neither do later runs', async () => {
  expect((await run('init', '-input=false')).exit).toBe(0);
  const args = ['apply', OPTION, '-auto-approve', '-no-color', '-var=act=hang'];
  const output = await killedWhile('keeper_box.second: Creating...', args);
  expect(existsSync(join(work, '.terraform.tfstate.journal'))).toBe(true);
  search('the killed apply', output);
  await run('plan', OPTION);
  expect((await run('apply', OPTION, '-auto-approve')).exit).toBe(0);
  expect(findings).toEqual([]);
});

/** Kills a run of the program once it has said something. Gives what it has printed. */
function killedWhile(text: string, args: readonly string[]): Promise<string> {
  const program = join(import.meta.dirname, 'program.ts');
  const node = ['--conditions=terrane-source', program, ...args];
  const child = spawn(process.execPath, node, { cwd: work, env: environment() });
  let output = '';
  const hear = (chunk: string): void => {
    output += chunk;
    if (output.includes(text) && output.includes('terraform_data.copy: Creation complete'))
      child.kill('SIGKILL');
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  return new Promise((done, fail) => {
    child.on('close', (_, signal) => {
      if (signal === 'SIGKILL') done(output);
      else fail(new Error(`it ended by itself:\n${output}`));
    });
  });
}
