// `terrane query` as people and programs see it, by what Terraform 1.14 and later do (read from its source).
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeHost } from '@terrane/host';
import { openProject, query } from '@terrane/ops';
import { runWithin } from 'terrane/testing/with-providers';
import { serveHere } from './serve-here.ts';
import { SHOP, shop, shops } from './shop.ts';

const MAIN = 'terraform {\n  required_providers {\n    shop = { source = "test/shop" }\n  }\n}\n';

const SCHEMA = new URL('../../schemas/stream.schema.json', import.meta.url);
const isDescribed = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
}).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'query-'));
  write('main.tf', MAIN);
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(work, name), text);
}

async function run(...args: readonly string[]) {
  return await runWithin(args, {
    directory: work,
    environment: { HOME: work, CHECKPOINT_DISABLE: '1' },
    providers: shops,
  });
}

interface Line {
  readonly type: string;
  readonly '@message': string;
  readonly [member: string]: unknown;
}

async function stream(...args: readonly string[]): Promise<{ exit: number; lines: Line[] }> {
  const { exit, stdout } = await run('query', '-json', ...args);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  for (const line of lines) expect([isDescribed(line), line]).toEqual([true, line]);
  expect(lines.shift()).toMatchObject({ type: 'version' });
  return { exit, lines };
}

/** A `list` block of items. */
const block = (name: string, rest = '', config = ''): string =>
  `list "shop_item" "${name}" {\n  provider = shop\n${rest}\n  config {\n${config}\n  }\n}\n`;

