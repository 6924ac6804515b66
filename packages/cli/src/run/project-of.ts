import { observeEvaluation } from '@terrane/hcl';
import type { Environment, Host } from '@terrane/host';
import { nodeHost } from '@terrane/host';
import { lazyHistoryObserver } from '@terrane/history/observer';
import { openProject, type Project } from '@terrane/ops/project';
import type { CommandContext } from '../command.ts';
import type { World } from '../world.ts';

/** Returns the project of the command's directory, with variables of its command line. */
export function projectOf(
  context: Pick<CommandContext, 'world' | 'directory' | 'originalDirectory'>,
  variables: Project['variables'] = [],
): Project {
  const { directory, world, originalDirectory } = context;
  return projectIn(world, directory, originalDirectory, variables);
}

/** The project of a directory; `originalDirectory` is where the program was started. */
export function projectIn(
  world: World,
  directory: string,
  originalDirectory: string,
  variables: Project['variables'],
): Project {
  const host = world.hostAt?.(directory) ?? nodeHost({ cwd: directory });
  const environment = withVariables(host.environment, world.environment);
  const { logs, traces, providers, outputRoom, limitHeapGrowth, whileComputing } = world;
  if (whileComputing !== undefined) observeEvaluation(whileComputing);
  const seen: Host = {
    ...host,
    environment,
    ...(outputRoom === undefined ? {} : { outputRoom }),
    ...(limitHeapGrowth === undefined ? {} : { limitHeapGrowth }),
    ...(logs === undefined ? {} : { logs }),
    ...(traces === undefined ? {} : { traces }),
  };
  return openProject(seen, {
    originalDirectory,
    variables,
    observer: lazyHistoryObserver(),
    ...(providers === undefined ? {} : { providers }),
  });
}

/** The machine's environment with the variables that the command sees. */
function withVariables(
  machine: Environment,
  variables: Readonly<Record<string, string | undefined>>,
): Environment {
  return {
    get: (name) => variables[name],
    entries: () =>
      Object.entries(variables).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    cwd: machine.cwd,
    platform: machine.platform,
    arch: machine.arch,
    homeDirectory: machine.homeDirectory,
    get hostName() {
      return machine.hostName;
    },
    get userName() {
      return machine.userName;
    },
    pid: machine.pid,
    processIdentity: (pid) => machine.processIdentity(pid),
  };
}
