import { directoryOf, ProjectModel } from '@terrane/analysis';
import type { Diagnostic } from '@terrane/hcl';
import { nodeHost } from '@terrane/host';
import { DEFAULT_SETTINGS, ModuleEngine } from '@terrane/language-server';
import { memoryHost } from '@terrane/testkit';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sampledFiles, seededNumbers } from './sample-files.ts';
import { changedText } from './text-edits.ts';

const PAUSE = (): undefined => undefined;

async function validated(engine: ModuleEngine): Promise<readonly string[]> {
  await engine.load(DEFAULT_SETTINGS);
  await engine.openProviders(DEFAULT_SETTINGS);
  const { diagnostics } = await engine.validate(DEFAULT_SETTINGS, false, PAUSE);
  return diagnostics.map(described);
}

function described({ severity, summary, detail, subject }: Diagnostic): string {
  const place = subject === undefined ? '' : `${subject.filename}:${subject.start}-${subject.end}`;
  return `${severity} ${place} ${summary}: ${detail}`;
}

/** The diagnostics of changes one after the other, and of each of them alone. */
async function compareEdits(
  directory: string,
  path: string,
  seed: number,
  edits: number,
): Promise<number> {
  const host = nodeHost({ cwd: directory });
  const model = new ProjectModel(host.files);
  const original = readFileSync(path, 'utf8');
  const kept = new ModuleEngine(directory, model, host);
  const next = seededNumbers(seed);
  let failing = 0;
  await validated(kept);
  let text = original;
  for (let edit = 0; edit < edits; edit++) {
    text = next(3) === 0 ? original : changedText(text, next);
    model.setText(path, text);
    const found = await validated(kept);
    const fresh = new ModuleEngine(directory, model, host);
    expect(found, `${path} after edit ${edit}:\n${text}`).toEqual(await validated(fresh));
    await fresh.close();
    if (found.length > 0) failing++;
  }
  await kept.close();
  return failing;
}

it('finds the same problems when outcomes of unchanged declarations are reused', async () => {
  const files = sampledFiles(60, 11, '.tf', '.tofu');
  let failing = 0;
  for (const [index, { path }] of files.entries())
    failing += await compareEdits(directoryOf(path), path, index, 10);
  // Most edits break something.
  expect(failing).toBeGreaterThan(files.length);
});

/** A module in which each file refers to two others. */
function moduleFile(index: number, count: number): string {
  const other = (index + 1) % count;
  return `variable "size_${index}" {
  type    = number
  default = ${index}
}

locals {
  name_${index} = "service-\${var.size_${other}}"
}

resource "terraform_data" "service_${index}" {
  input = { name = local.name_${index}, other = local.name_${other} }
}

output "service_${index}" {
  value = terraform_data.service_${index}.id
}
`;
}

async function workOfEdits(
  count: number,
): Promise<readonly (readonly [string, Readonly<Record<string, number>>])[]> {
  const host = memoryHost({ cwd: '/m' });
  await host.files.makeDirectory('/m');
  for (let index = 0; index < count; index++)
    await host.files.writeFile(`/m/file-${index}.tf`, moduleFile(index, count));
  const model = new ProjectModel(host.files);
  const engine = new ModuleEngine('/m', model, host);
  await validated(engine);
  const original = moduleFile(0, count);
  const work: [string, Readonly<Record<string, number>>][] = [];
  for (const [name, text] of [
    ['an argument', original.replace('= { name', '= { more = 1, name')],
    ['the value of a local value', original.replace('"service-', '"other-')],
    ['a new declaration', `${original}locals {\n  added = 1\n}\n`],
    ['an undeclared reference', original.replace('var.size_1', 'var.size_x')],
    ['back', original],
    ['another reference', original.replace('local.name_1', 'var.size_2')],
    ['a comment', `${original}# end\n`],
  ] as const) {
    const before = engine.work;
    model.setText('/m/file-0.tf', text);
    await validated(engine);
    const { decodedFiles, checkedDeclarations, builtOrders } = engine.work;
    work.push([
      name,
      {
        decodedFiles: decodedFiles - before.decodedFiles,
        checkedDeclarations: checkedDeclarations - before.checkedDeclarations,
        builtOrders: builtOrders - before.builtOrders,
      },
    ]);
  }
  return work;
}

it('decodes and validates only changed files, regardless of the size of the module', async () => {
  const small = await workOfEdits(4);
  expect(await workOfEdits(60)).toEqual(small);
  for (const [, { decodedFiles, checkedDeclarations }] of small) {
    expect(decodedFiles).toBe(1);
    // The file has four declarations; two of other files depend on its local value.
    expect(checkedDeclarations).toBeLessThanOrEqual(8);
  }
  const built = Object.fromEntries(small.map(([name, { builtOrders }]) => [name, builtOrders]));
  expect(built).toEqual({
    'an argument': 0,
    'the value of a local value': 0,
    'a new declaration': 1,
    // That of the text before is taken back.
    'an undeclared reference': 1,
    back: 0,
    'another reference': 0,
    'a comment': 0,
  });
});

it('finds cycles that a changed reference closes', async () => {
  const host = memoryHost({ cwd: '/m' });
  await host.files.makeDirectory('/m/child');
  await host.files.writeFile(
    '/m/child/main.tf',
    'variable "in" {}\noutput "out" {\n  value = var.in\n}\n',
  );
  await host.files.writeFile(
    '/m/main.tf',
    `variable "rule" {
  default = 1
  validation {
    condition     = var.rule > 0 && local.free == 1
    error_message = "Too small."
  }
}
locals {
  a    = 1
  b    = local.a
  free = 1
}
resource "terraform_data" "r" {
  input = local.b
}
module "child" {
  source = "./child"
  in     = local.b
}
`,
  );
  const model = new ProjectModel(host.files);
  const kept = new ModuleEngine('/m', model, host);
  const text = model.document('/m/main.tf')?.text ?? '';
  expect(await validated(kept)).toEqual([]);
  for (const [changed, isCycle] of [
    [text.replace('a    = 1', 'a    = local.free'), false],
    [text.replace('a    = 1', 'a    = local.b'), true],
    [text.replace('a    = 1', 'a    = terraform_data.r.id'), true],
    [text.replace('a    = 1', 'a    = module.child.out'), true],
    [text.replace('a    = 1', 'a    = var.rule'), false],
    [text.replace('free = 1', 'free = var.rule'), true],
    [text, false],
  ] as const) {
    model.setText('/m/main.tf', changed);
    const found = await validated(kept);
    const fresh = new ModuleEngine('/m', model, host);
    expect(found, changed).toEqual(await validated(fresh));
    expect(
      found.some((problem) => problem.includes('Cycle')),
      changed,
    ).toBe(isCycle);
    await fresh.close();
  }
  await kept.close();
});

it('keeps no validation alive through its diagnostics', async () => {
  const host = memoryHost({ cwd: '/m' });
  await host.files.makeDirectory('/m');
  await host.files.writeFile('/m/main.tf', 'locals {\n  a = upper({})\n}\n');
  const engine = new ModuleEngine('/m', new ProjectModel(host.files), host);
  await validated(engine);
  const { diagnostics } = await engine.validate(DEFAULT_SETTINGS, false, PAUSE);
  expect(diagnostics.map(({ summary, scope }) => ({ summary, scope }))).toEqual([
    { summary: 'Invalid function argument', scope: undefined },
  ]);
});
