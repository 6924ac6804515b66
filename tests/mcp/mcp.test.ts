// Permitted and forbidden operations of an agent.
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DriftBench } from '../drift/drift-bench.ts';
import { AgentSession, projectOf } from './session.ts';

const SECRET = 'canary-7d1f';

const MAIN = `
variable "token" {
  sensitive = true
  default   = "${SECRET}-variable"
}
resource "life_thing" "a" {
  name   = "a"
  note   = "mine"
  secret = "${SECRET}-attribute"
  label  = var.token
}
resource "life_thing" "b" {
  name = "b"
  note = life_thing.a.zone
}
locals {
  derived = "\${var.token}-derived"
}
output "note" {
  value = life_thing.a.note
}
output "token" {
  value     = local.derived
  sensitive = true
}
`;

let bench: DriftBench;
let session: AgentSession;
afterEach(async () => {
  await session.close();
  bench.dispose();
});

async function opened(configuration: string = MAIN): Promise<void> {
  bench = new DriftBench(configuration);
  await bench.apply();
  session = await AgentSession.open(projectOf(bench));
}

function state(): string {
  return bench.read('terraform.tfstate');
}

describe('the server', () => {
  it('lists its tools with schemas and marks those that may change something', async () => {
    await opened();
    const { tools } = await session.client.listTools();
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(changing.map(({ name }) => name).sort()).toEqual(['apply_ticket', 'test']);
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object');
    expect(tools.map(({ name }) => name)).toContain('propose_apply');
  });

  it('plans without changing anything, in pages, and explains', async () => {
    await opened();
    bench.write('main.tf', bench.read('main.tf').replace('"mine"', '"theirs"'));
    const before = state();
    const { data } = await session.call('plan', { limit: 1 });
    expect(data).toMatchObject({
      plan_id: 'plan-1',
      applyable: true,
      counts: { update: 1 },
      changes: { total: 1, items: [{ address: 'life_thing.a', actions: ['update'] }] },
    });
    const changes = await session.call('plan_changes', { plan_id: 'plan-1' });
    expect(changes.data.changes.items[0]).toMatchObject({
      before: { note: 'mine', secret: '(sensitive value)', label: '(sensitive value)' },
      after: { note: 'theirs', secret: '(sensitive value)' },
    });
    const explained = await session.call('explain', { plan_id: 'plan-1', address: 'life_thing.a' });
    expect(explained.text).toContain('note changes from');
    expect(state()).toBe(before);
  });

  it('answers questions about schemas, state, outputs and drift', async () => {
    await opened();
    const schema = await session.call('schema', { type: 'life_thing', search: 'secret' });
    expect(schema.data.arguments.items).toEqual([
      { name: 'secret', type: expect.any(String), optional: true, sensitive: true },
    ]);
    const list = await session.call('state_list');
    expect(list.data.items).toEqual(['life_thing.a', 'life_thing.b']);
    const shown = await session.call('state_show', { address: 'life_thing.a' });
    expect(shown.data.values).toMatchObject({ note: 'mine', secret: '(sensitive value)' });
    expect((await session.call('outputs')).data.outputs).toMatchObject({
      note: { value: 'mine' },
      token: { value: '(sensitive value)' },
    });
    bench.vanish('b-1');
    const drift = await session.call('drift');
    expect(drift.data.entries.items).toMatchObject([
      { address: 'life_thing.b', level: 'vanished' },
    ]);
    expect((await session.call('validate')).data.valid).toBe(true);
  });

  it('sends no secret in any answer', async () => {
    await opened();
    bench.write('main.tf', bench.read('main.tf').replace(/attribute"/, 'changed"'));
    bench.change('a-1', { secret: `${SECRET}-theirs` });
    const calls: readonly (readonly [string, Record<string, unknown>?])[] = [
      ['plan'],
      ['plan_changes', { plan_id: 'plan-1' }],
      ['plan_changes', { plan_id: 'plan-1', outputs: true }],
      ['explain', { plan_id: 'plan-1', address: 'life_thing.a' }],
      ['explain', { plan_id: 'plan-1', address: 'output.token' }],
      ['state_show', { address: 'life_thing.a' }],
      ['outputs'],
      ['drift', { level: 'noise' }],
      ['propose_apply', { reason: 'test' }],
      ...[
        'var.token',
        'local.derived',
        'life_thing.a',
        'life_thing.a.secret',
        'nonsensitive(var.token)',
        'core::nonsensitive(var.token)',
        'upper(var.token)',
        'regex("^c", var.token)',
        'can(regex("^x", var.token))',
        'try(tonumber(var.token), 1)',
        '[for c in split("", local.derived) : c]',
        '{ (var.token) = 1 }',
        '[life_thing.a][0].secret',
        'jsonencode(life_thing.a)',
        'templatestring("$${nonsensitive(t)}", { t = var.token })',
        'file("terraform.tfstate")',
        'var.token == "x" ? 1 : 2',
      ].map((expression) => ['console', { expression }] as const),
    ];
    for (const [name, args] of calls) {
      const { text } = await session.call(name, args);
      expect(text, `${name} ${JSON.stringify(args)}`).not.toContain(SECRET);
      expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 10));
    }
    expect(JSON.stringify(session.activities)).not.toContain(SECRET);
    // A computation with a secret is refused, so that it reveals nothing by its outcome.
    for (const expression of ['can(regex("^c", var.token))', 'length(var.token)'])
      expect((await session.call('console', { expression })).isError).toBe(true);
  });

  it('sends no copy of a secret in an attribute that is not sensitive', async () => {
    const copy = `resource "terraform_data" "copy" {\n  input = { token = var.token }\n}\n`;
    await opened();
    bench.write('copy.tf', copy);
    expect((await bench.run('apply', '-auto-approve')).exit).toBe(0);
    bench.write('copy.tf', `${copy}output "copy" {\n  value = 1\n}\n`);
    await session.call('plan');
    for (const [name, args] of [
      ['console', { expression: 'terraform_data.copy.output' }],
      ['console', { expression: 'terraform_data.copy.output.token' }],
      ['console', { expression: 'terraform_data.copy' }],
      ['console', { expression: 'substr(terraform_data.copy.output.token, 0, 12)' }],
      ['state_show', { address: 'terraform_data.copy' }],
      ['explain', { plan_id: 'plan-1', address: 'terraform_data.copy' }],
    ] as const) {
      const { text } = await session.call(name, args);
      expect(text, JSON.stringify(args)).not.toContain(SECRET);
    }
  });

  it('sends no copy of a secret in the drift of an object', async () => {
    await opened();
    bench.change('a-1', {
      secret: '7c1e',
      note: '7c1e',
      tags: { old: `was ${SECRET}-attribute` },
      zone: 'visible-zone',
    });
    const { text, data } = await session.call('drift', { level: 'noise' });
    expect(data.entries.items.map(({ address }: { address: string }) => address)).toContain(
      'life_thing.a',
    );
    expect(text).toContain('visible-zone');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain('7c1e');
    // The state still has the former value.
    const shown = await session.call('state_show', { address: 'life_thing.a' });
    expect(shown.text).not.toContain(SECRET);
  });

  it('evaluates expressions without access to files', async () => {
    await opened();
    expect(
      (await session.call('console', { expression: 'upper(life_thing.a.note)' })).data.value,
    ).toBe('"MINE"');
    for (const expression of [
      'file("/etc/passwd")',
      'filebase64("../x")',
      'fileset(".", "*")',
      'fileexists("main.tf")',
      'templatefile("x", {})',
      'abspath(".")',
      'core::file("main.tf")',
      'provider::life::anything("x")',
    ]) {
      const { isError, text } = await session.call('console', { expression });
      expect(isError, expression).toBe(true);
      expect(text).toContain('not available');
    }
  });

  it('records each call with the agent, without the values of its arguments', async () => {
    await opened();
    await session.call('console', { expression: '1 + 1' });
    await session.call('state_show', { address: 'life_thing.none' });
    expect(session.activities).toMatchObject([
      {
        agent: { name: 'test-agent', version: '1.2.3' },
        tool: 'console',
        arguments: ['expression'],
        outcome: 'success',
      },
      { tool: 'state_show', outcome: 'failure' },
    ]);
  });

  it('reads no devices, which may never end', async () => {
    await opened();
    symlinkSync('/dev/zero', join(bench.directory, 'mcp.hcl'));
    symlinkSync('/dev/zero', join(bench.directory, 'a.policy.hcl'));
    expect((await session.call('test')).text).toContain('No rule permits');
    expect((await session.call('policies')).text).toContain('a.policy.hcl is no regular file');
  });

  it('rejects invalid arguments and unknown plans', async () => {
    await opened();
    expect((await session.call('plan_changes', { plan_id: 'plan-9' })).isError).toBe(true);
    expect((await session.call('plan', { targets: ['not an address'] })).isError).toBe(true);
    expect((await session.call('policies', { path: '../..' })).isError).toBe(true);
    const wrong = await session.client
      .callTool({ name: 'plan', arguments: { surprise: true } })
      .then(
        ({ isError }) => isError,
        () => true,
      );
    expect(wrong).toBe(true);
  });
});

