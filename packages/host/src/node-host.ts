import type { Host } from './host.ts';
import { nodeClock } from './node-clock.ts';
import { nodeEnvironment } from './node-environment.ts';
import { nodeFiles } from './node-files.ts';
import { nodeNetwork } from './node-network.ts';
import { nodeRandom } from './node-random.ts';
import { nodeSpawn } from './node-spawn.ts';

/** The machine this process runs on. `cwd`: where relative paths begin (the process's directory). */
export function nodeHost(options?: { readonly cwd?: string }): Host {
  const cwd = options?.cwd ?? process.cwd();
  return {
    files: nodeFiles(cwd),
    clock: nodeClock(),
    environment: nodeEnvironment(cwd),
    random: nodeRandom(),
    spawn: nodeSpawn(cwd),
    network: nodeNetwork(),
  };
}
