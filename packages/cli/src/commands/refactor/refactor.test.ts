// Refactorings: what they show, what they write, and that no object changes.
import { memoryHost } from '@terrane/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

async function applied(files: Readonly<Record<string, string>>): Promise<Workbench> {
  const bench = await Workbench.with(files);
  const { code, stderr } = await bench.run('apply -auto-approve');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return bench;
}

const NO_CHANGES = /No changes\.|0 to add, 0 to change, 0 to destroy/;

/** The ids of all objects, by address without modules. */
async function ids(bench: Workbench, path = 'terraform.tfstate'): Promise<readonly string[]> {
  const state: unknown = JSON.parse(await bench.read(path));
  return [...JSON.stringify(state).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id ?? '').sort();
}

describe('refactor moved', () => {
  const thing = (name: string, input: string, more = ''): string =>
    `resource "terraform_data" "${name}" {\n  input = ${input}\n${more}}\n`;

  it('previews without writing', async () => {
    const bench = await applied({ 'main.tf': thing('a', '"x"') });
    await bench.write('main.tf', thing('b', '"x"'));
    const { code, stdout } = await bench.run('refactor moved');
    expect(code).toBe(0);
    expect(stdout).toContain('terraform_data.a -> terraform_data.b');
    expect(stdout).toContain('Nothing was written.');
    expect(await bench.exists('moved.tf')).toBe(false);
  });

  it('appends to moved.tf and keeps its text', async () => {
    const bench = await applied({ 'main.tf': thing('a', '"x"') });
    await bench.write('main.tf', thing('b', '"x"'));
    await bench.write('moved.tf', '# odd   text\n');
    await bench.run('refactor moved -write');
    expect(await bench.read('moved.tf')).toBe(
      '# odd   text\n\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n',
    );
  });

  it.each([
    ['different values', thing('a', '"x"'), thing('b', '"y"', '  triggers_replace = ["q"]\n')],
    [
      'several candidates',
      thing('a', '"x"') + thing('c', '"x"'),
      thing('b', '"x"') + thing('d', '"x"'),
    ],
    [
      'no value to compare',
      'resource "terraform_data" "a" {}\n',
      'resource "terraform_data" "b" {}\n',
    ],
  ])('proposes nothing for %s', async (_name, before, after) => {
    const bench = await applied({ 'main.tf': before });
    await bench.write('main.tf', after);
    const { code, stdout } = await bench.run('refactor moved -write');
    expect(code).toBe(0);
    expect(stdout).toContain('No object is deleted under one address and created under another.');
    expect(await bench.exists('moved.tf')).toBe(false);
  });

  it('prefers the same key, and covers modules and resources with one block', async () => {
    const module = { 'm/main.tf': thing('in', '["deep"]') };
    const repeated = (name: string): string =>
      thing(name, '"same"', '  for_each = toset(["k", "l"])\n');
    const bench = await applied({
      ...module,
      'main.tf': `module "old" {\n  source = "./m"\n}\n${repeated('a')}`,
    });
    await bench.write('main.tf', `module "new" {\n  source = "./m"\n}\n${repeated('b')}`);
    await bench.run('refactor moved -write');
    expect(await bench.read('moved.tf')).toBe(
      'moved {\n  from = module.old\n  to   = module.new\n}\n\nmoved {\n  from = terraform_data.a\n  to   = terraform_data.b\n}\n',
    );
    expect((await bench.run('plan')).stdout).toMatch(NO_CHANGES);
  });

  it('never prints sensitive values', async () => {
    const secret = 'variable "s" {\n  default   = "canary"\n  sensitive = true\n}\n';
    const bench = await applied({ 'main.tf': secret + thing('a', 'var.s') });
    await bench.write(
      'main.tf',
      secret.replace('canary', 'canary2') + thing('b', 'var.s', '  triggers_replace = ["q"]\n'),
    );
    const { stdout, stderr } = await bench.run('refactor moved');
    expect(stdout + stderr).not.toContain('canary');
  });
});

