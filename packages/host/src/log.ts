/** The severity of a log entry, from developer details to errors. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Structured fields of a log entry, in order. */
export type LogFields = Readonly<Record<string, unknown>>;

/** An enabled log. */
export interface Log {
  /** Returns true if entries of a level go anywhere, for those that are costly to make. */
  enabled(level: LogLevel): boolean;
  /** `module` is the part of the program that it is about, with dots; empty for the program itself. */
  write(level: LogLevel, module: string, message: string, fields?: LogFields): void;
}

/** The enabled logs. They must not contain secrets. */
export interface Logs {
  /** about the program itself */
  readonly core: Log;
  /** messages about plugins and from plugins */
  readonly provider: Log;
}
