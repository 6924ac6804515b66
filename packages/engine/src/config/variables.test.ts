import { type Value, valueToJson } from '@terrane/cty';
import { hasErrors } from '@terrane/hcl';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { collectVariables, type VariableOption } from './collect-variables.ts';
import { finalizeVariables } from './finalize-variables.ts';
import { loadConfiguration } from './load.ts';

const DECLARATIONS = `
variable "s" { type = string }
variable "n" { type = number }
variable "l" { type = list(string) }
variable "o" {
  type    = object({ a = string })
  default = { a = "x" }
}
variable "nn" {
  default  = "d"
  nullable = false
}
variable "any" { default = null }
`;
const json = (value: Value): string =>
  value.isWhollyKnown() ? valueToJson(value, value.type) : 'unknown';

const OK = 's = "x"\nn = 1\nl = ["a"]\n';

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly options?: readonly VariableOption[];
}

async function variables({ files = {}, environment = {}, options = [] }: Given) {
  const host = memoryHost({ variables: environment });
  for (const [path, text] of Object.entries({ 'main.tf': DECLARATIONS, ...files })) {
    await host.files.writeFile(path, text);
  }
  const { configuration } = loadConfiguration(host.files, '.');
  const collected = collectVariables(host, '.', options);
  const finalized = finalizeVariables(configuration!, collected.values);
  const diagnostics = hasErrors(collected.diagnostics)
    ? collected.diagnostics
    : [
        ...collected.diagnostics,
        ...finalized.diagnostics,
        ...[...finalized.unsuitable.values()].flat(),
      ];
  return {
    messages: diagnostics.map(({ summary, detail, subject }) => {
      const place = subject === undefined ? '' : `${subject.filename}:${subject.from.line}: `;
      return `${place}${summary}: ${detail}`;
    }),
    values: Object.fromEntries([...finalized.values].map(([name, value]) => [name, json(value)])),
  };
}

const option = (text: string): VariableOption => ({ kind: 'var', text });
const file = (text: string): VariableOption => ({ kind: 'file', text });
const withOption = (text: string): Given => ({
  files: { 'ok.tfvars': OK },
  options: [file('ok.tfvars'), option(text)],
});