describe('results', () => {
  it('for people are lines of address, identity and name', async () => {
    write('a.tfquery.hcl', block('p', '', 'prefix = "p"') + block('none', '', 'prefix = "x"'));
    const { exit, stdout, stderr } = await run('query');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'list.shop_item.p   name=pear,shelf=2   PEAR',
        'list.shop_item.p   name=plum,shelf=3   PLUM',
        '',
        'Warning: list block(s) [list.shop_item.none] returned 0 results.',
        '',
        '',
      ].join('\n'),
    );
  });

  it('in JSON are messages without sensitive values', async () => {
    const secret = 'prefix = "ap"\n password = "hidden"';
    write('a.tfquery.hcl', block('p', 'include_resource = true\n limit = 1', secret));
    const { exit, lines } = await stream();
    expect(exit).toBe(0);
    expect(lines).toMatchObject([
      {
        '@level': 'info',
        '@message': 'list.shop_item.p: Starting query...',
        type: 'list_start',
        list_start: {
          address: 'list.shop_item.p',
          resource_type: 'shop_item',
          input_config: { prefix: 'ap', password: null },
          sensitive_attribute_paths: ['.password'],
        },
      },
      {
        '@message': 'list.shop_item.p: Result found',
        type: 'list_resource_found',
        list_resource_found: {
          address: 'list.shop_item.p',
          display_name: 'APPLE',
          identity: { name: 'apple', shelf: 0 },
          identity_version: 0,
          resource_type: 'shop_item',
          resource_object: { id: 'id-apple', name: 'apple', code: null },
        },
      },
      {
        '@message': 'list.shop_item.p: List complete',
        type: 'list_complete',
        list_complete: { address: 'list.shop_item.p', resource_type: 'shop_item', total: 1 },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/hidden|top-secret/);
  });

  it('contain objects and arguments only if requested', async () => {
    write('a.tfquery.hcl', 'list "shop_item" "all" {\n  provider = shop\n}\n');
    const { lines } = await stream();
    expect(lines[0]?.['list_start']).toEqual({
      address: 'list.shop_item.all',
      resource_type: 'shop_item',
    });
    expect(Object.keys(lines[1]?.['list_resource_found'] ?? {})).toEqual([
      'address',
      'display_name',
      'identity',
      'identity_version',
      'resource_type',
    ]);
    expect(lines.at(-1)?.['list_complete']).toMatchObject({ total: 5 });
  });

  it('are the same of a provider that is served', async () => {
    write('a.tfquery.hcl', block('p', 'include_resource = true', 'prefix = "p"'));
    const here = await run('query', '-generate-config-out=here.tf');
    const there = await serveHere(shop, SHOP);
    const served = await runWithin(['query', '-generate-config-out=there.tf'], {
      directory: work,
      environment: { HOME: work },
      providers: new Map([[SHOP, there.provider]]),
    });
    await there.end();
    expect(served).toEqual(here);
    expect(readFileSync(join(work, 'there.tf'), 'utf8')).toBe(
      readFileSync(join(work, 'here.tf'), 'utf8'),
    );
  });

  it('repeat, refer to each other, to variables, locals and resources', async () => {
    write(
      'a.tfquery.hcl',
      `variable "first" {
  type = string
}
variable "given" {
  default = "q"
}
locals {
  all = { one = var.first, two = var.given }
}
provider "shop" {
  alias = "other"
  town  = var.first
}
list "shop_item" "each" {
  for_each = local.all
  provider = shop.other
  config {
    prefix = each.value
  }
}
list "shop_item" "counted" {
  count            = length(list.shop_item.each["one"].data)
  provider         = shop
  include_resource = true
  config {
    prefix = list.shop_item.each["one"].data[count.index].identity.name
  }
}
list "shop_item" "last" {
  provider = shop
  limit    = length(list.shop_item.counted)
  config {
    prefix = list.shop_item.counted[1].data[0].state.name
  }
}
`,
    );
    const { exit, stdout } = await run('query', '-var=first=pl');
    expect(exit).toBe(1);
    expect(stdout).not.toContain('last');
    const { stdout: again } = await run('query', '-var=first=ap');
    expect(
      again
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ).toEqual([
      'list.shop_item.counted[0]   name=apple,shelf=0   APPLE',
      'list.shop_item.counted[1]   name=apricot,shelf=1   APRICOT',
      'list.shop_item.each["one"]   name=apple,shelf=0     APPLE',
      'list.shop_item.each["one"]   name=apricot,shelf=1   APRICOT',
      'list.shop_item.each["two"]   name=quince,shelf=4   QUINCE',
      'list.shop_item.last   name=apricot,shelf=1   APRICOT',
    ]);
  });

  it('do not create, plan or evaluate unrelated objects', async () => {
    write(
      'main.tf',
      `${MAIN}variable "no" {
  default = false
}
resource "shop_item" "broken" {
  name = "n"
  lifecycle {
    precondition {
      condition     = var.no
      error_message = "Never."
    }
  }
}
`,
    );
    write('a.tfquery.hcl', block('p', '', 'prefix = "q"'));
    const { exit, stdout } = await run('query');
    expect(stdout).toContain('QUINCE');
    expect(exit).toBe(0);
    expect(existsSync(join(work, 'terraform.tfstate'))).toBe(false);
  });
});

