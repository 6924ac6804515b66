// Deeply nested and very large input for every parser: each is refused with a diagnostic, in bounded time and memory.
import { expect, it } from 'vitest';
import { Work } from './fixture.ts';

/** A case: the files of a project, what is run in it, and what must be printed. */
interface Case {
  readonly files: Readonly<Record<string, string>>;
  readonly run?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: string;
}

const many = (text: string, count: number): string => text.repeat(count);
const inside = (open: string, close: string, count: number): string =>
  `${many(open, count)}${many(close, count)}`;
const local = (expression: string): Case['files'] => ({
  'main.tf': `locals {\n  b = {}\n  a = ${expression}\n}\n`,
});
const decoded = (call: string, text: string): Case['files'] => ({
  'main.tf': `output "o" {\n  value = ${call}\n}\n`,
  'input.txt': text,
});
const state = (outputs: string): Case['files'] => ({
  'main.tf': '',
  'terraform.tfstate': `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"a","outputs":${outputs},"resources":[]}`,
});

const EXPRESSION = 'Expression too deeply nested';
const BLOCK = 'Block too deeply nested';
const JSON_VALUE = 'JSON value too deeply nested';

const CASES: Readonly<Record<string, Case>> = {
  'nested blocks': { files: { 'main.tf': inside('a {\n', '}\n', 50_000) }, says: BLOCK },
  'unclosed blocks': { files: { 'main.tf': many('a "b" {\n', 50_000) }, says: BLOCK },
  'JSON arrays': { files: { 'main.tf.json': many('[', 200_000) }, says: JSON_VALUE },
  'JSON objects': { files: { 'main.tf.json': many('{"a":', 100_000) }, says: JSON_VALUE },
  parentheses: { files: local(`${many('(', 100_000)}1${many(')', 100_000)}`), says: EXPRESSION },
  tuples: { files: local(inside('[', ']', 100_000)), says: EXPRESSION },
  templates: { files: local(`"${inside('${"', '"}', 50_000)}"`), says: EXPRESSION },
  directives: {
    files: local(`"${inside('%{ if true }', '%{ endif }', 30_000)}"`),
    says: 'Template too deeply nested',
  },
  conditions: { files: local(`${many('true ? 1 : ', 50_000)}1`), says: EXPRESSION },
  negations: { files: local(`${many('!', 100_000)}true`), says: EXPRESSION },
  calls: { files: local(`${many('abs(', 50_000)}1${many(')', 50_000)}`), says: EXPRESSION },
  attributes: { files: local(`local.b${many('.a', 100_000)}`), says: EXPRESSION },
  indices: { files: local(`local.b${many('[0]', 100_000)}`), says: EXPRESSION },
  types: {
    files: {
      'main.tf': `variable "a" {\n  type = ${many('list(', 100_000)}string${many(')', 100_000)}\n}\n`,
    },
    says: EXPRESSION,
  },
  'values of locals': {
    files: {
      'main.tf': `locals {\n  a0 = []\n${Array.from({ length: 3000 }, (_, i) => `  a${i + 1} = [local.a${i}]\n`).join('')}}\noutput "o" {\n  value = local.a3000\n}\n`,
    },
    says: 'values may not be nested more than 500 levels deep',
  },
  'texts that double': {
    files: {
      'main.tf': `locals {\n  a0 = "xxxxxxxxxx"\n${Array.from({ length: 40 }, (_, i) => `  a${i + 1} = "\${local.a${i}}\${local.a${i}}"\n`).join('')}}\noutput "o" {\n  value = local.a40\n}\n`,
    },
    says: 'the text would be longer than',
  },
  'values of variables': {
    files: { 'main.tf': 'variable "a" {}\n', 'terraform.tfvars': `a = ${many('[', 100_000)}\n` },
    says: EXPRESSION,
  },
  'values of variables in JSON': {
    files: {
      'main.tf': 'variable "a" {}\n',
      'terraform.tfvars.json': `{"a":${many('[', 200_000)}`,
    },
    says: JSON_VALUE,
  },
  'test files': {
    files: { 'main.tf': '', 'a.tftest.hcl': many('run "a" {\n', 50_000) },
    run: ['test', '-no-color'],
    says: BLOCK,
  },
  'mock files': {
    files: {
      'main.tf': '',
      'a.tftest.hcl': 'mock_provider "a" {\n  source = "./m"\n}\nrun "x" {}\n',
      'm/a.tfmock.hcl': many('mock_resource "a" {\n', 50_000),
    },
    run: ['test', '-no-color'],
    says: BLOCK,
  },
  'the lock file': {
    files: { 'main.tf': '', '.terraform.lock.hcl': many('provider "a" {\n', 50_000) },
    run: ['init', '-no-color'],
    says: BLOCK,
  },
  'the CLI configuration': {
    files: { 'main.tf': '', rc: many('a {\n', 50_000) },
    env: { TF_CLI_CONFIG_FILE: 'rc' },
    says: 'more than 500 levels of nesting',
  },
  'lists in the CLI configuration': {
    files: { 'main.tf': '', rc: `a = ${many('[', 100_000)}` },
    env: { TF_CLI_CONFIG_FILE: 'rc' },
    says: 'more than 500 levels of nesting',
  },
  'the CLI configuration in JSON': {
    files: { 'main.tf': '', rc: many('{"a":', 100_000) },
    env: { TF_CLI_CONFIG_FILE: 'rc' },
    says: JSON_VALUE,
  },
  'a state': {
    files: state(
      `{"a":{"value":${inside('[', ']', 100_000)},"type":${inside('["tuple",[', ']]', 100_000)}}}`,
    ),
    says: 'Error',
  },
  'a state that is no object': {
    files: { 'main.tf': '', 'terraform.tfstate': many('[', 200_000) },
    says: 'Error',
  },
  'a number in a state': {
    files: state('{"a":{"value":1e999999999,"type":"number"}}'),
    says: 'a = +Inf -> null',
  },
  'a plan file': {
    files: { 'main.tf': '', 'a.tfplan': many('[', 200_000) },
    run: ['show', '-no-color', 'a.tfplan'],
    says: 'Error',
  },
  jsondecode: {
    files: decoded('jsondecode(file("input.txt"))', many('[', 200_000)),
    says: 'Error in function call',
  },
  'jsondecode of what is complete': {
    files: decoded('jsondecode(file("input.txt"))', inside('[', ']', 3000)),
    says: 'Error in function call',
  },
  'yamldecode of flow sequences': {
    files: decoded('yamldecode(file("input.txt"))', many('[', 200_000)),
    says: 'more than 500 levels',
  },
  'yamldecode of block sequences': {
    files: decoded('yamldecode(file("input.txt"))', many('- ', 100_000)),
    says: 'more than 500 levels',
  },
  'yamldecode of aliases of aliases': {
    files: decoded(
      'yamldecode(file("input.txt"))',
      `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 11 }, (_, i) => `a${i + 1}: &a${i + 1} [${many(`*a${i},`, 10)}]\n`).join('')}`,
    ),
    says: 'document contains excessive aliasing',
  },
  csvdecode: {
    files: decoded('csvdecode(file("input.txt"))', many('"', 200_001)),
    says: 'Error in function call',
  },
  'a template file': {
    files: decoded('templatefile("input.txt", {})', many('%{ if true }', 50_000)),
    says: 'Template too deeply nested',
  },
  'a width': { files: decoded('format("%999999999d", 1)', ''), says: 'must not be greater than' },
  'a precision': {
    files: decoded('format("%.999999999f", 1)', ''),
    says: 'must not be greater than',
  },
};

it.each(Object.entries(CASES))(
  '%s',
  async (_, { files, run = ['plan', '-no-color'], env = {}, says }) => {
    const work = new Work(files);
    const { signal, stdout, stderr } = await work.run(run, {
      env: { NODE_OPTIONS: '--max-old-space-size=600', ...env },
    });
    const printed = (stdout + stderr).replaceAll(/\s+/g, ' ');
    expect(signal).toBeNull();
    expect(printed).toContain(says);
    expect(printed).not.toMatch(/has a fault|RangeError|Maximum call stack|heap out of memory/);
  },
);
