import { resolve } from 'node:path';
import type { Host } from './host.ts';
import { nodeClock } from './node-clock.ts';
import { nodeEnvironment } from './node-environment.ts';
import { nodeFiles } from './node-files.ts';
import { nodeHttp } from './node-http.ts';
import { nodeNetwork } from './node-network.ts';
import { nodeRandom } from './node-random.ts';
import { nodeSpawn } from './node-spawn.ts';

/** Returns the host of this process. `cwd` is the base of relative paths (default: the process's directory). */
export function nodeHost(options?: { readonly cwd?: string }): Host {
  const cwd = resolve(options?.cwd ?? '.');
  const environment = nodeEnvironment(cwd);
  return {
    files: nodeFiles(cwd, environment.platform),
    clock: nodeClock(),
    environment,
    random: nodeRandom(),
    spawn: nodeSpawn(cwd, environment.platform),
    network: nodeNetwork(),
    http: nodeHttp(environment),
  };
}