describe('refactor extract', () => {
  const files = {
    'main.tf': `variable "region" {
  type    = string
  default = "eu"
}

variable "password" {
  sensitive = true
  default   = "canary"
}

locals {
  prefix   = "p-\${var.region}" # odd   comment
}

# A network.
resource "terraform_data" "net" {
  input = { name = local.prefix, dir = path.module, pw = var.password, region = var.region }
}

resource "terraform_data" "sub" {
  for_each   = toset(["a", "b"])
  input      = "\${terraform_data.net.id}-\${each.key}-\${terraform_data.other.output}"
  depends_on = [terraform_data.other, terraform_data.net]
}

resource "terraform_data" "other" {
  input = "o"
}

resource "terraform_data" "user" {
  input      = [for k, s in terraform_data.sub : "\${k}\${s.output}"]
  depends_on = [terraform_data.net]
}

output "id" {
  value = terraform_data.net.id
}
`,
  };

  it('writes the module, its variables and outputs, the call and moved blocks', async () => {
    const bench = await applied(files);
    const before = await ids(bench);
    const line =
      'refactor extract -to=modules/net -name=net -write terraform_data.net terraform_data.sub';
    const { code, stdout, stderr } = await bench.run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('canary');
    expect(await bench.read('modules/net/variables.tf')).toBe(
      'variable "prefix" {}\n\nvariable "password" {\n  sensitive = true\n}\n\nvariable "region" {\n  type = string\n}\n\nvariable "other_output" {}\n',
    );
    const main = await bench.read('main.tf');
    expect(main).toContain('  prefix   = "p-${var.region}" # odd   comment\n');
    expect(main).toContain('  depends_on = [module.net]\n');
    expect(main).toContain(
      'module "net" {\n  source = "./modules/net"\n\n  prefix       = local.prefix\n',
    );
    expect(await bench.read('modules/net/main.tf')).toContain('dir = path.root');
    expect((await bench.run('apply -auto-approve')).code).toBe(0);
    expect((await bench.run('plan')).stdout).toContain('No changes.');
    expect(await ids(bench)).toEqual(before);
  });

  it('formats the declarations of the module', async () => {
    const bench = await applied({
      'main.tf':
        'variable "a" {\n  type      = string\n  sensitive = true\n  default   = "x"\n}\n\nresource "terraform_data" "r" {\n  input = var.a\n}\n',
    });
    const { stdout } = await bench.run('refactor extract -to=m -name=m -write terraform_data.r');
    expect(stdout).toContain('The plan with the module is empty: 1 moved, 1 variable, 0 outputs.');
    expect(await bench.read('m/variables.tf')).toBe(
      'variable "a" {\n  type      = string\n  sensitive = true\n}\n',
    );
  });

  it.each([
    ['', 'terraform_data.none', 'no resource or data source terraform_data.none'],
    ['', '', 'Give the addresses of the resources to extract'],
    ['-name=1x ', 'terraform_data.net', 'is not a valid name for a module call'],
    ['', 'terraform_data.net -write', 'must be written before the addresses'],
  ])('rejects %s%s', async (option, addresses, message) => {
    const bench = await applied(files);
    const { code, stderr } = await bench.run(
      `refactor extract -to=modules/net ${option}${addresses}`.trim(),
    );
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });

  it.each(['../out', '/tmp/out', '.', 'a/../../out'])('rejects the directory %s', async (to) => {
    const bench = await applied(files);
    const { code, stderr } = await bench.run(
      `refactor extract -to=${to} -name=m terraform_data.net`,
    );
    expect({ code, hasMessage: stderr.includes('Invalid module directory') }).toEqual({
      code: 1,
      hasMessage: true,
    });
  });

  it('rejects pending changes and blocks that cannot move into a module', async () => {
    const bench = await applied(files);
    await bench.write(
      'more.tf',
      'resource "terraform_data" "new" {\n  lifecycle {\n    replace_triggered_by = [terraform_data.net]\n  }\n}\n',
    );
    const pending = await bench.run('refactor extract -to=modules/net terraform_data.net');
    expect(pending.stderr).toContain('terraform_data.new: create');
    expect((await bench.run('apply -auto-approve')).code).toBe(0);
    const crossing = await bench.run('refactor extract -to=modules/net terraform_data.net');
    expect(crossing.stderr).toContain('Reference cannot be extracted');
    expect(await bench.exists('modules/net/main.tf')).toBe(false);
  });
});

