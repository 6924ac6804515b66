import type { FileSystem } from '@terrane/host';

/** Options of a command that an agent executes. */
export interface ExecuteOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** the file system that the engine works with: it replicates the state and its journal */
  readonly files: (files: FileSystem) => FileSystem;
  /** receives the output for people */
  readonly onOutput: (text: string) => void;
  /** receives events as lines of JSON, from commands that have them */
  readonly onEvent?: (line: string) => void;
  /** interrupts the operation softly; a second time, hard */
  readonly onInterrupt: (listener: () => void) => () => void;
}

/** The result of a command. */
export interface ExecutedCommand {
  readonly code: number;
}

/** The path of `-json-into` whose content is passed to `onEvent`. */
export const EVENTS_PATH = '.terrane/events';

/** Executes a command of the program within this process. Implemented by the program, which has the views. */
export type Execute = (
  args: readonly string[],
  options: ExecuteOptions,
) => Promise<ExecutedCommand>;
