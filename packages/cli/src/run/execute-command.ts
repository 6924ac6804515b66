import { nodeHost } from '@terrane/host';
import { EVENTS_PATH, type Execute } from '@terrane/server';
import { join } from 'node:path';
import type { CommandContext } from '../command.ts';
import type { OutputFile, OutputStream, World } from '../world.ts';

/** Executes commands of this program for an agent: in this process, in the directory of a run. */
export function commandExecutor({
  world: outer,
  runProgram,
}: Pick<CommandContext, 'world' | 'runProgram'>): Execute {
  return async (args, options) => {
    const { directory, environment, files, onOutput, onEvent, onInterrupt } = options;
    const decoder = (): ((text: string | Uint8Array) => string) => {
      const utf8 = new TextDecoder();
      return (text) => (typeof text === 'string' ? text : utf8.decode(text, { stream: true }));
    };
    const stream = (write: (text: string) => void): OutputStream => {
      const textOf = decoder();
      return { isTerminal: false, columns: 78, write: (text) => write(textOf(text)) };
    };
    const events = (): OutputFile => {
      const textOf = decoder();
      let rest = '';
      return {
        isTerminal: false,
        columns: 78,
        write(text) {
          const lines = (rest + textOf(text)).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) onEvent?.(line);
        },
        close: () => Promise.resolve(undefined),
      };
    };
    const world: World = {
      directory,
      environment,
      stdout: stream(onOutput),
      stderr: stream(options.onErrorOutput ?? onOutput),
      stdin: {
        isTerminal: false,
        readLine: () => Promise.resolve(undefined),
        readAll: () => Promise.resolve(''),
        readBytes: () => Promise.resolve(new Uint8Array()),
        edit: () => Promise.reject(new Error('A run has no terminal.')),
        close: () => undefined,
      },
      onInterrupt,
      kindOf: outer.kindOf,
      namesIn: outer.namesIn,
      openOutput: (path) =>
        path === EVENTS_PATH || path === join(directory, EVENTS_PATH)
          ? events()
          : outer.openOutput(path),
      hostAt(cwd) {
        const host = nodeHost({ cwd });
        return { ...host, files: files(host.files) };
      },
      // The second interrupt ends the operation; the process goes on with other runs.
      leave: () => undefined,
    };
    return { code: await runProgram(args, world) };
  };
}