describe('refactor split', () => {
  const files = {
    'main.tf': `variable "region" {
  default = "eu"
}

variable "password" {
  sensitive = true
}

locals {
  name = upper(var.region)
}

resource "terraform_data" "net" {
  input = [local.name, var.password]
}

resource "terraform_data" "app" {
  input      = terraform_data.net.id
  depends_on = [terraform_data.net]
}

module "m" {
  source = "./modules/m"
  value  = terraform_data.app.output
}

output "id" {
  value = terraform_data.net.id
}

output "both" {
  value = "\${terraform_data.net.id}\${terraform_data.app.id}"
}
`,
    'modules/m/main.tf':
      'variable "value" {}\n\nresource "terraform_data" "in" {\n  input = var.value\n}\n',
    'terraform.tfvars': 'region   = "us"\npassword = "canary"\n',
  };

  it('moves objects, their configuration and outputs, and loses nothing', async () => {
    const bench = await applied(files);
    const before = await ids(bench);
    const state = await bench.read('terraform.tfstate');
    const line = 'refactor split -to=net -write terraform_data.net module.m';
    const { code, stdout, stderr } = await bench.run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('canary');
    expect(stdout).toContain('net: password');
    expect([...(await ids(bench)), ...(await ids(bench, 'net/terraform.tfstate'))].sort()).toEqual(
      before,
    );
    expect((await bench.run('plan')).stdout).toContain('No changes.');
    const there = await bench.run('-chdir=net plan', {
      environment: { TF_VAR_password: 'canary' },
    });
    expect(there.stdout).toContain('No changes.');
    expect(await bench.read('net/split.auto.tfvars')).toContain('region');
    expect(await bench.read('net/split.auto.tfvars')).not.toContain('canary');
    const { files: disk } = memoryHost({ disk: bench.disk, cwd: '/project' });
    const backups = (await disk.readDirectory('.')).filter(({ name }) => name.endsWith('.backup'));
    expect(await Promise.all(backups.map(({ name }) => bench.read(name)))).toEqual([state]);
  });

  it.each([
    ['EIO', 0],
    ['end-before', 2],
    ['end-within', 4],
  ])('loses no object if a write fails: %s', async (fault, first) => {
    let failures = 0;
    for (let failing = first; ; failing += 6) {
      const bench = await applied(files);
      const before = await ids(bench);
      let count = 0;
      const line = 'refactor split -to=net -write terraform_data.net module.m';
      await bench
        .run(line, {
          fault: ({ kind }) => (kind !== 'read' && count++ === failing ? fault : undefined),
        })
        .then(
          ({ code }) => (failures += code),
          () => (failures += 1),
        );
      const here = await ids(bench);
      const isThere = await bench.exists('net/terraform.tfstate');
      const there = isThere ? await ids(bench, 'net/terraform.tfstate') : [];
      expect([...new Set([...here, ...there])].sort(), `step ${failing}`).toEqual(before);
      // The run came to its end before this step.
      if (count <= failing) break;
    }
    expect(failures).toBeGreaterThan(3);
  });

  it('previews without writing', async () => {
    const bench = await applied(files);
    const state = await bench.read('terraform.tfstate');
    const { code, stdout } = await bench.run('refactor split -to=net terraform_data.net');
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing was written.');
    expect(await bench.exists('net')).toBe(false);
    expect(await bench.read('terraform.tfstate')).toBe(state);
  });

  it('writes no copy of a sensitive value, also of a short or unmarked one', async () => {
    const bench = await applied({
      'main.tf': `variable "token" {
  sensitive = true
}
variable "pin" {
  sensitive = true
}
variable "repeated" {}
resource "terraform_data" "token" {
  input = var.token
}
resource "terraform_data" "pin" {
  input = var.pin
}
resource "terraform_data" "zone" {
  input = "zone-a"
}
resource "terraform_data" "user" {
  input = [terraform_data.token.output, terraform_data.pin.output, terraform_data.zone.output]
}
resource "terraform_data" "other" {
  input = "user:\${terraform_data.token.output}"
}
resource "terraform_data" "last" {
  input = [terraform_data.other.output, var.repeated]
}
`,
      'terraform.tfvars': 'token = "canary-77aa"\npin = "4711"\nrepeated = "x-canary-77aa"\n',
    });
    const sides = [
      ['net', ['token', 'pin', 'zone'], ['token_output', 'pin_output'], ['token', 'pin']],
      ['last', ['last'], [], ['other_output', 'repeated']],
    ] as const;
    for (const [directory, names, here, there] of sides) {
      const addresses = names.map((name) => `terraform_data.${name}`).join(' ');
      const { code, stdout, stderr } = await bench.run(
        `refactor split -to=${directory} -write ${addresses}`,
        { environment: { TF_VAR_token_output: 'canary-77aa', TF_VAR_pin_output: '4711' } },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const name of here) expect(stdout).toContain(`.: ${name}`);
      for (const name of there) expect(stdout).toContain(`${directory}: ${name}`);
      expect(stdout).not.toMatch(/canary|4711/);
      const { files: disk } = memoryHost({ disk: bench.disk, cwd: '/project' });
      for (const place of ['.', directory]) {
        for (const { name } of await disk.readDirectory(place)) {
          if (!/\.tf$|\.auto\.tfvars$/.test(name)) continue;
          expect(await bench.read(`${place}/${name}`), name).not.toMatch(/canary|4711/);
        }
      }
    }
    expect(await bench.read('split.auto.tfvars')).toContain('zone_output');
    // The value was not sensitive where it was used, so the variable is not either.
    expect(await bench.read('split_variables.tf')).not.toContain('sensitive');
  });

  it.each([
    ['net', 'terraform_data.none', 'no resource or module call terraform_data.none'],
    ['modules', 'terraform_data.net', 'is not an empty directory'],
  ])('rejects -to=%s %s', async (to, address, message) => {
    const bench = await applied(files);
    const { code, stderr } = await bench.run(`refactor split -to=${to} -write ${address}`);
    expect(code).toBe(1);
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  });
});

