import { applyTextChanges, ProjectModel, renameChanges } from '@terrane/analysis';
import { openWorkingDirectory } from '@terrane/ops';
import { memoryHost, type MemoryHost } from '@terrane/testkit';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { renameInCase } from './rename-in-case.ts';
import { sampledFiles, seededNumbers } from './sample-files.ts';

const FILES: Readonly<Record<string, string>> = {
  '/r/main.tf': `variable "size" {
  type = number
}

locals {
  names = toset(["a", "b"])
}

module "child" {
  source   = "./child"
  for_each = local.names
  label    = "\${each.key}-\${var.size}"
}

module "single" {
  source = "./child"
  label  = terraform_data.counted[0].output
}

resource "terraform_data" "counted" {
  count = var.size
  input = "n\${count.index}"
}

resource "terraform_data" "by_key" {
  for_each         = module.child
  input            = each.value.result
  triggers_replace = [terraform_data.counted[*].output]
  depends_on       = [module.single]
}

check "size" {
  assert {
    condition     = var.size > 0
    error_message = "The size is \${var.size}."
  }
}

output "all" {
  value = { for name, data in terraform_data.by_key : name => data.output }
}
`,
  '/r/terraform.tfvars': 'size = 2\n',
  '/r/child/main.tf': `variable "label" {
  type = string
}

resource "terraform_data" "inner" {
  input = var.label
}

output "result" {
  value = terraform_data.inner.output
}
`,
  '/r/data.tf.json': `{
  "locals": { "suffix": "x" },
  "resource": {
    "terraform_data": {
      "json": { "input": "\${local.suffix}-\${var.size}", "depends_on": ["terraform_data.by_key"] }
    }
  }
}
`,
};

async function write(host: MemoryHost, path: string, text: string): Promise<void> {
  await host.files.makeDirectory(path.slice(0, path.lastIndexOf('/')));
  await host.files.writeFile(path, text);
}

it('keeps the plan empty after renaming any symbol, one after another', async () => {
  const host = memoryHost({ cwd: '/r' });
  for (const [path, text] of Object.entries(FILES)) await write(host, path, text);
  const directory = openWorkingDirectory('/r', { host });
  await directory.init();
  await directory.apply();
  const renamed: string[] = [];
  const targets = (['/r', '/r/child'] as const).flatMap((each) =>
    [...new ProjectModel(host.files).module(each).declarations.keys()].map((key) => ({
      directory: each,
      key,
    })),
  );
  for (const target of targets) {
    const project = new ProjectModel(host.files);
    project.setDirectories(['/r', '/r/child']);
    const result = renameChanges(project, target, 'renamed_thing');
    if ('problem' in result) throw new Error(`${target.key}: ${result.problem}`);
    for (const [path, changes] of result.changes) {
      const before = project.document(path)?.text ?? '';
      await write(host, path, applyTextChanges(before, changes));
    }
    // Calls of modules are recorded by their names.
    if (target.key.startsWith('module.')) await directory.init();
    const { changes } = await directory.plan();
    const left = changes.map((change) => `${target.key}: ${change.action} ${change.address}`);
    expect(left).toEqual([]);
    renamed.push(target.key);
    // The name is free for the next one, and a way back exists.
    const again = new ProjectModel(host.files);
    again.setDirectories(['/r', '/r/child']);
    const key = `${target.key.slice(0, target.key.lastIndexOf('.') + 1)}renamed_thing`;
    const back = renameChanges(again, { directory: target.directory, key }, lastPart(target.key));
    if ('problem' in back) throw new Error(`${key}: ${back.problem}`);
    for (const [path, own] of back.changes) {
      await write(host, path, applyTextChanges(again.document(path)?.text ?? '', own));
    }
    if (target.key.startsWith('module.')) await directory.init();
    const after = await directory.plan();
    expect(after.changes.map(({ address }) => address)).toEqual([]);
  }
  expect(renamed).toEqual(
    expect.arrayContaining([
      'var.size',
      'local.names',
      'local.suffix',
      'module.child',
      'terraform_data.by_key',
      'terraform_data.json',
      'output.all',
      'var.label',
      'terraform_data.inner',
      'output.result',
    ]),
  );
});

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

it('keeps the plan of configurations of the differential suite empty', async () => {
  // The whole suite: npm run ts -- tests/editor/fuzz-editor.ts rename
  const next = seededNumbers(4);
  const problems: string[] = [];
  let renamed = 0;
  for (const { path } of sampledFiles(14, 6, '/main.tf')) {
    const result = await renameInCase(dirname(path), 4, next);
    if ('unused' in result) continue;
    renamed += result.renamed;
    problems.push(...result.problems.map((problem) => `${path}: ${problem}`));
  }
  expect(problems).toEqual([]);
  expect(renamed).toBeGreaterThan(5);
});
