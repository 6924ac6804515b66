import type { GivenProvider } from '@terrane/ops';
import { defineProvider, list, resource, string } from '@terrane/provider/sdk';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { Workbench } from '../../testing/run-terrane.ts';

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly net_id: string | null;
  readonly peers: readonly string[] | null;
  readonly policy: string | null;
  readonly password: string | null;
  readonly label: string | null;
}

const thing = (id: string, name: string, more: Partial<Stored> = {}): Stored => ({
  id,
  name,
  net_id: null,
  peers: null,
  policy: null,
  password: null,
  label: null,
  ...more,
});

/** A cloud with networks and servers that already exist. */
function cloud(objects: Readonly<Record<'net' | 'server', readonly Stored[]>>) {
  const kind = (type: 'net' | 'server') =>
    resource({
      attributes: {
        id: string({ computed: true }),
        name: string({ required: true }),
        net_id: string({ optional: true }),
        peers: list(string, { optional: true }),
        policy: string({ optional: true }),
        password: string({ optional: true, sensitive: true }),
        label: string({ optional: true }),
      },
      identity: {
        attributes: { id: string({ required: true }) },
        of: ({ id }) => ({ id }),
      },
      list: {
        attributes: {},
        async *list() {
          await Promise.resolve();
          for (const each of objects[type]) {
            yield { identity: { id: each.id }, displayName: each.name, resource: each };
          }
        },
      },
      import: ({ id, identity }) => {
        const wanted = identity?.id ?? id;
        const found = objects[type].find((each) => each.id === wanted);
        if (found === undefined) throw new Error('not there');
        // Some objects are listed with values that they do not have.
        return found.label === 'listed' ? { ...found, label: 'real' } : found;
      },
      read: ({ state }) => state,
      create: ({ plan }) => ({ ...plan, id: `new-${plan.name}` }),
      update: ({ plan, state }) => ({ ...plan, id: state.id }),
      delete: () => undefined,
    });
  const create: GivenProvider = {
    kind: 'in-process',
    create: () =>
      defineProvider({ resources: { cloud_net: kind('net'), cloud_server: kind('server') } }),
  };
  return new Map([['registry.terraform.io/test/cloud', create]]);
}

const MAIN = 'terraform {\n  required_providers {\n    cloud = { source = "test/cloud" }\n  }\n}\n';
const QUERY = ['net', 'server']
  .map((type) => `list "cloud_${type}" "all" {\n  provider = cloud\n  config {}\n}\n`)
  .join('\n');

const NETS = [thing('net-0a1b2c3d', 'Main network'), thing('net-99887766', 'Other')];