describe('values of variables', () => {
  it('come from the environment, then files, then options, the last one winning', async () => {
    const places: Given = {
      environment: { TF_VAR_s: 'env', TF_VAR_n: '1', TF_VAR_l: '["env"]', TF_VAR_nn: 'env' },
      files: {
        'terraform.tfvars': 'n = 2\nl = ["file"]\nnn = "file"\nany = "file"',
        'terraform.tfvars.json': '{ "l": ["json"] }',
        'b.auto.tfvars': 'any = "b"',
        'a.auto.tfvars': 'any = "a"\nnn = "a"',
        'c.auto.tfvars.json': '{ "o": { "a": 1 } }',
        'given.tfvars': 'nn = "given"',
      },
      options: [option('nn=option'), file('given.tfvars')],
    };
    const { messages, values } = await variables(places);
    expect(messages).toEqual([]);
    expect(values).toEqual({
      s: '"env"',
      n: '2',
      l: '["json"]',
      o: '{"a":"1"}',
      nn: '"given"',
      any: '"b"',
    });
  });

  it('given as text are literal for primitive types and expressions for others', async () => {
    const inputs = { ...withOption('s=null'), environment: { TF_VAR_any: '{a=1}' } };
    const { values } = await variables(inputs);
    expect([values['s'], values['any']]).toEqual(['"null"', '"{a=1}"']);
    expect((await variables(withOption('l=["a",true]'))).values['l']).toContain('"true"');
  });

  // The messages of `terraform plan`.
  it.each([
    [
      {},
      ['s', 'n', 'l'].sort().map((name) => {
        const line = { s: 2, n: 3, l: 4 }[name];
        return `main.tf:${line}: No value for required variable: The root module input variable "${name}" is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.`;
      }),
    ],
    [
      { files: { 'bad.tfvars': 's = "x"\nn = "y"\nl = "z"\n' }, options: [file('bad.tfvars')] },
      [
        'bad.tfvars:2: Invalid value for input variable: The given value is not suitable for var.n declared at main.tf:3,1-13: a number is required.',
        'bad.tfvars:3: Invalid value for input variable: The given value is not suitable for var.l declared at main.tf:4,1-13: list of string required.',
      ],
    ],
    [
      withOption('zzz=1'),
      [
        'Value for undeclared variable: A variable named "zzz" was assigned on the command line, but the root module does not declare a variable of that name. To use this value, add a "variable" block to the configuration.',
      ],
    ],
    [
      withOption('l=foo'),
      [
        '<value for var.l>:1: Variables not allowed: Variables may not be used here.',
        'main.tf:4: No value for required variable: The root module input variable "l" is not set, and has no default value. Use a -var or -var-file command line argument to provide a value for this variable.',
      ],
    ],
    [
      withOption('o={}'),
      [
        'main.tf:5: Invalid value for input variable: Unsuitable value for var.o set using -var="o=...": attribute "a" is required.',
      ],
    ],
    [
      withOption('s'),
      [
        'Invalid -var option: The given -var option "s" is not correctly specified. Must be a variable name and value separated by an equals sign, like -var="key=value".',
      ],
    ],
    [
      withOption(' s = 1'),
      [
        'Invalid -var option: Variable name " s " is invalid due to trailing space. Did you mean -var=" s=1"?',
      ],
    ],
    [
      { files: { 'terraform.tfvars': OK, 'd.auto.tfvars': 'variable "x" {}' } },
      [
        'd.auto.tfvars:1: Variable declaration in .tfvars file: A .tfvars file is used to assign values to variables that have already been declared in .tf files, not to declare new variables. To declare variable "x", place this block in one of your .tf files, such as variables.tf.\n\nTo set a value for this variable in d.auto.tfvars, use the definition syntax instead:\n    x = <value>',
      ],
    ],
    [
      { options: [file('nope.tfvars')] },
      ['Failed to read variables file: Given variables file nope.tfvars does not exist.'],
    ],
    [{ files: { 'terraform.tfvars': OK }, environment: { TF_VAR_n: 'x', TF_VAR_zz: '1' } }, []],
    [
      { environment: { TF_VAR_n: 'x', TF_VAR_s: 'q', TF_VAR_l: '5' } },
      [
        'main.tf:3: Invalid value for input variable: Unsuitable value for var.n set using the TF_VAR_n environment variable: a number is required.',
        'main.tf:4: Invalid value for input variable: Unsuitable value for var.l set using the TF_VAR_l environment variable: list of string required.',
      ],
    ],
    [
      { files: { 'bad.tfvars.json': '[1]' }, options: [file('bad.tfvars.json')] },
      [
        'bad.tfvars.json:1: Incorrect JSON value type: A JSON object is required here, setting the arguments for this block.',
      ],
    ],
  ] satisfies [Given, string[]][])('that are wrong: %j', async (inputs, expected) => {
    expect((await variables(inputs)).messages).toEqual(expected);
  });

  it('of files that nothing is declared for are warned of twice, then counted', async () => {
    const { messages } = await variables({
      files: { 'terraform.tfvars': `${OK}a = 1\nb = 1\nc = 1\nd = 1` },
    });
    expect(messages.map((text) => text.slice(0, text.indexOf('.')))).toEqual([
      'Value for undeclared variable: The root module does not declare a variable named "a" but a value was found in file "terraform',
      'Value for undeclared variable: The root module does not declare a variable named "b" but a value was found in file "terraform',
      'Values for undeclared variables: In addition to the other similar warnings shown, 2 other variable(s) defined without being declared',
    ]);
  });
});
