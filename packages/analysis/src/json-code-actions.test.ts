import { NUMBER, STRING, number, str, type Value } from '@terrane/cty';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { plainContext } from './analysis-context.ts';
import { codeActionsAt } from './code-actions.ts';
import { applyTextChanges } from './edits.ts';
import { valueHints } from './inlay-hints.ts';
import { ProjectModel } from './project-model.ts';
import { signatureAt } from './signature-help.ts';

/** The texts after each action for the part of a text between bars, by title and file. */
function actionsAt(
  path: string,
  marked: string,
  others: Readonly<Record<string, string>> = {},
  values: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  for (const [name, text] of Object.entries(others)) project.setText(`/m/${name}`, text);
  const [before = '', selected = '', after] = marked.split('|');
  const text = before + selected + (after ?? '');
  project.setText(`/m/${path}`, text);
  const document = project.document(`/m/${path}`);
  if (document === undefined) throw new Error('no document');
  const context = {
    ...plainContext(project),
    values: () => ({ valueOf: (expression: string) => values[expression] }),
  };
  const start = before.length;
  const end = after === undefined ? start : start + selected.length;
  const actions = codeActionsAt(context, document, { start, end }, []);
  return Object.fromEntries(
    actions.map(({ title, changes }) => [
      title,
      Object.fromEntries(
        [...changes].map(([file, own]) => [
          file.slice(3),
          applyTextChanges(project.document(file)?.text ?? '', own),
        ]),
      ),
    ]),
  );
}

