import type { Host, Logs, ProgramName, Traces } from '@terrane/host';
import type { Project } from '@terrane/ops/project';

/** An output stream for text. */
export interface OutputStream {
  /** Writes a text, with control characters escaped on a terminal; or bytes as they are. */
  write(text: string | Uint8Array): void;
  /** Writes text that may have escape sequences for the cursor to a terminal; texts in it must be escaped already. */
  control?(sequences: string): void;
  readonly isTerminal: boolean;
  /** columns of the terminal; 78 without one, as in Terraform */
  readonly columns: number;
  /** rows of the terminal; undefined without one, or if unknown */
  readonly rows?: number | undefined;
  /** Calls a listener when the terminal is resized; the returned function removes it. */
  onResize?(listener: () => void): () => void;
}

/** A file, or a pipe, that is written bit by bit. */
export interface OutputFile extends OutputStream {
  /** Waits until the remaining output is written. Resolves to the error if a part could not be written. */
  close(): Promise<string | undefined>;
}

/** The result of reading a line: the line, or the text at the time of Ctrl-C; undefined at the end of the input. */
export type EditedLine = { readonly kind: 'line' | 'interrupt'; readonly text: string } | undefined;

/** Returns completions of the text before the cursor: each candidate replaces `partial`, its end. */
export type Complete = (before: string) => {
  readonly partial: string;
  readonly candidates: readonly string[];
};

/** A line editor on a terminal, with a history of the entered lines. */
export interface LineEditor {
  /** Displays a prompt and returns the entered line. */
  next(prompt: string): Promise<EditedLine>;
  close(): void;
}

/** The input of prompts. */
export interface InputStream {
  readonly isTerminal: boolean;
  /** Returns the next line without its end; undefined at the end of input. `secret`: a terminal does not echo it. */
  readLine(options?: {
    readonly signal?: AbortSignal;
    readonly secret?: boolean;
  }): Promise<string | undefined>;
  /** Reads the rest of the input. */
  readAll(): Promise<string>;
  /** Returns the whole input as bytes, which need not be UTF-8; must be the first read. */
  readBytes(): Promise<Uint8Array>;
  /** Starts line editing on this terminal; the Tab key completes. */
  edit(complete: Complete): Promise<LineEditor>;
  /** Stops waiting for input, so that the program can end. */
  close(): void;
}

/** The kind of the file at a path; undefined if there is none. */
export type PathKind = 'directory' | 'other' | undefined;

/** The process environment of a run of the program; tests supply their own. */
export interface World {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: InputStream;
  /** Returns a promise that resolves when enough output has been consumed; undefined if there is room for more. */
  readonly outputRoom?: () => Promise<void> | undefined;
  /** As {@link outputRoom}, for what the program prints itself; undefined after {@link limitOutputWaits}. */
  readonly printRoom?: () => Promise<void> | undefined;
  /**
   * From now on, the program waits for readers of its output only for a moment, when it ends. Programs whose output it
   * forwards still wait.
   */
  readonly limitOutputWaits?: () => void;
  /** Limits how far the heap of the process grows between garbage collections, for the rest of its time. */
  readonly limitHeapGrowth?: () => Promise<void>;
  /** Called now and then during long synchronous computations. */
  readonly whileComputing?: () => void;
  /** Calls back at every interrupt (Ctrl-C, SIGTERM) until the function returned is called. */
  onInterrupt(listener: () => void): () => void;
  kindOf(path: string): PathKind;
  /** Returns the names in a directory; undefined if it cannot be read. */
  namesIn(path: string): readonly string[] | undefined;
  /** Opens a file for writing, created or truncated. Throws the system error. */
  openOutput(path: string): OutputFile;
  /** Returns the machine as seen from a directory; default: the machine of this process. */
  readonly hostAt?: (directory: string) => Host;
  /** the requested logs */
  readonly logs?: Logs;
  /** the trace exporter, if the environment enables it */
  readonly traces?: Traces;
  /** Providers that are used before any other, by full source address. */
  readonly providers?: Project['providers'];
  /** The program that this one replaces, if it was called by that name: see `terrane shim`. */
  readonly calledAs?: Exclude<ProgramName, 'terrane'>;
  /** The command that starts the built program; `program` is the script for `node`, absent for a single executable. */
  readonly start?: { readonly node: string; readonly program?: string };
  /** Ends the process at once, even with operations still running. */
  leave(code: number): void;
}
