import { expect, it } from 'vitest';
import type { RecordedRun } from '@terrane/backends';
import type { OpenedState } from '@terrane/ops';
import { ServerRuns, serverRunsOf } from './server-runs.ts';

/** A state in a backend whose server executes runs of the workspaces `names`. */
function stateIn(
  workspace: string,
  names: readonly string[],
): Pick<OpenedState, 'backend' | 'workspace'> {
  const runs = {
    server: { hostname: 'runs.example.com', organization: 'acme' },
    remoteWorkspace: (name: string) =>
      Promise.resolve(names.includes(name) ? { name: `app-${name}` } : undefined),
  };
  // Nothing else of a backend is used.
  const backend = { kind: 'opened', backend: { runs } } as unknown as OpenedState['backend'];
  return { backend, workspace };
}

it('names the address of the runs that a server executes', async () => {
  const url = 'https://runs.example.com/app/acme/app-prod/runs';
  expect((await serverRunsOf(stateIn('prod', ['prod'])))?.url).toBe(url);
  expect(await serverRunsOf(stateIn('dev', ['prod']))).toBeUndefined();
});

it('names none for backends that only store states', async () => {
  const backend = { kind: 'opened', backend: {} } as unknown as OpenedState['backend'];
  expect(await serverRunsOf({ backend, workspace: 'prod' })).toBeUndefined();
});

/** A server with the runs `run-1` (the first) to `run-N`; `plan-2` has changes, and other plans cannot be read. */
function serverWith(count: number): ConstructorParameters<typeof ServerRuns>[0] {
  const run = (index: number): RecordedRun => ({
    id: `run-${index}`,
    created: '2026-01-02T03:04:05.000Z',
    createdBy: 'ada',
    source: 'tfe-api',
    message: '',
    status: 'applied',
    isDestroy: false,
    isRefreshOnly: false,
    isPlanOnly: false,
    plan: `plan-${index}`,
    planned: undefined,
    applied: undefined,
  });
  const change = (address: string, ...actions: readonly string[]) => ({
    address,
    change: { actions },
  });
  return {
    hostname: 'runs.example.com',
    organization: 'acme',
    async *recordedRuns() {
      for (let index = count; index > 0; index--) yield await Promise.resolve(run(index));
    },
    recordedRun: (id, workspace) =>
      Promise.resolve(
        id === 'run-2' && workspace === 'ws-1' ? run(Number(id.slice('run-'.length))) : undefined,
      ),
    planJson: (plan) =>
      plan === 'plan-2'
        ? Promise.resolve(
            JSON.stringify({
              resource_changes: [
                change('a.a', 'create'),
                change('a.b', 'no-op'),
                change('a.c', 'delete', 'create'),
                { address: 1 },
              ],
            }),
          )
        : Promise.reject(new Error('not found')),
  };
}

it('lists the last runs of a server, and shows one with what its plan changes', async () => {
  const runs = new ServerRuns(serverWith(3), { id: 'ws-1', name: 'app' });
  const list = async (most: number) => {
    const { runs: listed, hasMore } = await runs.list(most);
    return [listed.map(({ id }) => id), hasMore];
  };
  expect(await list(2)).toEqual([['run-3', 'run-2'], true]);
  expect(await list(3)).toEqual([['run-3', 'run-2', 'run-1'], false]);
  expect(await list(0)).toEqual([['run-3', 'run-2', 'run-1'], false]);
  const shown = await runs.find('run-2');
  expect(shown?.objects).toEqual([
    { address: 'a.a', action: 'create' },
    { address: 'a.c', action: 'replace' },
  ]);
  const last = await runs.find('last');
  expect([last?.run.id, last?.objects]).toEqual(['run-3', undefined]);
  expect(await runs.find('run-9')).toBeUndefined();
  expect(
    await new ServerRuns(serverWith(0), { id: 'ws-1', name: 'app' }).find('last'),
  ).toBeUndefined();
});
