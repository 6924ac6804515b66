import { userErrorText } from '@terrane/host';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { PipeWriters } from './pipe-writer.ts';
import type { OutputFile } from './world.ts';

/**
 * Opens a file or named pipe for writing; opening a pipe waits for a reader. A new file is readable only by its owner,
 * because it may contain secrets. Output of the same turn of the event loop is written together, at the latest when the
 * process ends. Writes to a pipe do not wait for its reader where the system allows it.
 */
export function openOutput(path: string, pipes: PipeWriters): OutputFile {
  const file = openSync(path, 'w', 0o600);
  const pipe = fstatSync(file).isFIFO() ? pipes.acquire(file) : undefined;
  let pending: Uint8Array[] = [];
  let isScheduled = false;
  let failure: { readonly error: unknown } | undefined;
  const write = (bytes: Uint8Array): void => {
    // The reader of a pipe may have closed it: the operation continues without it.
    if (failure !== undefined) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } catch (error) {
      failure = { error };
    }
  };
  const flush = (): void => {
    const bytes = Buffer.concat(pending);
    pending = [];
    if (bytes.length === 0) return;
    if (pipe === undefined) write(bytes);
    else pipe.write(bytes);
  };
  return {
    isTerminal: false,
    columns: 78,
    write(text) {
      pending.push(typeof text === 'string' ? Buffer.from(text) : text);
      if (isScheduled) return;
      isScheduled = true;
      process.prependOnceListener('exit', flush);
      setImmediate(() => {
        process.off('exit', flush);
        isScheduled = false;
        flush();
      });
    },
    async close() {
      flush();
      // If the pipe is a standard stream too, its failure is reported with that of the stream.
      if (pipe !== undefined) failure = await pipes.release(file);
      closeSync(file);
      return failure === undefined ? undefined : userErrorText(failure.error);
    },
  };
}
