import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { memberDefinitionsAt } from './member-definition.ts';
import { ProjectModel } from './project-model.ts';

const MAIN = `variable "network" {
  default = { name = "a", ports = [80, 443], "other key" = { x = 1 } }
}

resource "terraform_data" "a" {
  input = { one = 1 }
  timeouts {
    create = "1m"
  }
}

resource "terraform_data" "many" {
  count = 2
  input = "x"
}

output "all" {
  value = [
    terraform_data.a.input.one,
    terraform_data.a.timeouts.create,
    terraform_data.many[0].input,
    terraform_data.many[*].input,
    terraform_data.a.id,
    var.network.ports[1],
    var.network["other key"].x,
  ]
}
`;

/** The texts that are set where the marked part of a reference is defined. */
function defined(reference: string, part: string): readonly string[] | undefined {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  project.setText('/m/main.tf', MAIN);
  const document = project.document('/m/main.tf');
  if (document === undefined) throw new Error('no document');
  const start = MAIN.lastIndexOf(reference);
  const offset = start + reference.lastIndexOf(part) + 1;
  return memberDefinitionsAt(project, document, offset)?.definitions.map(
    ({ span }) => MAIN.slice(span.start, span.end).split('\n')[0]?.trim() ?? '',
  );
}

it('leads to arguments, blocks, keys and elements', () => {
  expect(defined('terraform_data.a.input.one', 'input')).toEqual(['input = { one = 1 }']);
  expect(defined('terraform_data.a.input.one', 'one')).toEqual(['one = 1']);
  expect(defined('terraform_data.a.timeouts.create', 'timeouts')).toEqual(['timeouts {']);
  expect(defined('terraform_data.a.timeouts.create', 'create')).toEqual(['create = "1m"']);
  expect(defined('terraform_data.many[0].input', 'input')).toEqual(['input = "x"']);
  expect(defined('terraform_data.many[*].input', 'input')).toEqual(['input = "x"']);
  expect(defined('var.network.ports[1]', '1')).toEqual(['443']);
  expect(defined('var.network["other key"].x', 'x')).toEqual(['x = 1']);
});

it('leads to the declaration if the part is set nowhere', () => {
  expect(defined('terraform_data.a.id', 'id')).toEqual(['resource "terraform_data" "a" {']);
});

it('finds nothing at the name itself', () => {
  expect(defined('terraform_data.a.id', 'a.id')).toBeUndefined();
});
