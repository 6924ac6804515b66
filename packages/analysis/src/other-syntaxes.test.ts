import type { FunctionSignature } from '@terrane/functions';
import { STRING } from '@terrane/cty';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { plainContext } from './analysis-context.ts';
import { completionsAt } from './completion/completions.ts';
import { hoverAt } from './hover.ts';
import { ProjectModel } from './project-model.ts';

const UPPER: FunctionSignature = {
  name: 'upper',
  description: 'Converts letters to upper case.',
  parameters: [{ name: 'str', description: undefined, isNullable: false, type: STRING }],
  variadic: undefined,
  returns: STRING,
};

/** Opens files; the cursor is where a text has a bar. */
function at(path: string, marked: string, others: Readonly<Record<string, string>> = {}) {
  const project = new ProjectModel(memoryHost({ cwd: '/' }).files);
  for (const [name, text] of Object.entries(others)) project.setText(`/m/${name}`, text);
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  project.setText(`/m/${path}`, text);
  const document = project.document(`/m/${path}`);
  if (document === undefined) throw new Error('no document');
  const context = { ...plainContext(project), functions: [UPPER] };
  const { items } = completionsAt(context, document, offset);
  return {
    labels: items.map(({ label }) => label),
    items: items.map(({ label, insert, span }) => ({
      label,
      result: text.slice(0, span.start) + insert + text.slice(span.end),
    })),
    hover: hoverAt(context, document, offset)?.markdown,
  };
}

it('offers blocks, arguments and nested blocks as keys of JSON', () => {
  expect(at('main.tf.json', '{|}').labels).toEqual(
    expect.arrayContaining(['resource', 'variable', 'output']),
  );
  const { labels, items } = at('main.tf.json', '{"variable": {"a": {"type": "string", "de|"}}}');
  expect(labels).toEqual(expect.arrayContaining(['default', 'description', 'deprecated']));
  expect(labels).not.toContain('type');
  expect(items.find(({ label }) => label === 'default')?.result).toBe(
    '{"variable": {"a": {"type": "string", "default"}}}',
  );
  expect(at('main.tf.json', '{"variable": {"a": {"validation": {|}}}}').labels).toEqual(
    expect.arrayContaining(['condition', 'error_message']),
  );
  // The keys of a value are free.
  expect(at('main.tf.json', '{"variable": {"a": {"default": {|}}}}').labels).toEqual([]);
});

it('writes keys with their value outside of quotes', () => {
  const { items } = at('main.tf.json', '{"variable": {"a": {|}}}');
  expect(items.find(({ label }) => label === 'description')?.result).toBe(
    '{"variable": {"a": {"description": $1}}}',
  );
  expect(items.find(({ label }) => label === 'validation')?.result).toBe(
    '{"variable": {"a": {"validation": {$1}}}}',
  );
});

it('offers references in templates of JSON strings', () => {
  const variables = { 'variables.tf': 'variable "size" {}\n' };
  expect(at('main.tf.json', '{"output": {"a": {"value": "${var.|}"}}}', variables).labels).toEqual([
    'size',
  ]);
  expect(at('main.tf.json', '{"output": {"a": {"value": "var.|"}}}', variables).labels).toEqual([]);
  expect(
    at('main.tf.json', '{"output": {"a": {"depends_on": ["var.|"]}}}', variables).labels,
  ).toEqual(['size']);
});

it('answers in broken JSON', () => {
  expect(at('main.tf.json', '{"variable": {"a": {"descr|\n').labels).toContain('description');
  expect(at('main.tf.json', '{"variable": |').labels).toEqual([]);
  expect(at('a.tfvars.json', '{"|', { 'main.tf': 'variable "zone" {}\n' }).labels).toEqual([
    'zone',
  ]);
});

it('documents keys of JSON', () => {
  expect(at('main.tf.json', '{"vari|able": {}}').hover).toContain('variable');
  expect(at('main.tf.json', '{"variable": {"a": {"sensi|tive": true}}}').hover).toContain('bool');
  expect(at('main.tf.json', '{"variable": {"a": {"other|": true}}}').hover).toBeUndefined();
});

it('offers variables, functions and directives in template files', () => {
  const others = {
    'main.tf':
      'locals {\n  a = templatefile("${path.module}/init.tftpl", { host = "a", "port" = 1 })\n}\n',
  };
  expect(at('init.tftpl', 'Host: ${|}', others).labels).toEqual(
    expect.arrayContaining(['host', 'port', 'upper']),
  );
  expect(at('init.tftpl', 'Host: |', others).labels).toEqual([]);
  expect(at('init.tftpl', 'Host: $${|}', others).labels).toEqual([]);
  expect(at('init.tftpl', '%{ |', others).labels).toEqual(['if', 'else', 'endif', 'for', 'endfor']);
  expect(at('init.tftpl', '%{ for key in host }${k|}', others).labels).toContain('key');
});

it('documents functions and variables of template files', () => {
  const others = { 'main.tf': 'locals {\n  a = templatefile("init.tftpl", { host = "a" })\n}\n' };
  expect(at('init.tftpl', '${up|per(host)}', others).hover).toContain('upper case');
  expect(at('init.tftpl', '${upper(ho|st)}', others).hover).toContain('templatefile');
  expect(at('init.tftpl', 'ho|st', others).hover).toBeUndefined();
});
