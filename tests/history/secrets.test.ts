// Secret values in every kind of place, and a search of every byte that the commands of the history print.
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const CANARY = 'canary-5f21c0de';

/** Secrets in variables, attributes of several depths, outputs, and values that change. */
const configuration = (version: number): string => `
variable "plain" {
  type    = string
  default = "visible-${version}"
}

variable "secret" {
  type      = string
  sensitive = true
}

variable "token" {
  type      = string
  ephemeral = true
  default   = "${CANARY}-ephemeral"
}

locals {
  wrapped = sensitive("${CANARY}-local-${version}")
}

resource "terraform_data" "whole" {
  input = var.secret
}

resource "terraform_data" "part" {
  input = { plain = var.plain, secret = var.secret, list = ["x", local.wrapped], (var.plain) = "k" }
}

resource "terraform_data" "key" {
  input            = { inner = { deep = { secret = local.wrapped } } }
  triggers_replace = [var.secret, ${version}]
}

resource "random_password" "generated" {
  length  = ${10 + version}
  keepers = { version = "${version}" }
}

output "secret" {
  value     = { a = var.secret, b = [local.wrapped] }
  sensitive = true
}

output "plain" {
  value = var.plain
}
`;

const run = async (bench: Workbench, command: string, secret: string) =>
  await bench.run(`${command} -no-color`, {
    environment: { TF_VAR_secret: secret, TERRANE_ACTOR: 'agent:tester' },
  });

it('no command of the history prints a sensitive value', async () => {
  const bench = new Workbench();
  const secrets = [1, 2, 3].map((version) => `${CANARY}-variable-${version}`);
  for (const [index, secret] of secrets.entries()) {
    await bench.write('main.tf', configuration(index));
    expect((await run(bench, 'apply -auto-approve', secret)).code).toBe(0);
    await bench.clock.advance(1000);
  }
  await run(bench, 'taint terraform_data.part', secrets[2] ?? '');
  await run(bench, 'state rm terraform_data.key', secrets[2] ?? '');
  await run(bench, 'apply -destroy -auto-approve', secrets[2] ?? '');
  const listed = await bench.run('history -json -n=0');
  const { runs } = JSON.parse(listed.stdout) as { runs: { id: string; who: string }[] };
  expect(runs.map(({ who }) => who)).toEqual(runs.map(() => 'agent:tester'));
  expect(runs).toHaveLength(6);

  const passwords = new Set<string>();
  for (const { id } of runs.slice(1)) {
    const [state] = await storedStates(bench, id);
    for (const [, password = ''] of state?.matchAll(/"result": "([^"]+)"/g) ?? [])
      passwords.add(password);
  }
  expect(passwords.size).toBeGreaterThan(1);

  const commands = [
    'history -n=0',
    ...['terraform_data.whole', 'terraform_data.part', 'terraform_data.key', 'random_password'].map(
      (address) => `history ${address}`,
    ),
    ...runs.map(({ id }) => `history show ${id}`),
    ...runs.map(({ id }) => `history diff ${runs.at(-1)?.id} ${id}`),
    ...runs.map(({ id }) => `state restore -dry-run ${id}`),
    ...runs.map(({ id }) => `state restore -dry-run -before ${id}`),
  ];
  let printed = '';
  for (const command of commands) {
    for (const json of ['', ' -json']) {
      const { stdout, stderr } = await bench.run(`${command}${json}`);
      printed += stdout + stderr;
    }
  }
  expect(printed).toContain('visible-1');
  expect(printed).toContain('sensitive');
  expect(printed).not.toContain(CANARY);
  for (const password of passwords) expect(printed).not.toContain(password);

  // The stored form has them, so that a state can be restored; it is readable by its owner only.
  for (const [path, { mode }] of bench.disk.names)
    if (path.includes('.history/')) expect(mode & 0o077, path).toBe(0);
});

it('no command of the history prints a copy of a sensitive value of another object', async () => {
  const bench = new Workbench();
  const configuredWith = (version: number): string => `
variable "secret" {
  type      = string
  sensitive = true
}
resource "terraform_data" "origin" {
  input = { long = var.secret, short = substr(var.secret, 0, 4) }
}
resource "terraform_data" "copy" {
  input = ["visible", terraform_data.origin.output.short, "at \${terraform_data.origin.output.long}"]
}
resource "terraform_data" "second" {
  input = "\${terraform_data.copy.output[2]} of ${version}"
}
output "copy" {
  value = terraform_data.copy.output
}
`;
  const secrets = ['4711-first-canary', '0815-other-canary'];
  for (const [index, secret] of [...secrets, secrets[1] ?? ''].entries()) {
    await bench.write('main.tf', configuredWith(index));
    expect((await run(bench, 'apply -auto-approve', secret)).code).toBe(0);
    await bench.clock.advance(1000);
  }
  const { runs } = JSON.parse((await bench.run('history -json')).stdout) as {
    runs: { id: string }[];
  };
  const last = runs[0]?.id ?? '';
  let printed = '';
  for (const command of [
    ...['origin', 'copy', 'second'].map((name) => `history terraform_data.${name}`),
    ...runs.map(({ id }) => `history show ${id}`),
    ...runs.map(({ id }) => `history diff ${id} ${last}`),
    ...runs.map(({ id }) => `state restore -dry-run ${id}`),
  ]) {
    for (const json of ['', ' -json']) {
      const { stdout, stderr } = await bench.run(`${command}${json}`);
      printed += stdout + stderr;
    }
  }
  expect(printed).toContain('terraform_data.second');
  expect(printed).toContain('visible');
  expect(printed).not.toMatch(/canary|4711|0815/);
});

/** The states after runs, as `state pull` prints them: restored on a copy. */
async function storedStates(bench: Workbench, id: string): Promise<readonly string[]> {
  const copy = new Workbench(bench.disk.survive('everything'));
  await copy.run(`state restore -auto-approve ${id}`);
  const { stdout } = await copy.run('state pull');
  return [stdout];
}
