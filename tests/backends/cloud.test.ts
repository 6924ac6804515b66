// Requests of the `remote` backend and the `cloud` block, and their treatment of responses.
import {
  BACKEND_KINDS,
  type Backend,
  BackendFault,
  CLOUD_KIND,
  StateConflict,
} from '@terrane/backends';
import { DYNAMIC, nullOf, object, str, STRING, tuple, type Value } from '@terrane/cty';
import { nodeHost } from '@terrane/host';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CloudServer, startCloudServer } from './cloud-server.ts';
import { hostWith, lockOf, textOf } from './open-backend.ts';

let server: CloudServer;
beforeEach(async () => {
  server = await startCloudServer();
});
afterEach(async () => await server.close());

const HOSTNAME = 'tfe.example.com';

interface Asked {
  readonly kind?: 'remote' | 'cloud';
  readonly organization?: string;
  readonly workspaces?: Readonly<Record<string, Value>>;
  readonly user?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

/** Opens a backend at the server. No time passes where it would wait, which is noted. */
async function open(asked: Asked, waits: number[] = []): Promise<Backend> {
  const { kind = 'remote', organization = 'acme', user = 'ann', variables = {} } = asked;
  const backendKind = kind === 'cloud' ? await CLOUD_KIND() : await BACKEND_KINDS.get('remote')?.();
  if (backendKind === undefined) throw new Error('no such backend');
  const host = hostWith(variables);
  const { clock } = nodeHost();
  return await backendKind.open(
    configOf(kind, organization, asked.workspaces ?? { name: str('app') }),
    {
      host: {
        ...host,
        clock: {
          now: () => clock.now(),
          monotonicMs: () => clock.monotonicMs(),
          sleep(ms) {
            waits.push(ms);
            return Promise.resolve();
          },
        },
      },
      userAgent: 'Terrane/test',
      terraformVersion: '1.11.4',
      tokenOf: (host) => Promise.resolve(host === HOSTNAME ? `token-${user}` : undefined),
      serviceOf: (host, service) =>
        host === HOSTNAME
          ? Promise.resolve(`${server.url}/api/v2`)
          : Promise.reject(new Error(`host ${host} does not provide a ${service} service`)),
    },
  );
}

function configOf(
  kind: 'remote' | 'cloud',
  organization: string,
  workspaces: Readonly<Record<string, Value>>,
): Value {
  const none = nullOf(STRING);
  const mapping =
    kind === 'remote'
      ? { name: none, prefix: none }
      : { name: none, project: none, tags: nullOf(DYNAMIC) };
  return object({
    hostname: str(HOSTNAME),
    organization: organization === '' ? none : str(organization),
    token: none,
    workspaces: object({ ...mapping, ...workspaces }),
  });
}

function state(serial: number, lineage = 'line', outputs = '{}'): Uint8Array[] {
  const text = `{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": ${serial},
  "lineage": "${lineage}",
  "outputs": ${outputs},
  "resources": [],
  "check_results": null
}
`;
  return [Buffer.from(text.slice(0, 40)), Buffer.from(text.slice(40))];
}

describe('states', () => {
  it('are written with the metadata that the server requires, and read back', async () => {
    const storage = await (await open({})).storage('default');
    expect(await storage.read()).toBeUndefined();
    await storage.lock?.(lockOf('1'));
    const outputs =
      '{"s": {"value": "x", "type": "string", "sensitive": true}, "n": {"value": 1, "type": "number"}}';
    let committed = '';
    await storage.write(state(3, 'line', outputs), () => {
      committed = server.requests.at(-1) ?? '';
      return Promise.resolve();
    });
    expect(committed).toMatch(/actions\/lock$/);
    expect(textOf(await storage.read())).toBe(Buffer.concat(state(3, 'line', outputs)).toString());
    const [stored] = server.workspace('app').states;
    expect(stored).toMatchObject({ serial: 3, lineage: 'line', force: false });
    expect(stored?.outputs).toEqual({
      s: { sensitive: true, value: 'x', type: 'string' },
      n: { sensitive: false, value: 1, type: 'number' },
    });
  });

  it('of another lineage or not above the stored one are refused, unless by force', async () => {
    const storage = await (await open({})).storage('default');
    await storage.lock?.(lockOf('1'));
    await storage.write(state(3));
    for (const refused of [state(3, 'other'), state(2), state(3, 'line', '{"a": {"value": 1}}')]) {
      await expect(storage.write(refused)).rejects.toThrow(StateConflict);
    }
    await storage.write(state(3));
    await storage.write(state(1, 'other'), undefined, { force: true });
    expect(server.workspace('app').states.at(-1)).toMatchObject({ serial: 1, force: true });
    const bob = await (await open({ user: 'bob' })).storage('default');
    await expect(bob.write(state(9, 'other'))).rejects.toThrow('error uploading state: conflict');
  });

  it('go into the request where the server is an old one', async () => {
    server.organization.inlineStates = true;
    const storage = await (await open({})).storage('default');
    await storage.lock?.(lockOf('1'));
    await storage.write(state(1));
    expect(textOf(await storage.read())).toContain('"serial": 1');
    await expect(storage.write(state(1, 'b'))).rejects.toThrow('in compatibility mode: conflict');
    await expect(storage.write(state(1, 'b'))).rejects.toThrow(StateConflict);
  });

  it('arrive once although the server is in trouble, too busy, or its answers are lost', async () => {
    const waits: number[] = [];
    const storage = await (await open({}, waits)).storage('default');
    await storage.lock?.(lockOf('1'));
    server.troubles.push(
      { match: /POST .*state-versions$/, status: 503, after: true },
      { match: /PUT .*upload/, status: 500 },
      { match: /PUT .*upload/, status: 429 },
      { match: /GET .*\/state-versions\//, status: 502 },
    );
    await storage.write(state(1));
    expect(waits).toHaveLength(4);
    expect(server.workspace('app').states.filter(({ bytes }) => bytes !== undefined)).toHaveLength(
      1,
    );
    server.troubles.push({ match: /PUT .*upload/, status: 503, after: true });
    await storage.write(state(2));
    expect(textOf(await storage.read())).toContain('"serial": 2');
  });

  it('that could not be stored keep the lock, so that no client continues with the previous state', async () => {
    const storage = await (await open({})).storage('default');
    await storage.lock?.(lockOf('1'));
    server.troubles.push({ match: /POST .*state-versions$/, status: 422 });
    await expect(storage.write(state(1))).rejects.toThrow(
      'error uploading state: trouble on purpose',
    );
    await storage.unlock?.('1');
    expect(server.workspace('app').lock).toBeDefined();
    await storage.write(state(1));
    await storage.unlock?.('1');
    expect(server.workspace('app').lock).toBeUndefined();
  });
});

describe('locks', () => {
  it('report their holder and reason, and are broken by the name of the workspace', async () => {
    const ann = await (await open({})).storage('default');
    const bob = await (await open({ user: 'bob' })).storage('default');
    expect(await bob.lockHolder?.()).toBeUndefined();
    expect(await ann.lock?.(lockOf('1'))).toEqual({ kind: 'locked', id: '1' });
    const reason = 'Locked by Terrane: OperationTypeApply by tester@machine (1)';
    expect(server.workspace('app').lock).toEqual({ user: 'ann', reason });
    expect(await bob.lock?.(lockOf('2'))).toMatchObject({
      kind: 'held',
      error: 'workspace already locked (lock ID: "acme/app")',
      info: { id: 'acme/app', who: 'ann', info: reason },
    });
    expect(await bob.lockHolder?.()).toMatchObject({ who: 'ann', info: reason });
    await expect(bob.unlock?.('2')).rejects.toThrow(
      'lock ID "2" does not match existing lock ID "acme/app"',
    );
    await bob.unlock?.('acme/app');
    await expect(bob.unlock?.('acme/app')).rejects.toThrow('workspace already unlocked');
    await expect(ann.unlock?.('1')).rejects.toThrow('workspace already unlocked');
    expect(await bob.lock?.(lockOf('2'))).toMatchObject({ kind: 'locked' });
    await expect(ann.unlock?.('1')).rejects.toThrow('unable to unlock workspace locked by user');
  });

  it('are had although the answer to the request was lost', async () => {
    const storage = await (await open({})).storage('default');
    server.troubles.push({ match: /actions\/lock/, status: 502, after: true });
    expect(await storage.lock?.(lockOf('1'))).toEqual({ kind: 'locked', id: '1' });
  });

  it('are sent one at a time', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const storage = await (await open({ user: `u${at}` })).storage('default');
        const outcome = await storage.lock?.(lockOf(String(at)));
        return outcome?.kind;
      }),
    );
    expect(all.filter((kind) => kind === 'locked')).toHaveLength(1);
  });
});