describe('random configurations', () => {
  // Resources refer to earlier ones, with and without keys.
  const configuration = fc
    .array(
      fc.record({
        keys: fc.constantFrom(undefined, 'count = 2', 'for_each = toset(["a", "b"])'),
        refers: fc.array(fc.nat(), { maxLength: 3 }),
        depends: fc.option(fc.nat(), { nil: undefined }),
        isChosen: fc.boolean(),
      }),
      { minLength: 2, maxLength: 6 },
    )
    .map((resources) => {
      const reference = (at: number): string => {
        const { keys } = resources[at] ?? {};
        if (keys === undefined) return `terraform_data.r${at}.id`;
        return keys.startsWith('count')
          ? `terraform_data.r${at}[1].id`
          : `terraform_data.r${at}["b"].id`;
      };
      const blocks = resources.map(({ keys, refers, depends }, at) => {
        const earlier = at === 0 ? [] : refers.map((each) => each % at);
        const values = [...earlier.map(reference), 'local.base', `"r${at}"`];
        const lines = [
          ...(keys === undefined ? [] : [keys]),
          `input = join("-", [${values.join(', ')}])`,
          ...(depends === undefined || at === 0
            ? []
            : [`depends_on = [terraform_data.r${depends % at}]`]),
        ];
        return `resource "terraform_data" "r${at}" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
      });
      const outputs = resources.map(
        (_, at) => `output "o${at}" {\n  value = ${reference(at)}\n}\n`,
      );
      return {
        text: ['locals {\n  base = "b"\n}\n', ...blocks, ...outputs].join('\n'),
        chosen: resources.flatMap(({ isChosen }, at) =>
          isChosen ? [`terraform_data.r${at}`] : [],
        ),
      };
    })
    .filter(({ chosen }) => chosen.length > 0);
  const parameters = { numRuns: 12, seed: 20_261_128 };

  it('have an empty plan and the same objects after an extraction', async () => {
    await fc.assert(
      fc.asyncProperty(configuration, async ({ text, chosen }) => {
        const bench = await applied({ 'main.tf': text });
        const before = await ids(bench);
        const { code, stderr } = await bench.run(
          `refactor extract -to=m -write ${chosen.join(' ')}`,
        );
        if (code !== 0) {
          // Calls of a module cannot be in a cycle of dependencies with what stays outside.
          expect(stderr).toMatch(/Cycle/);
          return;
        }
        expect((await bench.run('apply -auto-approve')).stdout).toMatch(
          /0 added, 0 changed, 0 destroyed/,
        );
        expect(await ids(bench)).toEqual(before);
      }),
      parameters,
    );
  });

  it('have empty plans and the same objects after a split', async () => {
    await fc.assert(
      fc.asyncProperty(configuration, async ({ text, chosen }) => {
        const bench = await applied({ 'main.tf': text });
        const before = await ids(bench);
        const { code, stderr } = await bench.run(`refactor split -to=m -write ${chosen.join(' ')}`);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        for (const line of ['plan', '-chdir=m plan']) {
          expect((await bench.run(line)).stdout).toContain('No changes.');
        }
        expect(
          [...(await ids(bench)), ...(await ids(bench, 'm/terraform.tfstate'))].sort(),
        ).toEqual(before);
      }),
      parameters,
    );
  });
});