describe('adopt', () => {
  it('writes no copy of a sensitive value', async () => {
    const providers = cloud({
      net: NETS,
      server: [
        thing('srv-1', 'Web', { password: 'canary-1', label: 'pw canary-1', policy: 'visible' }),
        thing('srv-2', 'Db', { label: '4711', peers: ['x', 'user:canary-2'] }),
        thing('srv-canary-1', 'Odd', {}),
      ],
    });
    const bench = await Workbench.with({
      'main.tf': `${MAIN}variable "pin" {
  sensitive = true
  default   = "4711"
}
variable "token" {
  sensitive = true
}
`,
      'all.tfquery.hcl': QUERY,
    });
    const environment = { TF_VAR_token: 'canary-2' };
    const { code, stdout, stderr } = await bench.run('adopt -write', { providers, environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('its import block would contain a sensitive value');
    const servers = await bench.read('adopted_cloud_server.tf');
    expect(servers).toContain('ignore_changes = [password, label]');
    expect(servers).toContain('ignore_changes = [password, label, peers]');
    expect(servers).toContain('visible');
    const written = `${stdout}${servers}${await bench.read('adopted_imports.tf')}`;
    expect(written).not.toMatch(/canary|4711/);
    const plan = await bench.run('plan', { providers, environment });
    expect(plan.stdout).toContain('4 to import, 0 to add, 0 to change, 0 to destroy');
  });

  it('writes configuration with references, imports and a file for each type', async () => {
    const providers = cloud({
      net: NETS,
      server: [
        thing('srv-1', 'Web 1', {
          net_id: 'net-0a1b2c3d',
          peers: ['srv-2', 'srv-unknown'],
          policy: '{"Resource":"net-99887766"}',
          password: 'canary',
        }),
        thing('srv-2', 'Web 1', { net_id: 'net-0a1b2c3d', peers: ['net-99887766'] }),
      ],
    });
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const preview = await bench.run('adopt', { providers });
    expect({ code: preview.code, stderr: preview.stderr }).toEqual({ code: 0, stderr: '' });
    expect(preview.stdout).toContain('The plan imports 4 objects and changes nothing:');
    expect(preview.stdout).toContain('    refers to cloud_net.main_network.id');
    expect(await bench.exists('adopted_imports.tf')).toBe(false);
    const document = await bench.run('adopt -json', { providers });
    expect(document.stdout).not.toContain('canary');
    expect(JSON.parse(document.stdout)).toMatchObject({
      format_version: '1.0',
      refactoring: {
        command: 'adopt',
        objects: expect.arrayContaining([
          {
            address: 'cloud_server.web_1_2',
            name: 'Web 1',
            references: expect.arrayContaining(['cloud_net.main_network.id']),
          },
        ]),
        rejected: [],
        managed: 0,
        files: expect.arrayContaining([
          expect.objectContaining({ path: 'adopted_cloud_net.tf', action: 'create' }),
        ]),
        written: false,
      },
      diagnostics: [],
    });
    const { code, stdout } = await bench.run('adopt -write', { providers });
    expect(code).toBe(0);
    expect(stdout).not.toContain('canary');
    expect(await bench.read('adopted_cloud_server.tf')).toBe(`resource "cloud_server" "web_1" {
  provider = cloud
  name     = "Web 1"
  net_id   = cloud_net.main_network.id
  peers    = ["srv-2", "srv-unknown"]
  policy = jsonencode({
    Resource = cloud_net.other.id
  })

  # Sensitive values are not adopted.
  lifecycle {
    ignore_changes = [password]
  }
}

resource "cloud_server" "web_1_2" {
  provider = cloud
  name     = "Web 1"
  net_id   = cloud_net.main_network.id
  peers    = [cloud_net.other.id]

  # Sensitive values are not adopted.
  lifecycle {
    ignore_changes = [password]
  }
}
`);
    expect(await bench.read('adopted_imports.tf')).toContain(`import {
  to       = cloud_net.main_network
  provider = cloud
  identity = {
    id = "net-0a1b2c3d"
  }
}
`);
    const formatted = await bench.run('fmt -check');
    expect(formatted).toEqual({ code: 0, stdout: '', stderr: '' });
    const plan = await bench.run('plan', { providers });
    expect(plan.stdout).toContain('Plan: 4 to import, 0 to add, 0 to change, 0 to destroy.');
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    expect((await bench.run('plan', { providers })).stdout).toContain('No changes.');
    // Everything is managed now.
    const again = await bench.run('adopt -write', { providers });
    expect(again.stdout).toBe('There are no objects to adopt.\n\nAlready managed: 4 objects\n');
  });

  it('is documented with its output', async () => {
    const providers = cloud({
      net: [thing('net-0a1b2c3d', 'Main network')],
      server: [thing('srv-1', 'Web', { net_id: 'net-0a1b2c3d' })],
    });
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const { stdout } = await bench.run('adopt -write', { providers });
    const page = readFileSync(new URL('../../../../../docs/adopt.md', import.meta.url), 'utf8');
    expect(page).toContain(`\`\`\`hcl\n# all.tfquery.hcl\n${QUERY}\`\`\``);
    expect(page).toContain(`\`\`\`console\n$ terrane adopt -write\n${stdout}\`\`\``);
    const similar = cloud({
      net: [],
      server: [thing('srv-1', 'Web 1', { label: 'blue' }), thing('srv-2', 'Web 2')],
    });
    const other = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const grouped = await other.run('adopt -for-each', { providers: similar });
    expect(page).toContain(`\`\`\`console\n$ terrane adopt -for-each\n${grouped.stdout}\`\`\``);
  });

  it('writes similar objects as instances of one resource', async () => {
    const providers = cloud({
      net: [thing('net-0a1b2c3d', 'blue'), thing('net-99887766', 'green ${x}')],
      server: [
        thing('srv-1', 'Web 1', { net_id: 'net-0a1b2c3d', label: 'a' }),
        thing('srv-2', 'Web 2', { net_id: 'net-99887766', peers: ['srv-1-long-id'] }),
        thing('srv-1-long-id', 'Web 3', { net_id: 'net-0a1b2c3d' }),
        thing('srv-4', 'Other', { net_id: 'n', label: 'b', policy: 'p', peers: ['x'] }),
      ],
    });
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const { code, stdout, stderr } = await bench.run('adopt -write -for-each', { providers });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The plan imports 6 objects and changes nothing:');
    const nets = await bench.read('adopted_cloud_net.tf');
    expect(nets).toBe(`resource "cloud_net" "net" {
  for_each = toset([
    "blue",
    "green $\${x}",
  ])

  provider = cloud
  name     = each.key

  # Sensitive values are not adopted.
  lifecycle {
    ignore_changes = [password]
  }
}
`);
    const servers = await bench.read('adopted_cloud_server.tf');
    expect(servers).toContain('resource "cloud_server" "other" {');
    expect(servers).toContain('peers    = [cloud_server.web["web_3"].id]');
    expect(servers).toContain(`resource "cloud_server" "web" {
  for_each = {
    "web_1" = { label = "a", name = "Web 1" }
    "web_3" = { label = null, name = "Web 3" }
  }

  provider = cloud
  label    = each.value.label
  name     = each.value.name
  net_id   = cloud_net.net["blue"].id
`);
    expect(await bench.read('adopted_imports.tf')).toContain('to       = cloud_net.net["blue"]');
    expect((await bench.run('fmt -check')).code).toBe(0);
    expect((await bench.run('plan', { providers })).stdout).toContain(
      'Plan: 6 to import, 0 to add, 0 to change, 0 to destroy.',
    );
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    expect((await bench.run('plan', { providers })).stdout).toContain('No changes.');
    // Instances are managed, and a later adoption refers to them.
    const later = cloud({ net: [], server: [thing('srv-9', 'New', { net_id: 'net-0a1b2c3d' })] });
    const again = await bench.run('adopt -for-each -json', { providers: later });
    expect(JSON.parse(again.stdout)).toMatchObject({
      refactoring: { objects: [{ references: ['cloud_net.net["blue"].id'] }] },
    });
  });

  it('adopts objects once that several instances of a list block find', async () => {
    const repeated = `list "cloud_net" "all" {
  provider = cloud
  for_each = toset(["a", "b"])
  config {}
}

list "cloud_net" "again" {
  provider = cloud
  count    = 2
  config {}
}
`;
    const own =
      'resource "cloud_net" "own" {\n  provider = cloud\n  count    = 2\n  name     = "own"\n}\n';
    const nets = [thing('net-0a1b2c3d', 'a'), thing('new-own', 'own')];
    const providers = cloud({ net: nets, server: [] });
    const bench = await Workbench.with({ 'main.tf': MAIN + own, 'all.tfquery.hcl': repeated });
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    const { code, stdout } = await bench.run('adopt -write', { providers });
    expect(code).toBe(0);
    expect(stdout).toContain('The plan imports 1 object and changes nothing:');
    expect(stdout).toContain('Already managed: 1 object\n');
    expect((await bench.run('plan', { providers })).stdout).toContain(
      'Plan: 1 to import, 0 to add',
    );
  });

  it('leaves out objects that the plan would change, and references to them', async () => {
    const providers = cloud({
      net: [thing('net-0a1b2c3d', 'Main', { label: 'listed' })],
      server: [thing('srv-1', 'Web', { net_id: 'net-0a1b2c3d' })],
    });
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const { code, stdout } = await bench.run('adopt -write', { providers });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Not adopted:\n\n  cloud_net Main: the plan would update it: id, label\n',
    );
    expect(await bench.read('adopted_cloud_server.tf')).toContain('net_id   = "net-0a1b2c3d"');
    expect((await bench.run('plan', { providers })).stdout).toContain(
      'Plan: 1 to import, 0 to add',
    );
  });

  it('refers to managed objects, and to none in a cycle', async () => {
    const providers = cloud({
      net: [
        thing('net-0a1b2c3d', 'a', { net_id: 'net-99887766' }),
        thing('net-99887766', 'b', { net_id: 'net-0a1b2c3d' }),
      ],
      server: [thing('srv-1', 'Web', { net_id: 'new-own' })],
    });
    const own = 'resource "cloud_net" "own" {\n  provider = cloud\n  name     = "own"\n}\n';
    const bench = await Workbench.with({ 'main.tf': MAIN + own, 'all.tfquery.hcl': QUERY });
    const pending = await bench.run('adopt -write', { providers });
    expect(pending.code).toBe(1);
    expect(pending.stderr).toContain('cloud_net.own: create');
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    expect((await bench.run('adopt -write', { providers })).code).toBe(0);
    expect(await bench.read('adopted_cloud_server.tf')).toContain('net_id   = cloud_net.own.id');
    const nets = await bench.read('adopted_cloud_net.tf');
    expect(nets.match(/net_id {3}= cloud_net/g)).toHaveLength(1);
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    expect((await bench.run('plan', { providers })).stdout).toContain('No changes.');
  });

  it('appends to files of earlier adoptions', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    const one = cloud({ net: [thing('net-1', 'one')], server: [] });
    const both = cloud({ net: [thing('net-1', 'one'), thing('net-2', 'two')], server: [] });
    for (const providers of [one, both]) {
      expect((await bench.run('adopt -write', { providers })).code).toBe(0);
      expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    }
    const text = await bench.read('adopted_cloud_net.tf');
    expect([...text.matchAll(/resource "cloud_net" "(\w+)"/g)].map(([, name]) => name)).toEqual([
      'one',
      'two',
    ]);
    expect((await bench.run('plan', { providers: both })).stdout).toContain('No changes.');
  });

  it('escapes hostile names', async () => {
    const providers = cloud({
      net: [thing('net-1', '"} evil ${x}\n\u001b[31m'), thing('net-2', '123'), thing('net-3', 'ü')],
      server: [],
    });
    const bench = await Workbench.with({ 'main.tf': MAIN, 'all.tfquery.hcl': QUERY });
    expect((await bench.run('adopt -write', { providers })).code).toBe(0);
    const text = await bench.read('adopted_cloud_net.tf');
    expect([...text.matchAll(/resource "cloud_net" "(\w+)"/g)].map(([, name]) => name)).toEqual([
      'evil_x_31m',
      'object_123',
      'u',
    ]);
    expect((await bench.run('apply -auto-approve', { providers })).code).toBe(0);
    expect((await bench.run('plan', { providers })).stdout).toContain('No changes.');
  });

  it('reports queries without blocks, and arguments', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const none = await bench.run('adopt', { providers: cloud({ net: [], server: [] }) });
    expect({ code: none.code, hasMessage: none.stderr.includes('No resources to query') }).toEqual({
      code: 1,
      hasMessage: true,
    });
    expect((await bench.run('adopt x')).code).toBe(1);
  });
});
