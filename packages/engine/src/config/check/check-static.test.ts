import { DYNAMIC, STRING, type Value, valueToJson } from '@terrane/cty';
import { functionTable } from '@terrane/functions';
import { errorDiagnostic, evaluate, hasErrors } from '@terrane/hcl';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../load.ts';
import type { Configuration, Local, Output } from '../model.ts';
import { checkStatic } from './check-static.ts';
import type { CheckVisitor } from './check-visitor.ts';

const THING: Schema = {
  version: 0,
  block: {
    attributes: {
      id: { type: STRING, computed: true },
      value: { type: DYNAMIC, optional: true },
    },
    blocks: {},
  },
};
const PROVIDER: ProviderSchema = {
  provider: {
    version: 0,
    block: { attributes: { at: { type: STRING, optional: true } }, blocks: {} },
  },
  resources: { test_thing: THING },
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  capabilities: {},
};

async function configurationOf(files: Readonly<Record<string, string>>): Promise<Configuration> {
  const host = memoryHost();
  for (const [name, text] of Object.entries(files)) {
    await host.files.makeDirectory(`/project/${name.split('/').slice(0, -1).join('/')}`);
    await host.files.writeFile(`/project/${name}`, text);
  }
  const { configuration, diagnostics } = loadConfiguration(host.files, '.');
  if (configuration === undefined || hasErrors(diagnostics)) throw new Error('not loaded');
  return configuration;
}

async function check(
  files: Readonly<Record<string, string>>,
  visitor: CheckVisitor,
): Promise<readonly string[]> {
  const diagnostics = await checkStatic(await configurationOf(files), {
    schemas: { provider: () => PROVIDER, resource: () => THING },
    functions: new Map(),
    cwd: '/project',
    workspace: 'default',
    visitor,
  });
  return diagnostics.map(({ summary, detail }) =>
    detail === '' ? summary : `${summary}: ${detail}`,
  );
}

const thing = (name: string, value: string): string =>
  `resource "test_thing" "${name}" {\n  value = ${value}\n}\n`;

describe('the walk over a configuration', () => {
  it('hands over the value of each body that is in order', async () => {
    const seen: string[] = [];
    const messages = await check(
      { 'main.tf': thing('a', '"x"') + thing('b', 'test_thing.a.id') + thing('c', 'local.absent') },
      {
        resource: ({ resource, value }) => {
          const attribute = value.attr('value');
          seen.push(
            `${resource.addr.name} ${attribute.isKnown ? attribute.asString() : 'unknown'}`,
          );
        },
      },
    );
    expect(seen).toEqual(['a x', 'b unknown']);
    expect(messages).toEqual([
      'Reference to undeclared local value: A local value with the name "absent" has not been declared.',
    ]);
  });

  it('does not check dependents of a faulty declaration, even if its check is asynchronous', async () => {
    const asked: string[] = [];
    const files = {
      'main.tf': `${thing('a', '1')}${thing('b', 'test_thing.a.id')}${thing('c', '2')}output "o" {\n  value = test_thing.b.absent\n}\n`,
    };
    const messages = await check(files, {
      resource: async ({ resource: { addr } }, diagnostics) => {
        asked.push(addr.name);
        await new Promise((resolve) => setImmediate(resolve));
        if (addr.name === 'a') diagnostics.push(errorDiagnostic('Bad thing', ''));
      },
    });
    expect(asked).toEqual(['a', 'c']);
    expect(messages).toEqual(['Bad thing']);
  });

  it('validates independent declarations concurrently', async () => {
    let underWay = 0;
    let most = 0;
    await check(
      { 'main.tf': thing('a', '1') + thing('b', '2') + thing('c', '[test_thing.a, test_thing.b]') },
      {
        resource: async () => {
          most = Math.max(most, ++underWay);
          await new Promise((resolve) => setImmediate(resolve));
          underWay--;
        },
      },
    );
    expect(most).toBe(2);
  });

  it('validates provider blocks before their resources, and skips empty ones', async () => {
    const asked: string[] = [];
    await check(
      {
        'main.tf': `provider "test" {\n  at = "x"\n}\nprovider "test" {\n  alias = "empty"\n}\n${thing('a', '1')}`,
      },
      {
        provider: ({ block }) => void asked.push(`provider ${block.alias ?? 'default'}`),
        resource: ({ resource }) => void asked.push(resource.addr.name),
      },
    );
    expect(asked).toEqual(['provider default', 'a']);
  });

  it('evaluates validation rules with the arguments of the call, and without values in the root module', async () => {
    const variable = `variable "v" {\n  sensitive = true\n  validation {\n    condition     = var.v == "x"\n    error_message = "no"\n  }\n}\n`;
    const seen: string[] = [];
    await check(
      {
        'main.tf': `${variable}module "m" {\n  source = "./m"\n  v      = "x"\n}\n`,
        'm/main.tf': variable,
      },
      {
        validations: ({ validations: [rule] }, _at, scope, diagnostics) => {
          const condition = rule?.condition;
          if (condition?.kind !== 'binary') throw new Error('no comparison');
          const value = evaluate(condition.left, scope, diagnostics);
          seen.push(value.isMarked ? 'marked' : value.isKnown ? value.asString() : 'unknown');
        },
      },
    );
    expect(seen.sort()).toEqual(['unknown', 'x']);
  });

  it('does not begin where something keeps it from it', async () => {
    const messages = await check(
      { 'main.tf': thing('a', 'local.absent') },
      {
        begin: () => [errorDiagnostic('Not now', '')],
      },
    );
    expect(messages).toEqual(['Not now']);
  });
});

