/** The output stream of a program: standard output or standard error. */
export type OutputStream = 'stdout' | 'stderr';

/** The current process of a dedicated program, such as a plugin. */
export interface OwnProcess {
  /** The arguments after the program name. */
  readonly args: readonly string[];
  /** path of the program that runs the code: Node, or an executable with Node inside */
  readonly executable: string;
  /** Returns the current parent process ID, which changes if the parent ends. */
  parentPid(): number;
  /** Writes to the original stream, regardless of `divert`. Calls `failed` if the reader has closed it. */
  write(stream: OutputStream, text: string, failed?: () => void): void;
  /** Redirects all output of the program to a function. */
  divert(handle: (stream: OutputStream, bytes: Uint8Array) => void): void;
  /** Calls `handle` for each termination signal, instead of terminating. */
  onSignal(handle: (signal: 'SIGINT' | 'SIGTERM') => void): void;
  /** Calls `handle` for each error that no code catches, instead of ending the process. */
  onUncaught(handle: (error: unknown, origin: 'exception' | 'rejection') => void): void;
  exit(code: number): void;
}

/** The process that this code runs in. */
export function ownProcess(): OwnProcess {
  const streams = { stdout: process.stdout, stderr: process.stderr };
  const writers = {
    stdout: streams.stdout.write.bind(streams.stdout),
    stderr: streams.stderr.write.bind(streams.stderr),
  };
  // A closed reader is not a reason to exit.
  for (const stream of Object.values(streams)) stream.on('error', () => undefined);
  return {
    args: process.argv.slice(2),
    executable: process.execPath,
    parentPid: () => process.ppid,
    write(stream, text, failed) {
      writers[stream](text, (error) => {
        if (error instanceof Error) failed?.();
      });
    },
    divert(handle) {
      for (const name of ['stdout', 'stderr'] as const) {
        streams[name].write = (
          data: string | Uint8Array,
          encoding?: BufferEncoding | ((error?: Error | null) => void),
          callback?: (error?: Error | null) => void,
        ): boolean => {
          const encodingName = typeof encoding === 'string' ? encoding : undefined;
          handle(name, typeof data === 'string' ? Buffer.from(data, encodingName) : data);
          const call = typeof encoding === 'function' ? encoding : callback;
          if (call !== undefined) process.nextTick(call);
          return true;
        };
      }
    },
    onSignal(handle) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => handle(signal));
    },
    onUncaught(handle) {
      process.on('uncaughtException', (error) => handle(error, 'exception'));
      process.on('unhandledRejection', (error) => handle(error, 'rejection'));
    },
    exit: (code) => process.exit(code),
  };
}