describe('proposed changes', () => {
  const change = (): void =>
    bench.write('main.tf', bench.read('main.tf').replace('"mine"', '"theirs"'));

  it('are stored for a person, and not applied by the agent', async () => {
    await opened();
    change();
    const before = state();
    const { data } = await session.call('propose_apply', { reason: 'Rename the note.' });
    expect(data).toMatchObject({ permitted: false, counts: { update: 1 } });
    expect(data.digest.startsWith(data.ticket)).toBe(true);
    const refused = await session.call('apply_ticket', { ticket: data.ticket });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('No rule permits update life_thing.a');
    expect(state()).toBe(before);
    const folder = join(bench.directory, '.terraform/tickets');
    for (const name of readdirSync(folder))
      expect({ name, mode: statSync(join(folder, name)).mode & 0o777 }).toEqual({
        name,
        mode: 0o600,
      });
    const listed = await bench.run('mcp', 'tickets');
    expect(listed.stdout).toContain(`${data.ticket}  proposed`);
    // Without a terminal nobody can approve.
    const approved = await bench.run('mcp', 'approve', data.ticket);
    expect(approved.exit).toBe(1);
    expect(approved.stderr).toContain('Approval requires a terminal');
    expect(state()).toBe(before);
    expect((await bench.run('mcp', 'reject', data.ticket)).exit).toBe(0);
    expect((await session.call('ticket_status', { ticket: data.ticket })).data.status).toBe(
      'rejected',
    );
  });

  const allow = (actions: string): string => `allow "apply" {
  actions   = ${actions}
  addresses = ["life_thing.*"]
  until     = "2999-01-31"
  owner     = "platform"
  reason    = "Notes are harmless."
}
`;

  it('are applied by the agent if rules permit every action', async () => {
    await opened();
    change();
    bench.write('mcp.hcl', allow('["create", "update"]'));
    const { data } = await session.call('propose_apply', { reason: 'Rename the note.' });
    expect(data.permitted).toBe(true);
    const applied = await session.call('apply_ticket', { ticket: data.ticket });
    expect(applied.data).toMatchObject({ applied: true });
    expect(state()).toContain('theirs');
    expect((await bench.run('history')).stdout).toContain('agent:test-agent/1.2.3');
    expect((await session.call('apply_ticket', { ticket: data.ticket })).isError).toBe(true);
  });

  it('are judged by the policies of the CLI configuration', async () => {
    await opened();
    change();
    bench.write('mcp.hcl', allow('["create", "update"]'));
    bench.write(
      'notes.policy.hcl',
      `
resource_policy "life_thing" "note" {
  enforcement_level = "mandatory"
  enforce {
    condition     = attrs.note != "theirs"
    error_message = "not that note"
  }
}
`,
    );
    const rules = JSON.stringify(join(bench.directory, 'notes.policy.hcl'));
    bench.write('cli.tfrc', `policies = [${rules}]\n`);
    const early = await session.call('propose_apply', { reason: 'Before there are policies.' });
    expect(early.data.permitted).toBe(true);
    await session.close();
    vi.stubEnv('TF_CLI_CONFIG_FILE', join(bench.directory, 'cli.tfrc'));
    onTestFinished(() => void vi.unstubAllEnvs());
    session = await AgentSession.open(projectOf(bench));
    const applied = await session.call('apply_ticket', { ticket: early.data.ticket });
    expect(applied.isError).toBe(true);
    expect(applied.text).toContain('not that note');
    expect(state()).toContain('"note": "mine"');
    expect(state()).not.toContain('"note": "theirs"');
    const late = await session.call('propose_apply', { reason: 'With policies.' });
    expect(late.isError).toBe(true);
    expect(late.text).toContain('not that note');
  });

  it('cannot pretend to be lines of the program', async () => {
    await opened();
    change();
    const reason = 'Fine.\nPlan digest: sha256:0000\n\nNo changes.';
    const { data } = await session.call('propose_apply', { reason });
    const { stdout } = await bench.run('mcp', 'approve', data.ticket);
    expect(stdout).toContain('Reason: Fine. Plan digest: sha256:0000 No changes.\n');
    expect((await bench.run('mcp', 'tickets')).stdout.trimEnd().split('\n')).toHaveLength(1);
  });

  it('never destroy, regardless of rules', async () => {
    await opened();
    bench.write('mcp.hcl', allow('["delete"]'));
    const proposed = await session.call('propose_apply', {
      reason: 'Remove all.',
      mode: 'destroy',
    });
    expect(proposed.data.permitted).toBe(false);
    const { isError } = await session.call('apply_ticket', { ticket: proposed.data.ticket });
    expect(isError).toBe(true);
    expect(state()).toContain('life_thing');
  });

  it('are bound to the digest of their plan', async () => {
    await opened();
    change();
    bench.write('mcp.hcl', allow('["update"]'));
    const { data } = await session.call('propose_apply', { reason: 'One.' });
    const path = `.terraform/tickets/${data.ticket}.tfplan`;
    const bytes = readFileSync(join(bench.directory, path), 'latin1');
    bench.write(path, `${bytes} `);
    const refused = await session.call('apply_ticket', { ticket: data.ticket });
    expect(refused.text).toContain('has changed since it was proposed');
    expect((await bench.run('mcp', 'approve', data.ticket)).stderr).toContain('has changed since');
  });

  it('need a permission to run tests', async () => {
    await opened();
    expect((await session.call('test')).text).toContain('No rule permits');
  });
});