describe('generated configuration', () => {
  it('has a resource and an import for each, and is valid', async () => {
    write(
      'a.tfquery.hcl',
      block('ap', 'limit = 1', 'prefix = "ap"') + block('q', 'count = 2', 'prefix = "q"'),
    );
    const { exit, stderr } = await run('query', '-generate-config-out=found.tf');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const text = readFileSync(join(work, 'found.tf'), 'utf8');
    expect(text).toBe(`# __generated__ by Terraform
# Please review these resources and move them into your main configuration files.

# __generated__ by Terraform
resource "shop_item" "ap_0" {
  provider = shop
  code     = null # sensitive
  name     = "apple"
  note     = null
  policy = jsonencode({
    open = true
  })
}

import {
  to       = shop_item.ap_0
  provider = shop
  identity = {
    name  = "apple"
    shelf = 0
  }
}



# __generated__ by Terraform
resource "shop_item" "q_0_0" {
  provider = shop
  code     = null # sensitive
  name     = "quince"
  note     = null
  policy   = null
}

import {
  to       = shop_item.q_0_0
  provider = shop
  identity = {
    name  = "quince"
    shelf = 4
  }
}



# __generated__ by Terraform
resource "shop_item" "q_1_0" {
  provider = shop
  code     = null # sensitive
  name     = "quince"
  note     = null
  policy   = null
}

import {
  to       = shop_item.q_1_0
  provider = shop
  identity = {
    name  = "quince"
    shelf = 4
  }
}


`);
    expect((await run('validate')).exit).toBe(0);
    const again = await run('query', '-generate-config-out=found.tf');
    expect(again.exit).toBe(1);
    expect(again.stderr).toContain('Target generated file already exists');
  });

  it('is part of the messages', async () => {
    write('a.tfquery.hcl', block('ap', 'limit = 1'));
    const { lines } = await stream('-generate-config-out=found.tf');
    expect(lines[1]?.['list_resource_found']).toMatchObject({
      config: expect.stringMatching(/^resource "shop_item" "ap_0" \{\n/),
      import_config: expect.stringMatching(/^import \{\n  to       = shop_item.ap_0\n/),
    });
    expect(existsSync(join(work, 'found.tf'))).toBe(true);
  });

  it('is not written where nothing is found', async () => {
    write('a.tfquery.hcl', block('none', '', 'prefix = "z"'));
    expect((await run('query', '-generate-config-out=found.tf')).exit).toBe(0);
    expect(existsSync(join(work, 'found.tf'))).toBe(false);
  });
});

describe('trouble', () => {
  async function problem(text: string, ...args: string[]) {
    write('a.tfquery.hcl', text);
    const { exit, lines } = await stream(...args);
    expect(exit).toBe(1);
    const entry = lines.find(({ type }) => type === 'diagnostic');
    const { summary, detail } = { ...Object(entry?.['diagnostic']) } as Record<string, unknown>;
    return { summary, detail };
  }

  it.each([
    [
      'list "shop_item" "p" {\n}\n',
      'Missing "provider" attribute',
      'You must specify a provider attribute when defining a list block.',
    ],
    [
      block('p') + block('p'),
      'Duplicate "list" block names',
      'This query file already has a list block named shop_item.p defined at a.tfquery.hcl:1,1-21.',
    ],
    [
      block('p', 'config {\n}'),
      'Duplicate config block',
      'A list block must contain only one nested "config" block.',
    ],
    [
      block('p', 'count = 1\n for_each = {}'),
      'Invalid combination of "count" and "for_each"',
      'The "count" and "for_each" meta-arguments are mutually-exclusive.',
    ],
    [
      'resource "shop_item" "p" {\n}\n',
      'Unsupported block type',
      'Blocks of type "resource" are not expected here.',
    ],
    [
      block('p', 'depends_on = []'),
      'Unsupported argument',
      'An argument named "depends_on" is not expected here.',
    ],
    [
      'list "shop_plain" "p" {\n  provider = shop\n}\n',
      'Invalid list resource',
      'The provider test/shop does not support list resource "shop_plain".',
    ],
    [
      block('p', '', 'other = 1'),
      'Unsupported argument',
      'An argument named "other" is not expected here.',
    ],
    [
      block('p', 'limit = -1'),
      'Invalid limit argument',
      'The given "limit" argument value is unsuitable: must be greater than or equal to zero.',
    ],
    [
      block('p', 'limit = null'),
      'Invalid "limit" argument',
      'The given "limit" argument value is null. A number is required.',
    ],
    [
      block('p', 'include_resource = null'),
      'Invalid "include_resource" argument',
      'The given "include_resource" argument value is null. A bool is required.',
    ],
    [
      block('p', 'limit = 1.5'),
      'Invalid "limit" argument',
      'The given "limit" argument value is unsuitable: value must be a whole number, between -9223372036854775808 and 9223372036854775807.',
    ],
    [
      block('p', '', 'prefix = list.shop_item.q.data[0].state.name'),
      'Reference to undeclared resource',
      'A list resource "shop_item" "q" has not been declared in the root module.',
    ],
    [
      block('q') + block('p', '', 'prefix = list.shop_item.q.state.name'),
      'Invalid list resource traversal',
      'The first step in the traversal for a list resource must be an attribute "data".',
    ],
    [
      block('q') + block('p', '', 'prefix = list.shop_item.q.data[0].other'),
      'Invalid list resource traversal',
      'The third step in the traversal for a list resource must be an attribute "state" or "identity".',
    ],
    [
      block('q') + block('p', '', 'prefix = list.shop_item.q.data[0].state.other'),
      'Unsupported attribute',
      'This object has no argument, nested block, or exported attribute named "other".',
    ],
    [
      block('p', '', 'prefix = list.shop_item'),
      'Invalid reference',
      expect.stringContaining('The "list" object must be followed by two attribute names'),
    ],
    [block('p', '', 'prefix = "bad"'), 'Bad prefix', 'Nothing begins like this.'],
    [block('p', '', 'prefix = "broken"'), 'Out of order', 'The shop is closed.'],
    [
      'locals {\n}\n',
      'No resources to query',
      'The configuration does not contain any resources that can be queried.',
    ],
  ])('%j', async (text, summary, detail) => {
    expect(await problem(text)).toEqual({ summary, detail });
  });

  it('of a list in another module, of a missing configuration and of arguments', async () => {
    mkdirSync(join(work, 'child'));
    write('child/a.tfquery.hcl', block('p'));
    write('main.tf', `${MAIN}module "child" {\n  source = "./child"\n}\n`);
    await run('init');
    expect(await problem(block('q'))).toEqual({
      summary: 'Invalid list configuration',
      detail:
        'A list block was detected in "module.child". List blocks are only allowed in the root module.',
    });
    rmSync(join(work, 'main.tf'));
    rmSync(join(work, 'a.tfquery.hcl'));
    const none = await run('query');
    expect(none.stderr).toContain('Query requires a query configuration to be present.');
    const extra = await run('query', 'there');
    expect(extra.exit).toBe(1);
    expect(extra.stderr).toContain('Too many command line arguments');
    expect(extra.stderr).toContain('terrane query -help');
  });

  it('points to the argument of the config block', async () => {
    write('a.tfquery.hcl', block('p', '', 'prefix = "bad"'));
    const { stderr } = await run('query');
    expect(stderr).toContain('on a.tfquery.hcl line 5, in list "shop_item" "p"');
  });
});

it('query files are validated if requested, and ignored otherwise', async () => {
  write('a.tfquery.hcl', block('p', 'limit = -1'));
  expect((await run('validate')).exit).toBe(0);
  const { exit, stderr } = await run('validate', '-query');
  expect(exit).toBe(1);
  expect(stderr).toContain('Invalid limit argument');
  write('a.tfquery.hcl', '{ broken');
  expect((await run('plan')).exit).toBe(0);
});

it('outside query files "list" is a resource type like any other', async () => {
  write('main.tf', `${MAIN}output "x" {\n  value = list.thing.name\n}\n`);
  const { stderr } = await run('validate');
  expect(stderr).toContain('A managed resource "list" "thing" has not been declared');
});

it('an interrupt ends an endless query', async () => {
  write('a.tfquery.hcl', block('p', '', 'prefix = "endless"') + block('q', '', 'prefix = "q"'));
  const interrupt = new AbortController();
  const project = openProject(nodeHost({ cwd: work }), { providers: shops });
  const kinds: string[] = [];
  const { result, diagnostics } = await query(
    project,
    { variables: [] },
    {
      signal: interrupt.signal,
      emit: (event) => {
        kinds.push(event.kind);
        if (event.kind === 'list-complete') interrupt.abort();
      },
    },
  );
  expect(kinds.filter((kind) => kind === 'list-complete')).toHaveLength(1);
  expect(result?.map(({ addr }) => addr.text)).toEqual(['list.shop_item.q']);
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['execution halted']);
});
