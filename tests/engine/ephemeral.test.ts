import { describe, expect, it } from 'vitest';
import { encodePlanFile } from '@terrane/engine';
import { errorsOf, TestProject } from './harness.ts';

const token = (name: string, body = ''): string =>
  `ephemeral "vault_token" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const secret = (name: string, body = ''): string =>
  `resource "vault_secret" "${name}" {\n  name = "${name}"\n  ${body}\n}\n`;
const needs = (...addresses: string[]): string => `depends_on = [${addresses.join(', ')}]`;
const PROVIDER = `provider "vault" {\n  token = ephemeral.vault_token.t.value\n}\n`;
/** A token of another configuration of the provider than the one that is made from it. */
const PROVIDER_TOKEN = `provider "vault" {\n  alias = "first"\n}\n${token('t', 'provider = vault.first')}`;

/** Returns the provider calls of a kind, and clears them. */
function asked(project: TestProject, pattern = /^(open|close|create|update|delete|renew)/) {
  return project.vault.calls.splice(0).filter((call) => pattern.test(call));
}

describe('an ephemeral resource', () => {
  it('is open from its first need to its last, in the plan and in the apply', async () => {
    const project = new TestProject();
    project.write(
      secret('before') +
        token('t', needs('vault_secret.before')) +
        secret('user', 'secret_wo = ephemeral.vault_token.t.value') +
        secret('after', needs('vault_secret.user')),
    );
    const { plan } = await project.plan();
    expect(asked(project)).toEqual(['open t', 'close t']);
    expect(errorsOf(await project.follow(plan!))).toEqual([]);
    expect(asked(project)).toEqual([
      'create before -',
      'open t',
      'create user token-t-2',
      'create after -',
      'close t',
    ]);
  });

  it('is closed before unrelated work is done', async () => {
    const project = new TestProject();
    project.write(
      token('t') +
        secret('user', 'secret_wo = ephemeral.vault_token.t.value') +
        secret('slow', needs('vault_secret.other')) +
        secret('other'),
    );
    let closedFirst = false;
    project.vault.work = async (name) => {
      if (name === 'other') await project.clock.advance(0);
      if (name === 'slow') closedFirst = project.vault.calls.includes('close t');
    };
    const { plan } = await project.plan();
    asked(project);
    await project.follow(plan!);
    expect(closedFirst).toBe(true);
  });

  it('it holds back its dependents if its provider leaves it closed and deferral is allowed', async () => {
    const project = new TestProject();
    project.write(
      token('t') + secret('user', 'secret_wo = ephemeral.vault_token.t.value') + secret('other'),
    );
    project.vault.bend = (provider) => {
      const open = provider.openEphemeralResource?.bind(provider);
      return Object.assign(provider, {
        openEphemeralResource: async (request: Parameters<NonNullable<typeof open>>[0]) => {
          const opened = await open?.(request);
          return { ...opened, deferred: { reason: 'absent_prereq' } };
        },
      });
    };
    const { plan, diagnostics, lines } = await project.plan({ allowDeferral: true });
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(lines).toEqual(['create vault_secret.other']);
    expect(plan?.deferred.map(({ change, reason }) => [change.addr.text, reason])).toEqual([
      ['vault_secret.user', 'deferred_prereq'],
    ]);
    // An object that was never opened is not closed.
    expect(asked(project, /^close/)).toEqual([]);
  });

  it('with an unknown configuration waits for the apply', async () => {
    const project = new TestProject();
    project.write(
      secret('a') +
        `ephemeral "vault_token" "t" {\n  name = vault_secret.a.id\n}\n` +
        secret('user', 'secret_wo = ephemeral.vault_token.t.value'),
    );
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual([]);
    expect(asked(project)).toEqual([]);
    expect(project.runEvents.map((event) => event.kind)).toContain('ephemeral-deferred');
    expect(errorsOf(await project.follow(plan!))).toEqual([]);
    expect(asked(project)).toEqual([
      'create a -',
      'open id-a',
      'create user token-id-a-1',
      'close id-a',
    ]);
  });

  it('has as many objects as its module has instances', async () => {
    const project = new TestProject();
    project.write({
      'main.tf': 'module "m" {\n  source   = "./m"\n  for_each = toset(["x", "y"])\n}\n',
      'm/main.tf': 'ephemeral "vault_token" "t" {\n  count = 2\n  name  = "n${count.index}"\n}\n',
    });
    expect(errorsOf((await project.plan()).diagnostics)).toEqual([]);
    expect(asked(project).sort()).toEqual(
      ['n0', 'n1']
        .flatMap((name) => [`close ${name}`, `close ${name}`, `open ${name}`, `open ${name}`])
        .sort(),
    );
  });
});

describe('a provider that is configured from an ephemeral resource', () => {
  it('keeps it open until all its users are complete, including deletions', async () => {
    const project = new TestProject();
    project.write(
      PROVIDER_TOKEN + PROVIDER + secret('a') + secret('gone', needs('vault_secret.a')),
    );
    expect(errorsOf(await project.apply())).toEqual([]);
    asked(project);
    project.write(PROVIDER_TOKEN + PROVIDER + secret('a', 'version = 2'));
    const { plan } = await project.plan();
    asked(project);
    expect(errorsOf(await project.follow(plan!))).toEqual([]);
    const calls = asked(project, /./).filter((call) => !call.startsWith('validate'));
    expect(calls.slice(0, 3)).toEqual(['configure -', 'open t', 'configure token-t-4']);
    expect(calls.slice(3, -3).sort()).toEqual(['delete gone', 'update a -']);
    // The provider that the token configures ends after its last use, before the one that holds the token.
    expect(calls.slice(-3)).toEqual(['end', 'close t', 'end']);
  });

  it('can destroy everything', async () => {
    const project = new TestProject();
    project.write(PROVIDER_TOKEN + PROVIDER + secret('a'));
    expect(errorsOf(await project.apply())).toEqual([]);
    const { plan, diagnostics } = await project.plan({ mode: 'destroy' });
    expect(errorsOf(diagnostics)).toEqual([]);
    asked(project);
    expect(errorsOf(await project.follow(plan!))).toEqual([]);
    expect(asked(project, /^(open|configure|delete|close)/)).toEqual([
      'configure -',
      'open t',
      expect.stringMatching(/^configure token-t-/) as string,
      'delete a',
      'close t',
    ]);
    expect(project.state.isEmpty).toBe(true);
  });
});

describe('after a failure', () => {
  it('a failure to open skips dependents, continues with the rest, and closes open objects', async () => {
    const project = new TestProject();
    project.vault.fails.open = ['bad'];
    project.write(
      secret('first') +
        token('bad', needs('vault_secret.first')) +
        token('good', needs('vault_secret.first')) +
        secret('user', needs('ephemeral.vault_token.bad', 'ephemeral.vault_token.good')) +
        secret('other'),
    );
    // While planning it can be opened.
    project.vault.fails.open = [];
    const { plan } = await project.plan();
    asked(project);
    project.vault.fails.open = ['bad'];
    const diagnostics = await project.follow(plan!);
    expect(errorsOf(diagnostics)).toEqual(['Cannot open: bad is shut.']);
    expect(diagnostics[0]?.address).toBe('ephemeral.vault_token.bad');
    expect(asked(project).sort()).toEqual([
      'close good',
      'create first -',
      'create other -',
      'open bad',
      'open good',
    ]);
  });

  it('of a user, the object is closed, and diagnostics of closing are kept', async () => {
    const project = new TestProject();
    project.write(token('t') + secret('user', needs('ephemeral.vault_token.t')));
    const { plan } = await project.plan();
    asked(project);
    project.vault.fails.close = ['t'];
    project.vault.work = () => {
      throw new Error('broken');
    };
    expect(errorsOf(await project.follow(plan!))).toEqual([
      'Unexpected Provider Error: While creating vault_secret.user, the provider failed: broken',
      'Cannot close: t stays.',
    ]);
    expect(asked(project)).toEqual(['open t', 'create user -', 'close t']);
  });

  it('in closing while planning, the plan is an errored one', async () => {
    const project = new TestProject();
    project.vault.fails.close = ['t'];
    project.write(token('t') + secret('user', needs('ephemeral.vault_token.t')));
    const { plan, diagnostics } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual(['Cannot close: t stays.']);
    expect(plan?.errored).toBe(true);
  });

  it('of a postcondition, users are not done and the object is closed', async () => {
    const project = new TestProject();
    project.write(
      token(
        't',
        'lifecycle {\n    postcondition {\n      condition     = self.name == "other"\n      error_message = "Wrong."\n    }\n  }',
      ) + secret('user', needs('ephemeral.vault_token.t')),
    );
    const { diagnostics, lines } = await project.plan();
    expect(errorsOf(diagnostics)).toEqual(['Resource postcondition failed: Wrong.']);
    expect([lines, asked(project)]).toEqual([[], ['open t', 'close t']]);
  });
});

it('an interrupted run closes its open ephemeral resources', async () => {
  const project = new TestProject();
  project.write(
    token('t') +
      secret('a', needs('ephemeral.vault_token.t')) +
      secret('b', needs('vault_secret.a')),
  );
  const { plan } = await project.plan();
  asked(project);
  const stop = new AbortController();
  project.vault.work = () => {
    stop.abort();
    return Promise.resolve();
  };
  await project.follow(plan!, { signal: stop.signal });
  expect(asked(project)).toEqual(['open t', 'create a -', 'close t']);
});

describe('renewal', () => {
  const config =
    token('t', 'ttl = 30000') +
    secret('slow', 'secret_wo = ephemeral.vault_token.t.value') +
    secret('late', `secret_wo = ephemeral.vault_token.t.value\n  ${needs('vault_secret.slow')}`);

  it('runs concurrently with other work', async () => {
    const project = new TestProject();
    project.write(config);
    const { plan } = await project.plan();
    asked(project);
    project.vault.work = async (name) => {
      if (name === 'slow') await project.clock.advance(100_000);
    };
    expect(errorsOf(await project.follow(plan!))).toEqual([]);
    expect(asked(project)).toEqual([
      'open t',
      'create slow token-t-2',
      'renew t',
      "renew t'",
      'create late token-t-2',
      "close t''",
    ]);
    expect(project.clock.sleeping).toBe(0);
  });

  it('that fails makes the value unavailable to later users, and is reported', async () => {
    const project = new TestProject();
    project.write(config);
    const { plan } = await project.plan();
    asked(project);
    project.vault.fails.renew = ['t'];
    project.vault.work = async (name) => {
      if (name === 'slow') await project.clock.advance(100_000);
    };
    expect(errorsOf(await project.follow(plan!))).toEqual([
      'Ephemeral resource instance has expired: The remote object for ephemeral.vault_token.t is no longer available due to a renewal error, so Terraform cannot evaluate this expression.',
      'Cannot renew: t is gone.',
    ]);
    expect(asked(project)).toEqual(['open t', 'create slow token-t-2', 'renew t', 'close t']);
  });
});

it('no ephemeral value is in the plan, in the state or in events', async () => {
  const project = new TestProject();
  project.write(
    `variable "v" {\n  type      = string\n  ephemeral = true\n}\n${token('t')}` +
      secret('a', 'secret_wo = "${ephemeral.vault_token.t.value}/${var.v}"') +
      secret('b', 'list_wo = [var.v]\n  rotation {\n    key_wo = var.v\n    days   = 3\n  }') +
      'output "o" {\n  value = ephemeralasnull(var.v)\n}\n',
  );
  const choices = { variables: { v: 'hidden' } };
  const { plan } = await project.plan(choices);
  const origin = { workspace: 'default', backend: 'local', lineage: 'l', serial: 1 };
  const file = Buffer.from(encodePlanFile(plan!, origin)).toString('latin1');
  expect(plan?.applyTimeVariables).toEqual(['v']);
  expect(errorsOf(await project.follow(plan!, choices))).toEqual([]);
  expect(project.vault.calls).toContain('create a token-t-2/hidden');
  expect(project.vault.calls).toContain('create b - hidden');
  const plain = (each: unknown): unknown => {
    if (each instanceof Map) return [...each];
    // Addresses know each other in circles; their texts are all there is to them.
    return each instanceof Object && 'text' in each ? each.text : each;
  };
  const kept = (value: unknown): string =>
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'bigint' ? String(each) : plain(each),
    );
  const stored = [...project.state.managedInstances()].map((addr) =>
    kept(project.state.instance(addr)?.current),
  );
  expect(stored).toHaveLength(2);
  const eventTexts = project.runEvents.map((event) =>
    'change' in event ? event.kind : kept(event),
  );
  for (const text of [
    file,
    ...stored,
    kept(project.events.map((event) => event.kind)),
    ...eventTexts,
  ]) {
    expect(text).not.toContain('hidden');
    expect(text).not.toContain('token-t-');
  }
});
