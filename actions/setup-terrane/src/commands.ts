// The commands that steps of the job call.
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A command to write: its name, and the program with its first arguments. */
export interface CommandFile {
  readonly name: string;
  readonly command: readonly string[];
}

/**
 * Writes commands into a directory, as scripts for POSIX shells and, on Windows, as batch files too.
 *
 * @param wrapper path of the wrapper, which provides outputs of steps; undefined for none
 */
export function writeCommands(
  directory: string,
  commands: readonly CommandFile[],
  platform: string,
  wrapper: string | undefined,
): void {
  let first: readonly string[] = [];
  if (wrapper !== undefined) {
    const copy = join(directory, 'terrane-wrapper.js');
    copyFileSync(wrapper, copy);
    first = [process.execPath, copy];
  }
  for (const { name, command } of commands) {
    const words = [...first, ...command];
    const path = join(directory, name);
    writeFileSync(path, `#!/bin/sh\nexec ${words.map(shellWord).join(' ')} "$@"\n`);
    chmodSync(path, 0o755);
    if (platform !== 'win32') continue;
    writeFileSync(`${path}.cmd`, `@${words.map((word) => `"${word}"`).join(' ')} %*\r\n`);
  }
}

const shellWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