describe('constants', () => {
  const constantsOf = async (text: string): Promise<Record<string, string>> => {
    const constants = new Map<Local | Output, Value>();
    const host = memoryHost();
    await host.files.makeDirectory('/project');
    await host.files.writeFile('/project/x.txt', 'x');
    await checkStatic(await configurationOf({ 'main.tf': thing('a', '"x"') + text }), {
      schemas: { provider: () => PROVIDER, resource: () => THING },
      functions: functionTable(host, { baseDir: '/project', pure: true }),
      cwd: '/project',
      workspace: 'default',
      constants,
    });
    return Object.fromEntries(
      Array.from(constants, ([{ name }, value]) => [name, valueToJson(value, value.type)]),
    );
  };

  it('are the known values of locals and outputs', async () => {
    const text =
      'locals {\n  a = 1\n}\noutput "b" {\n  value = local.a + 1\n}\noutput "c" {\n  value = test_thing.a.value\n}\n';
    expect(await constantsOf(text)).toEqual({ a: '1', b: '2' });
  });

  it('are values of expressions before outputs convert them', async () => {
    const text = 'output "a" {\n  type = string\n  value = 1\n}\n';
    expect(await constantsOf(text)).toEqual({ a: '1' });
  });

  it('are not known values of expressions with references to others', async () => {
    const text = `variable "v" {
  default = "b"
}
locals {
  a = contains(["a", var.v], "a")
  b = local.a
}
output "c" {
  value = true || test_thing.a.value == "b"
}
output "d" {
  value = [for v in [1, 2] : "\${path.module}/\${v}"]
}
output "e" {
  value = [local.a, local.b]
}
`;
    expect(await constantsOf(text)).toEqual({ d: '["./1","./2"]' });
  });

  it.each(['sensitive("a")', 'file("x.txt")', 'upper("a", "b")'])(
    'are not values of %s',
    async (expression) => {
      const text = `locals {\n  a = ${expression}\n}\noutput "b" {\n  sensitive = true\n  value = ${expression}\n}\n`;
      expect(await constantsOf(text)).toEqual({});
    },
  );
});

describe('undeclared provider configurations', () => {
  const child = `terraform {\n  required_providers {\n    test = { source = "hashicorp/test" }\n  }\n}\n${thing('b', '1')}`;

  it('are reported for all resources that name one', async () => {
    const messages = await check(
      { 'main.tf': 'resource "test_thing" "a" {\n  provider = test.absent\n}\n' },
      {},
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(
      'To work with test_thing.a its original provider configuration at',
    );
  });

  it('are reported only for the first call that passes one', async () => {
    const messages = await check(
      {
        'main.tf': `resource "test_thing" "a" {\n  provider = test.absent\n}\nmodule "m" {\n  source = "./m"\n  providers = {\n    test = test.nowhere\n  }\n}\n`,
        'm/main.tf': child,
      },
      {},
    );
    expect(messages).toEqual([
      'missing provider provider["registry.terraform.io/hashicorp/test"].nowhere',
    ]);
  });
});

describe('loading', () => {
  it('ends at a module that is inside itself', async () => {
    const host = memoryHost();
    await host.files.makeDirectory('/project/x');
    await host.files.writeFile('/project/main.tf', 'module "a" {\n  source = "./x"\n}\n');
    await host.files.writeFile('/project/x/main.tf', 'module "b" {\n  source = "../x"\n}\n');
    const { diagnostics } = loadConfiguration(host.files, '.');
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['Module calls itself']);
  });
});
