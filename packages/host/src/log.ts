/** The severity of a log entry, from developer details to errors. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Structured fields of a log entry, in order. */
export type LogFields = Readonly<Record<string, unknown>>;

/** An enabled log. */
export interface Log {
  /** Returns true if entries of a level are written; use it to avoid preparing expensive entries. */
  enabled(level: LogLevel): boolean;
  /** `module` is the dotted name of the component; empty for the program itself. */
  write(level: LogLevel, module: string, message: string, fields?: LogFields): void;
}

/** The enabled logs. They must not contain secrets. */
export interface Logs {
  /** the log of the program itself */
  readonly core: Log;
  /** messages about plugins and from plugins */
  readonly provider: Log;
}