describe('workspaces', () => {
  it('of the remote backend are one, or those with a prefix', async () => {
    const single = await open({});
    expect(single.workspaces).toBeUndefined();
    await expect(single.storage('other')).rejects.toThrow('workspaces not supported');
    const many = await open({ workspaces: { prefix: str('net-') } });
    for (const name of ['c', 'a', 'b', 'net-d']) await many.storage(name);
    expect(await many.workspaces?.names()).toEqual(['a', 'b', 'c', 'd']);
    expect(many.namePattern).toBe('net-*');
    await expect(many.storage('default')).rejects.toThrow('default workspace not supported');
    await many.workspaces?.delete('b');
    await many.workspaces?.delete('b');
    expect([...server.organization.workspaces.keys()].sort()).toEqual(
      ['app', 'net-a', 'net-c', 'net-d'].slice(server.organization.workspaces.has('app') ? 0 : 1),
    );
  });

  it('of a cloud block get its tags, its project and this version', async () => {
    const tags = object({ part: str('web'), stage: str('') });
    const backend = await open({
      kind: 'cloud',
      workspaces: { tags, project: str('shop') },
    });
    await backend.storage('shop-web');
    const made = server.workspace('shop-web');
    expect(Object.fromEntries(made.tags)).toEqual({ part: 'web', stage: '' });
    expect(made.project).toBe(server.organization.projects.get('shop'));
    expect(made.terraformVersion).toBe('1.11.4');
    expect(await backend.workspaces?.names()).toEqual(['shop-web']);
    made.tags.delete('stage');
    await backend.storage('shop-web');
    expect(made.tags.has('stage')).toBe(true);
  });

  it('cannot have tags with values at an old server, but those without', async () => {
    server.organization.hasTagBindings = false;
    const plain = await open({ kind: 'cloud', workspaces: { tags: tuple([str('web')]) } });
    await plain.storage('one');
    server.workspace('one').tags.clear();
    await plain.storage('one');
    expect([...server.workspace('one').tags.keys()]).toEqual(['web']);
    const valued = await open({
      kind: 'cloud',
      workspaces: { tags: object({ part: str('web') }) },
    });
    await expect(valued.storage('one')).rejects.toThrow('does not support key/value tags');
  });

  it('report the version with which the server runs them', async () => {
    const check = async (kind: 'remote' | 'cloud', version: string, ignored = false) => {
      const backend = await open({ kind });
      const workspace = kind === 'remote' ? 'default' : 'app';
      await backend.storage(workspace);
      const app = server.workspace('app');
      app.executionMode = 'remote';
      app.terraformVersion = version;
      const diagnostics = await backend.runs?.checkVersion(workspace, ignored);
      return diagnostics?.map(({ severity, detail }) => `${severity}: ${detail.split('.  ')[0]}`);
    };
    for (const fits of ['1.11.0', 'latest']) {
      expect(await check('remote', fits)).toEqual([]);
      expect(await check('cloud', fits)).toEqual([]);
    }
    expect(await check('cloud', '~> 1.10')).toEqual([]);
    expect(await check('cloud', '>= 1.0, < 1.12')).toEqual([]);
    const [mismatch] = (await check('remote', '1.5.7')) ?? [];
    expect(mismatch).toContain(
      'error: The local Terraform version (1.11.4) does not match the configured version for remote workspace acme/app (1.5.7).',
    );
    const [unmet] = (await check('cloud', '1.5.7', true)) ?? [];
    expect(unmet).toBe(
      'warning: The local Terraform version (1.11.4) does not meet the version requirements for remote workspace acme/app (~> 1.5.0).',
    );
    server.workspace('app').executionMode = 'local';
    expect(await (await open({})).runs?.checkVersion('default', false)).toEqual([]);
    expect(await (await open({})).runs?.remoteWorkspace('default')).toBeUndefined();
    server.workspace('app').executionMode = 'agent';
    expect(await (await open({})).runs?.remoteWorkspace('default')).toMatchObject({
      executionMode: 'agent',
    });
    const forced = await open({ variables: { TF_FORCE_LOCAL_BACKEND: '1' } });
    expect(await forced.runs?.remoteWorkspace('default')).toBeUndefined();
  });
});

