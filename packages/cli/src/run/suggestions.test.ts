// Names that match nothing: the message says so, and names what may have been meant.
import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = `
module "service" {
  source = "./service"
  count  = 2
}

resource "terraform_data" "web" {
  for_each = toset(["a", "b"])
  input    = each.key
}

import {
  to = terraform_data.adopted
  id = "x"
}

resource "terraform_data" "adopted" {}

output "endpoint" {
  value = "x"
}
`;

async function applied(): Promise<Workbench> {
  const bench = await Workbench.with({
    'main.tf': MAIN,
    'service/main.tf': 'resource "terraform_data" "a" {}\n',
  });
  expect(await bench.run('apply -auto-approve')).toMatchObject({ code: 0 });
  return bench;
}

/** Joins the lines of diagnostics, which are wrapped. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

describe('an address that matches nothing', () => {
  it.each([
    ['plan -target=module.servce', 'module.servce', ' Did you mean "module.service"?'],
    ['plan -target=module.service[5]', 'module.service[5]', ' Did you mean "module.service[0]"?'],
    [
      'plan -target=terraform_data.wep',
      'terraform_data.wep',
      ' Did you mean "terraform_data.web"?',
    ],
    ['plan -target=terraform_data.nothing_like_it', 'terraform_data.nothing_like_it', ''],
    ['plan -target=terraform_data.web["c"]', 'terraform_data.web["c"]', ''],
    ['plan -destroy -target=module.servce', 'module.servce', ' Did you mean "module.service"?'],
    [
      'plan -refresh-only -target=module.servce',
      'module.servce',
      ' Did you mean "module.service"?',
    ],
    ['plan -exclude=module.servce', 'module.servce', ' Did you mean "module.service"?'],
    ['plan -replace=terraform_data.wap["a"]', 'terraform_data.wap["a"]', ''],
    [
      'apply -auto-approve -target=module.servce',
      'module.servce',
      ' Did you mean "module.service"?',
    ],
  ])('is warned of: %s', async (line, address, question) => {
    const { code, stdout } = await (await applied()).run(line);
    expect(code).toBe(0);
    expect(stdout).toContain('Warning: Address matches nothing');
    expect(flat(stdout)).toContain(`Neither the configuration nor the state has ${address}, so`);
    if (question !== '') expect(flat(stdout)).toContain(`no effect on this plan.${question}`);
  });

  it('is distinguished from one that cannot be selected', async () => {
    const { stdout } = await (await applied()).run('plan -target=output.endpoint');
    expect(flat(stdout)).toContain(
      'output.endpoint is the address of neither a module nor a resource, so the option',
    );
  });

  it.each([
    'plan -target=module.service',
    'plan -target=module.service[1]',
    'plan -target=module.service.terraform_data.a',
    'plan -target=module.service[0].terraform_data.a',
    'plan -target=terraform_data.web["a"]',
    'plan -target=terraform_data.adopted',
    'plan -exclude=terraform_data.web["a"]',
    'plan -exclude=module.service[1]',
    'plan -destroy -target=module.service[1]',
    'plan -replace=terraform_data.web["a"]',
    'plan -replace=terraform_data.web',
  ])('is not taken for one that matches: %s', async (line) => {
    const bench = await applied();
    expect((await bench.run(line)).stdout).not.toContain('Address matches nothing');
    // The same before anything is created.
    const fresh = await Workbench.with({
      'main.tf': MAIN,
      'service/main.tf': 'resource "terraform_data" "a" {}\n',
    });
    expect((await fresh.run(line)).stdout).not.toContain('Address matches nothing');
  });

  it('is not warned of where only the state has it', async () => {
    const bench = await applied();
    await bench.write('main.tf', '');
    const { stdout } = await bench.run('plan -target=module.service[1] -target=terraform_data.web');
    expect(stdout).not.toContain('Address matches nothing');
  });
});

describe('a suggestion', () => {
  it.each([
    ['output endpont', 'Did you mean "endpoint"?'],
    ['output -json endpont', 'Did you mean "endpoint"?'],
    ['workspace select defualt', 'Did you mean "default"?'],
    ['workspace delete defualt', 'Did you mean "default"?'],
    ['state show terraform_data.adopte', 'Did you mean "terraform_data.adopted"?'],
    ['state list terraform_data.adopte', 'Did you mean "terraform_data.adopted"?'],
    ['state rm terraform_data.adopte', 'Did you mean "terraform_data.adopted"?'],
    ['state mv terraform_data.adopte x.y', 'Did you mean "terraform_data.adopted"?'],
    ['taint terraform_data.adopte', 'Did you mean "terraform_data.adopted"?'],
    [
      'untaint module.service[0].terraform_data.b',
      'Did you mean "module.service[0].terraform_data.a"?',
    ],
    ['explain terraform_data.adopte', 'Did you mean "terraform_data.adopted"?'],
    ['explain output.endpont', 'Did you mean "output.endpoint"?'],
  ])('is made for: %s', async (line, question) => {
    const bench = await applied();
    const { code, stdout, stderr } = await bench.run(line);
    expect(code).toBe(1);
    expect(flat(stdout + stderr)).toContain(question);
  });
});
