import { memoryHost } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { loadConfiguration } from './load.ts';
import { resolveProvider } from './resolve-provider.ts';

// The provider of the resource in the state of Terraform 1.11.4.
test.each([
  [
    'is the root’s of the same source, which the root need not name',
    '',
    'other = { source = "example/other" }',
    'other',
    'provider["registry.terraform.io/example/other"]',
  ],
  [
    'is found by its source where the root has another name for it',
    'theirs = { source = "example/other" }',
    'other = { source = "example/other" }',
    'other',
    'provider["registry.terraform.io/example/other"]',
  ],
  [
    'is not another one that the root gives the same name',
    'other = { source = "else/other" }',
    'other = { source = "example/other" }',
    'other',
    'provider["registry.terraform.io/example/other"]',
  ],
  [
    'has the address of its name where no source is given',
    '',
    '',
    'other',
    'provider["registry.terraform.io/hashicorp/other"]',
  ],
])('the provider of a called module %s', async (_title, root, child, name, expected) => {
  const host = memoryHost();
  const manifest = { Modules: [{ Key: 'a', Source: './a', Dir: 'a' }] };
  const files = {
    'main.tf': `${required(root)}\nmodule "a" { source = "./a" }`,
    'a/main.tf': `${required(child)}\nresource "other_thing" "x" {}`,
    '.terraform/modules/modules.json': JSON.stringify(manifest),
  };
  for (const [path, text] of Object.entries(files)) {
    await host.files.makeDirectory(`/project/${path.split('/').slice(0, -1).join('/')}`);
    await host.files.writeFile(`/project/${path}`, text);
  }
  const { configuration } = loadConfiguration(host.files, '.');
  const module = configuration?.modules.get('module.a');
  if (configuration === undefined || module === undefined) throw new Error('no module');
  expect(resolveProvider(configuration, module, { name }).text).toBe(expected);
});

function required(providers: string): string {
  return providers === '' ? '' : `terraform {\n  required_providers {\n${providers}\n}\n}`;
}