describe('in a JSON file', () => {
  it('declares a variable in the same file, laid out as it is', () => {
    const text = '{\n  "output": {\n    "a": { "value": "${var.|size}" }\n  }\n}\n';
    expect(actionsAt('main.tf.json', text)['Declare var.size']).toEqual({
      'main.tf.json':
        '{\n  "output": {\n    "a": { "value": "${var.size}" }\n  },\n  "variable": {\n    "size": {\n      "type": "string"\n    }\n  }\n}\n',
    });
    const compact = '{"output":{"a":{"value":"${local.|x}"}},"locals":{"y":1}}';
    expect(actionsAt('main.tf.json', compact)['Declare local.x']).toEqual({
      'main.tf.json': '{"output":{"a":{"value":"${local.x}"}},"locals":{"y":1, "x": null}}',
    });
  });

  it('removes an unused variable with its values in files of either syntax', () => {
    const text = '{\n  "variable": {\n    "|a": {},\n    "b": {}\n  }\n}\n';
    const others = {
      'terraform.tfvars': 'a = 1\nb = 2\n',
      'x.auto.tfvars.json': '{"b": 1, "a": 2}',
    };
    expect(actionsAt('main.tf.json', text, others)['Remove unused var.a']).toEqual({
      'main.tf.json': '{\n  "variable": {\n    "b": {}\n  }\n}\n',
      'terraform.tfvars': 'b = 2\n',
      'x.auto.tfvars.json': '{"b": 1}',
    });
  });

  it('extracts values to local values and constants to variables', () => {
    const text =
      '{\n  "resource": {\n    "terraform_data": {\n      "a": {\n        "input": |["x", "y"]|\n      }\n    }\n  }\n}\n';
    const actions = actionsAt('main.tf.json', text);
    expect(actions['Extract to local.input']?.['main.tf.json']).toContain(
      '"input": "${local.input}"',
    );
    expect(actions['Extract to local.input']?.['main.tf.json']).toContain(
      '  "locals": {\n    "input": [\n      "x",\n      "y"\n    ]\n  }\n}\n',
    );
    expect(JSON.parse(actions['Extract to var.input']?.['main.tf.json'] ?? '')).toMatchObject({
      variable: { input: { type: 'list(string)', default: ['x', 'y'] } },
    });
    const instance = text.replace('["x", "y"]', '"${each.key}"');
    expect(Object.keys(actionsAt('main.tf.json', instance))).toEqual([]);
  });

  it('converts count to for_each, and indices in files of either syntax', () => {
    const text =
      '{"resource": {"terraform_data": {"a": {"co|unt": 2, "input": "count.index is ${count.index}"}}}, "output": {"b": {"value": "${terraform_data.a[1].id}"}}}';
    const others = {
      'other.tf':
        'output "c" {\n  value      = terraform_data.a[0].id\n  depends_on = [terraform_data.a]\n}\n',
    };
    const changed = actionsAt('main.tf.json', text, others)[
      'Convert count to for_each with moved blocks'
    ];
    expect(JSON.parse(changed?.['main.tf.json'] ?? '')).toEqual({
      resource: {
        terraform_data: {
          a: {
            for_each: '${toset([for i in range(2) : tostring(i)])}',
            input: 'count.index is ${tonumber(each.key)}',
          },
        },
      },
      output: { b: { value: '${terraform_data.a["1"].id}' } },
      moved: [
        { from: 'terraform_data.a[0]', to: 'terraform_data.a["0"]' },
        { from: 'terraform_data.a[1]', to: 'terraform_data.a["1"]' },
      ],
    });
    expect(changed?.['other.tf']).toContain('terraform_data.a["0"].id');
  });

  it('adds import blocks and required arguments', () => {
    const text = '{"resource": {"terraform_data": {"|a": {}}}, "import": {"to": "x.y", "id": "z"}}';
    const changed = actionsAt('main.tf.json', text, {}, { 'terraform_data.a.id': str('id-${x}') });
    const added = changed['Add an import block for the object of the state']?.['main.tf.json'];
    expect(JSON.parse(added ?? '')).toMatchObject({
      import: [
        { to: 'x.y', id: 'z' },
        { to: 'terraform_data.a', id: 'id-$${x}' },
      ],
    });
    const required = actionsAt('main.tf.json', '{"module": {"a": {|}}}');
    expect(required['Add required arguments']).toEqual({
      'main.tf.json': '{"module": {"a": {"source": ""}}}',
    });
  });

  it('shows values after templates, of each instance', () => {
    const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
    const text =
      '{"locals": {"n": "${1 + 1}"}, "resource": {"terraform_data": {"a": {"count": 2, "input": {"x": "${upper(\\"n\\")}", "y": "#${count.index}"}}}}}';
    project.setText('/m/main.tf.json', text);
    const document = project.document('/m/main.tf.json');
    if (document === undefined) throw new Error('no document');
    const known: Readonly<Record<string, Value>> = {
      'local.n': number(2),
      '2': number(2),
      '"${upper("n")}"': str('N'),
      '"#${0}"': str('#0'),
      '"#${1}"': str('#1'),
    };
    const context = {
      ...plainContext(project),
      values: () => ({ valueOf: (expression: string) => known[expression] }),
    };
    const hints = valueHints(context, document, { start: 0, end: text.length });
    expect(hints.map(({ offset, label }) => [text.slice(0, offset).slice(-5), label])).toEqual([
      ['+ 1}"', '2'],
      ['\\")}"', '"N"'],
      ['dex}"', '[0] = "#0", [1] = "#1"'],
    ]);
  });

  it('shows signatures inside of templates', () => {
    const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
    const text = '{"locals": {"n": "${max(\\"1\\", 2"}}';
    project.setText('/m/main.tf.json', text);
    const document = project.document('/m/main.tf.json');
    if (document === undefined) throw new Error('no document');
    const parameter = { name: 'numbers', description: '', isNullable: false, type: NUMBER };
    const functions = [
      { name: 'max', description: '', parameters: [], variadic: parameter, returns: STRING },
    ];
    const context = { ...plainContext(project), functions };
    expect(signatureAt(context, document, text.indexOf(' 2') + 2)?.label).toContain('max(');
    expect(signatureAt(context, document, 5)).toBeUndefined();
  });
});

it('keeps the type of extracted constants, and extracts what an iterator does not bind', () => {
  const text =
    'resource "x" "a" {\n  dynamic "b" {\n    for_each = [1]\n    content {\n      c = |{ d = [1, 2], e = "f" }|\n      g = b.value\n    }\n  }\n}\n';
  const actions = actionsAt('main.tf', text);
  expect(actions['Extract to var.c']?.['main.tf']).toContain(
    '  type    = object({ d = list(number), e = string })\n',
  );
  expect(Object.keys(actions)).toContain('Extract to local.c');
  const bound = text.replaceAll('|', '').replace('b.value', '|b.value|');
  expect(Object.keys(actionsAt('main.tf', bound))).toEqual([]);
});

it('converts count.index in expressions and heredocs only', () => {
  const text =
    'resource "terraform_data" "a" {\n  |count = 1\n  # count.index\n  input = <<-EOT\n    count.index ${count.index}\n  EOT\n  depends_on = [terraform_data.b]\n}\n\nresource "terraform_data" "b" {\n  depends_on = [terraform_data.a]\n}\n';
  const changed = actionsAt('main.tf', text)['Convert count to for_each with moved blocks'];
  expect(changed?.['main.tf']).toContain('# count.index\n');
  expect(changed?.['main.tf']).toContain('    count.index ${tonumber(each.key)}\n');
});