describe('a server', () => {
  it('is named by the environment where the cloud block names none', async () => {
    const variables = { TF_CLOUD_ORGANIZATION: 'acme', TF_WORKSPACE: 'chosen' };
    await (await open({})).storage('default');
    const asked = { kind: 'cloud', organization: '', workspaces: {} } as const;
    await expect(open({ ...asked, variables })).rejects.toMatchObject({
      summary: 'Invalid workspace selection',
      detail: 'Terraform failed to find workspace "chosen" in organization acme.',
    });
    const environment = { ...variables, TF_WORKSPACE: 'app' };
    expect((await open({ ...asked, variables: environment })).cloud?.name).toBe('app');
  });

  it('reports an unknown organization or token', async () => {
    await expect(open({ organization: 'other' })).rejects.toMatchObject({
      summary: 'Failed to read organization "other" at host tfe.example.com',
      argument: 'organization',
    });
    await expect(open({ user: 'no one' })).rejects.toThrow('unauthorized');
    await expect(open({ user: 'no one' })).rejects.toThrow(BackendFault);
  });

  it('reports errors immediately while the backend is opened', async () => {
    server.troubles.push({ match: /entitlement-set/, status: 503 });
    const waits: number[] = [];
    await expect(open({}, waits)).rejects.toThrow('trouble on purpose');
    expect(waits).toEqual([]);
  });
});
