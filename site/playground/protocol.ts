/** Files by path, relative to the root module. */
export type Files = Readonly<Record<string, string>>;

/** A run of the program: a command with arguments, as behind `terrane` on a command line. */
export interface RunMessage {
  readonly kind: 'run';
  readonly id: number;
  readonly args: readonly string[];
  /** files to create or replace before the run; null removes a file */
  readonly files: Readonly<Record<string, string | null>>;
  /** environment variables, such as `TF_VAR_name` */
  readonly environment: Readonly<Record<string, string>>;
  /** standard input */
  readonly input: string;
  /** columns for wrapping the output */
  readonly columns: number;
}

/** Interrupts a run, as Ctrl-C does. */
export interface StopMessage {
  readonly kind: 'stop';
  readonly id: number;
}

/** Starts a language server on a port. */
export interface LanguageServerMessage {
  readonly kind: 'language-server';
  readonly port: MessagePort;
}

/** Messages to the worker. */
export type Request = RunMessage | StopMessage | LanguageServerMessage;

/** Output of a run as it is written, with escape sequences for colors. */
export interface OutputMessage {
  readonly kind: 'output';
  readonly id: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The end of a run. */
export interface DoneMessage {
  readonly kind: 'done';
  readonly id: number;
  /** exit code of the program */
  readonly code: number;
  /** files that the run created or changed, without those of `.terraform` and binary ones; null: removed */
  readonly files: Readonly<Record<string, string | null>>;
  readonly milliseconds: number;
}

/** Messages from the worker. */
export type Reply = OutputMessage | DoneMessage;
