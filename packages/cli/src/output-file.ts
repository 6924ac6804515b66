import { userErrorText } from '@terrane/host';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { OutputFile } from './world.ts';

/**
 * Opens a file or named pipe for writing; opening a pipe waits for a reader. A new file is readable only by its owner,
 * because it may contain secrets. Output of the same turn of the event loop is written together, at the latest when the
 * process ends.
 */
export function openOutput(path: string): OutputFile {
  const file = openSync(path, 'w', 0o600);
  let pending: Uint8Array[] = [];
  let isScheduled = false;
  let failure: string | undefined;
  const flush = (): void => {
    const bytes = Buffer.concat(pending);
    pending = [];
    // The reader of a pipe may have closed it: the operation continues without it.
    if (failure !== undefined) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    } catch (error) {
      failure = userErrorText(error);
    }
  };
  return {
    isTerminal: false,
    columns: 78,
    write(text) {
      pending.push(typeof text === 'string' ? Buffer.from(text) : text);
      if (isScheduled) return;
      isScheduled = true;
      process.once('exit', flush);
      setImmediate(() => {
        process.off('exit', flush);
        isScheduled = false;
        flush();
      });
    },
    close() {
      flush();
      closeSync(file);
      return failure;
    },
  };
}
