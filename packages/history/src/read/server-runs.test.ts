import { expect, it } from 'vitest';
import type { OpenedState } from '@terrane/ops';
import { serverRunsOf } from './history.ts';

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
  expect(await serverRunsOf(stateIn('prod', ['prod']))).toBe(url);
  expect(await serverRunsOf(stateIn('dev', ['prod']))).toBeUndefined();
});

it('names none for backends that only store states', async () => {
  const backend = { kind: 'opened', backend: {} } as unknown as OpenedState['backend'];
  expect(await serverRunsOf({ backend, workspace: 'prod' })).toBeUndefined();
});
