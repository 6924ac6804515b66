import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { ProjectModel } from './project-model.ts';

async function projectOf(files: Readonly<Record<string, string>>): Promise<ProjectModel> {
  const host = memoryHost({ cwd: '/' });
  for (const [path, text] of Object.entries(files)) {
    await host.files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
    await host.files.writeFile(path, text);
  }
  return new ProjectModel(host.files);
}

const FILES = {
  '/r/main.tf':
    'module "m" {\n  source = "./child"\n  name   = var.n\n}\noutput "o" {\n  value = module.m.id\n}\n',
  '/r/variables.tf': 'variable "n" {}\n',
  '/r/terraform.tfvars': 'n = "x"\n',
  '/r/tests/a.tftest.hcl':
    'variables {\n  n = "y"\n}\nrun "first" {\n  assert {\n    condition     = output.o == "y"\n    error_message = "no"\n  }\n}\nrun "other" {\n  module {\n    source = "./child"\n  }\n  variables {\n    name = run.first.o\n  }\n}\n',
  '/r/child/main.tf': 'variable "name" {}\noutput "id" {\n  value = var.name\n}\n',
};

function places(project: ProjectModel, directory: string, key: string): string[] {
  return project
    .occurrencesOf({ directory, key })
    .map(
      ({ document, occurrence }) =>
        `${document.path}:${document.source.position(occurrence.span.start).line} ${occurrence.role}`,
    );
}

it('finds a variable in its module, its tests and its variable files', async () => {
  const project = await projectOf(FILES);
  expect(places(project, '/r', 'var.n')).toEqual([
    '/r/main.tf:3 reference',
    '/r/variables.tf:1 declaration',
    '/r/terraform.tfvars:1 assignment',
    '/r/tests/a.tftest.hcl:2 assignment',
  ]);
});

it('finds the inputs and outputs of a module in modules and tests that call it', async () => {
  const project = await projectOf(FILES);
  project.setDirectories(['/r', '/r/child']);
  expect(places(project, '/r/child', 'var.name')).toEqual([
    '/r/child/main.tf:1 declaration',
    '/r/child/main.tf:3 reference',
    '/r/main.tf:3 assignment',
    '/r/tests/a.tftest.hcl:15 assignment',
  ]);
  expect(places(project, '/r/child', 'output.id')).toEqual([
    '/r/child/main.tf:2 declaration',
    '/r/main.tf:6 reference',
  ]);
});

it('reads open documents instead of files, and forgets them when they are closed', async () => {
  const project = await projectOf(FILES);
  project.setText('/r/variables.tf', 'variable "other" {}\n');
  expect(project.module('/r').declarationsOf('var.n')).toEqual([]);
  expect(project.module('/r').declarationsOf('var.other')).toHaveLength(1);
  project.closeText('/r/variables.tf');
  expect(project.module('/r').declarationsOf('var.n')).toHaveLength(1);
});

it('analyses neither devices and pipes nor files that are too long', async () => {
  const { files } = memoryHost({ cwd: '/' });
  await files.makeDirectory('/r');
  await files.writeFile('/r/device.tf', 'locals {\n  a = 1\n}\n');
  const read: string[] = [];
  const project = new ProjectModel({
    readDirectorySync: (path) => files.readDirectorySync(path),
    readFileSync: (path) => {
      read.push(path);
      return files.readFileSync(path);
    },
    statSync: (path) => {
      const stat = files.statSync(path);
      return stat?.kind === 'file' ? { ...stat, kind: 'other' } : stat;
    },
  });
  project.setDirectories(['/r']);
  expect(project.document('/r/device.tf')).toBeUndefined();
  expect([...project.searchDeclarations('a')]).toEqual([]);
  expect(read).toEqual([]);
  project.setText('/r/long.tf', `# ${'x'.repeat(8 * 1024 * 1024)}\n`);
  expect(project.document('/r/long.tf')).toBeUndefined();
  project.setText('/r/long.tf', '# short\n');
  expect(project.document('/r/long.tf')?.text).toBe('# short\n');
});

it('finds symbols beside a file with an expression that exceeds the stack', async () => {
  const project = await projectOf({
    '/r/deep.tf': `locals {\n  deep = ${'1 + '.repeat(100_000)}1\n}\n`,
    '/r/other.tf': 'variable "deep_other" {}\n',
  });
  project.setDirectories(['/r']);
  const found = [...project.searchDeclarations('deep_other')];
  expect(found.map(({ declaration }) => declaration.key)).toEqual(['var.deep_other']);
});

it('keeps declarations that a syntax error hides', async () => {
  const project = await projectOf(FILES);
  project.setText('/r/variables.tf', 'variable "n" {}\nvariable "later" {}\n');
  expect(project.module('/r').declarationsOf('var.later')).toHaveLength(1);
  project.setText('/r/variables.tf', 'variable "n" {}\nlocals { a = [ }\nvariable "later" {}\n');
  expect(project.module('/r').declarationsOf('var.later')).toHaveLength(1);
});

it('follows installed modules by the manifest of init', async () => {
  const project = await projectOf({
    '/r/main.tf': 'module "v" {\n  source = "example/vpc/aws"\n}\n',
    '/r/.terraform/modules/modules.json':
      '{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"v","Source":"registry.terraform.io/example/vpc/aws","Version":"1.0.0","Dir":".terraform/modules/v"}]}',
    '/r/.terraform/modules/v/main.tf': 'variable "cidr" {}\n',
  });
  const link = project.module('/r').links.get('v');
  expect(link && project.linkedDirectory('/r', link)).toBe('/r/.terraform/modules/v');
});

it('searches declarations in all modules without parsing files that cannot have them', async () => {
  const { files } = memoryHost({ cwd: '/' });
  await files.makeDirectory('/w/a');
  await files.makeDirectory('/w/b');
  await files.writeFile('/w/a/main.tf', 'variable "Size" {}\nresource "x_y" "size" {}\n');
  await files.writeFile('/w/b/main.tf', 'output "zone" {}\n');
  await files.writeFile('/w/b/more.tf.json', '{"locals": {"\\u0073ize": 1}}');
  const project = new ProjectModel(files);
  project.setDirectories(['/w/a', '/w/b']);
  const found = (query: string): readonly string[] =>
    [...project.searchDeclarations(query)].map(({ declaration }) => declaration.key);
  expect(found('SIZE')).toEqual(['var.Size', 'x_y.size', 'local.size']);
  expect(found('x_y.si')).toEqual(['x_y.size']);
  expect(found('ar.si')).toEqual(['var.Size']);
  expect(found('out')).toEqual(['output.zone']);
  expect(found('')).toHaveLength(4);
  await files.writeFile('/w/b/main.tf', 'output "size" {}\n');
  project.fileChanged('/w/b/main.tf');
  expect(found('output.size')).toEqual(['output.size']);
});

it('finds references to instances of a provider, and in their keys', () => {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  const text = `provider "random" {
  alias    = "by"
  for_each = local.keys
}
locals {
  keys = toset(["a"])
  key  = "a"
}
resource "random_pet" "a" {
  provider = random.by[local.key]
}
module "m" {
  source    = "./m"
  for_each  = local.keys
  providers = { random = random.by[each.key] }
}
`;
  project.setText('/m/main.tofu', text);
  const keys = (key: string): number =>
    project
      .occurrencesOf({ directory: '/m', key })
      .filter(({ occurrence }) => occurrence.role === 'reference').length;
  expect(keys('provider.random.by')).toBe(2);
  expect(keys('local.key')).toBe(1);
});
