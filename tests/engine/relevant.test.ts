import { pathKey } from '@terrane/cty';
import type { Plan } from '@terrane/engine';
import { describe, expect, it } from 'vitest';
import { TestProject } from './harness.ts';

const MODULE = `
  variable "given" {}
  resource "terraform_data" "made" { input = var.given }
  output "made" { value = terraform_data.made.output }
  output "null" { value = null }
`;

function relevantOf(plan: Plan | undefined): string[] {
  return (plan?.relevant ?? []).map(({ resource, attribute }) =>
    attribute.length === 0 ? resource : `${resource} ${pathKey(attribute)}`,
  );
}

async function relevant(main: string): Promise<string[]> {
  const project = new TestProject();
  project.write({ 'main.tf': main, 'm/main.tf': MODULE });
  const { plan } = await project.plan();
  expect(plan?.errored).toBe(false);
  return relevantOf(plan);
}

const path = (...names: readonly string[]): string =>
  pathKey(names.map((name) => ({ kind: 'attr', name })));

// The relevant_attributes that `terraform show -json` prints for such plans.
describe('attributes that are relevant to a plan', () => {
  it('are those that changes refer to, through values, calls, outputs and repetition', async () => {
    const attributes = await relevant(`
      resource "terraform_data" "base" { input = "b" }
      resource "terraform_data" "other" { input = { x = "oo" } }
      resource "terraform_data" "unused" { input = "u" }
      locals {
        from_base = terraform_data.base.output
        unused    = terraform_data.unused.output
      }
      resource "terraform_data" "counted" {
        count = length(terraform_data.other.input.x)
        input = "\${local.from_base} \${count.index}"
      }
      module "m" {
        source = "./m"
        count  = 2
        given  = terraform_data.counted[count.index].output
      }
      module "n" {
        source = "./m"
        given  = [for c in terraform_data.counted : c.id]
      }
      output "one" { value = module.m[0].made }
      output "all" { value = module.m[*].made }
      output "whole" { value = module.n }
    `);
    expect(attributes).toEqual([
      `module.m.terraform_data.made ${path('output')}`,
      `module.m[0].terraform_data.made ${path('output')}`,
      `module.m[1].terraform_data.made ${path('output')}`,
      `module.n.terraform_data.made ${path('output')}`,
      `terraform_data.base ${path('output')}`,
      'terraform_data.counted',
      `terraform_data.other ${path('input', 'x')}`,
    ]);
  });

  it('do not include values that only determine the number of instances', async () => {
    const attributes = await relevant(`
      resource "terraform_data" "base" { input = "b" }
      resource "terraform_data" "counted" {
        count = length(terraform_data.base.input)
        input = "fixed"
      }
    `);
    expect(attributes).toEqual([]);
  });

  it('are followed through the argument of a resource that a reference selects, not its others', async () => {
    const attributes = await relevant(`
      resource "terraform_data" "a" { input = "a" }
      resource "terraform_data" "b" { input = "b" }
      resource "terraform_data" "both" {
        input            = terraform_data.a.id
        triggers_replace = terraform_data.b.id
      }
      output "o" { value = terraform_data.both.input }
    `);
    expect(attributes).toContain(`terraform_data.both ${path('input')}`);
    const project = new TestProject();
    project.write(`
      resource "test_thing" "a" { name = "a" }
      resource "test_thing" "b" { name = "b" }
      resource "test_thing" "both" {
        name = test_thing.a.name
        kind = test_thing.b.name
      }
    `);
    await project.apply();
    project.write(`
      resource "test_thing" "a" { name = "a" }
      resource "test_thing" "b" { name = "b" }
      resource "test_thing" "both" {
        name = test_thing.a.name
        kind = test_thing.b.name
      }
      output "o" { value = test_thing.both.name }
    `);
    expect(relevantOf((await project.plan()).plan)).toEqual([
      `test_thing.a ${path('name')}`,
      `test_thing.both ${path('name')}`,
    ]);
  });

  it('of modules count as changed whenever an output has a value', async () => {
    const project = new TestProject();
    project.write({
      'main.tf': 'module "m" {\n  source = "./m"\n  given = 1\n}\n',
      'm/main.tf': MODULE,
    });
    await project.apply();
    const { plan, lines } = await project.plan();
    expect(lines).toEqual([]);
    expect(relevantOf(plan)).toEqual([`module.m.terraform_data.made ${path('output')}`]);
  });
});
