import { absolutePathEntries, findOnPath, pathsOf, TextTail } from '@terrane/host';
import type { FetchContext } from './fetch-context.ts';
import { FetchFailed } from './fetch-failed.ts';

/** The number of characters at the end of a command's output that an error quotes. */
const QUOTED_OUTPUT = 8 * 1024;

/** Options of running a program. */
export interface RunOptions {
  readonly cwd?: string;
  /** variables added to the environment */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of this machine that packages are fetched with. */
export interface Program {
  /** Runs the program; throws `FetchFailed` with its output if it fails. */
  run(args: readonly string[], options?: RunOptions): Promise<void>;
  /** Returns the standard output; undefined if the program fails. */
  output(args: readonly string[], options?: RunOptions): Promise<string | undefined>;
}

/** Finds a program on the PATH. Throws `FetchFailed` if it does not exist. */
export async function findProgram(context: FetchContext, name: string): Promise<Program> {
  const { host, signal } = context;
  const path = await pathOf(context, name);
  if (path === undefined) throw new FetchFailed(`${name} must be available and on the PATH`);
  const { platform } = host.environment;
  const environment = Object.fromEntries(host.environment.entries());
  // It runs in the fetched directory, and starts other programs: ssh, git-remote-https, hooks of its templates.
  environment['PATH'] = absolutePathEntries(host.environment.get('PATH') ?? '', platform);
  const spawnOptions = (
    options: RunOptions,
  ): { cwd?: string; env: Readonly<Record<string, string>> } => ({
    ...(options.cwd === undefined ? {} : { cwd: absolute(context, options.cwd) }),
    env: { ...environment, ...options.env },
  });
  return {
    async run(args, options = {}) {
      const output = new TextTail(QUOTED_OUTPUT);
      const { code } = await host.spawn.run(path, args, {
        ...spawnOptions(options),
        signal,
        onOutput: (line) => {
          output.write(`${line}\n`);
        },
      });
      signal.throwIfAborted();
      if (code !== 0) throw new FetchFailed(`${path} exited with ${code}: ${output.text}`);
    },
    async output(args, options = {}) {
      const { code, stdout } = await host.spawn.run(path, args, {
        ...spawnOptions(options),
        signal,
      });
      signal.throwIfAborted();
      return code === 0 ? stdout : undefined;
    },
  };
}

/** Returns an absolute path, for a program that runs in another directory. */
export function absolute({ host }: FetchContext, path: string): string {
  return pathsOf(host.environment).resolve(host.environment.cwd, path);
}

async function pathOf({ host }: FetchContext, name: string): Promise<string | undefined> {
  const { environment, files } = host;
  const { platform } = environment;
  return await findOnPath(name, {
    path: environment.get('PATH'),
    platform,
    endings: environment.get('PATHEXT'),
    isExecutable: async (path) => {
      const stat = await files.stat(path);
      return stat?.kind === 'file' && (platform === 'win32' || (stat.mode & 0o111) !== 0);
    },
  });
}
