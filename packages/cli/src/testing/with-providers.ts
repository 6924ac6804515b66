import { processWorld } from '../process-world.ts';
import { runProgram } from '../run-program.ts';
import type { OutputStream, World } from '../world.ts';

/** Runs the program in this process, with additional providers. Returns its exit code. */
export async function runWithProviders(
  args: readonly string[],
  providers: NonNullable<World['providers']>,
): Promise<number> {
  const world = processWorld();
  const code = await runProgram([...args], { ...world, providers });
  world.stdin.close();
  return code;
}

/** The directory, environment and providers of a program that runs in this process. */
export interface Within {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  readonly providers: NonNullable<World['providers']>;
  readonly calledAs?: World['calledAs'];
}

/** Runs the program in this process, with its own directory, environment, input and output, without interrupts. */
export async function runWithin(
  args: readonly string[],
  { directory, environment, input = '', providers, calledAs }: Within,
): Promise<{ exit: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): OutputStream => ({
    isTerminal: false,
    columns: 78,
    write: (text) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    },
  });
  const lines = input.split('\n');
  const rest = (): string => lines.splice(0).join('\n');
  const exit = await runProgram([...args], {
    ...processWorld(),
    directory,
    environment,
    providers,
    ...(calledAs === undefined ? {} : { calledAs }),
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: {
      isTerminal: false,
      readLine: () => Promise.resolve(lines.length > 1 ? lines.shift() : undefined),
      readAll: () => Promise.resolve(rest()),
      readBytes: () => Promise.resolve(Buffer.from(rest())),
      edit: () => Promise.reject(new Error('there is no terminal')),
      close: () => undefined,
    },
    onInterrupt: () => () => undefined,
    leave: () => undefined,
  });
  return { exit, ...written };
}
