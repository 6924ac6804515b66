// The storage of a target, opened in whichever process needs it.
import { type Backend, CLOUD_KIND, localStorage } from '@terrane/backends';
import { DYNAMIC, nullOf, object, str, STRING } from '@terrane/cty';
import { type Host, nodeHost, type Storage } from '@terrane/host';
import { valuesOf } from '../backends/given.ts';
import { hostThrough } from '../backends/loopback.ts';
import { openBackend } from '../backends/open-backend.ts';
import type { Target } from './lock-task.ts';

/** The host of this process with other environment variables, also for proxies. */
function hostWith(variables: Readonly<Record<string, string>>): Host {
  const before = { ...process.env };
  Object.assign(process.env, variables);
  const host = nodeHost();
  for (const name of Object.keys(variables)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  return host;
}

/**
 * Opens the default workspace of a target. `over` changes the host that it is reached by; `opened` is given what is to be
 * closed in the end.
 */
export async function openTarget(
  target: Target,
  over: (host: Host) => Host = (host) => host,
  opened: (backend: Backend) => void = () => undefined,
): Promise<Storage> {
  switch (target.kind) {
    case 'local':
      return localStorage(over(nodeHost()), { path: target.path });
    case 'cloud': {
      const kind = await CLOUD_KIND();
      const workspaces = {
        name: str(target.workspace),
        project: nullOf(STRING),
        tags: nullOf(DYNAMIC),
      };
      const config = object({
        hostname: str('tfe.example.com'),
        organization: str('acme'),
        token: nullOf(STRING),
        workspaces: object(workspaces),
      });
      const backend = await kind.open(config, {
        host: over(nodeHost()),
        userAgent: 'Terrane/test',
        terraformVersion: '1.11.4',
        tokenOf: () => Promise.resolve('token-ann'),
        serviceOf: () => Promise.resolve(`${target.url}/api/v2`),
      });
      opened(backend);
      return await backend.storage(target.workspace);
    }
    case 'backend': {
      const { type, config, env, through } = target;
      const plain = hostWith(env);
      const host = over(through === undefined ? plain : hostThrough(plain, through));
      const backend = await openBackend(type, await valuesOf(type, config), env, host);
      opened(backend);
      return await backend.storage('default');
    }
  }
}
