import type { FileSystem } from '@terrane/host';

/** Options of a command that an agent executes. */
export interface ExecuteOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** the file system that the engine works with: it replicates the state and its journal */
  readonly files: (files: FileSystem) => FileSystem;
  /** receives the output for people */
  readonly onOutput: (text: string) => void;
  /** receives standard error; `onOutput` without it */
  readonly onErrorOutput?: (text: string) => void;
  /** receives events as lines of JSON, from commands that have them */
  readonly onEvent?: (line: string) => void;
  /**
   * interrupts the operation softly; a second time, hard. `isLost` is true if the job was taken from the agent: nothing
   * more is recorded
   */
  readonly onInterrupt: (listener: (isLost: boolean) => void) => () => void;
}

/** The result of a command. */
export interface ExecutedCommand {
  readonly code: number;
}

/** The path of `-json-into` whose content is passed to `onEvent`. */
export const EVENTS_PATH = '.terrane/events';

/**
 * Executes a command: of the program within this process, implemented by the program, which has the views; or of another
 * program.
 */
export type Execute = (
  args: readonly string[],
  options: ExecuteOptions,
) => Promise<ExecutedCommand>;
