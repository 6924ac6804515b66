import type { LogEntry, LogLevel, LogSink } from '../contract.ts';

/** What is said besides the message: plain data. Secrets have no place in it. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured messages for those who look for the cause of trouble. They go to the log of Terrane, or
 * to that of the program which started the provider as a plugin.
 */
export interface Log {
  readonly trace: (message: string, fields?: LogFields) => void;
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  /** a log whose messages all have these fields too */
  readonly with: (fields: LogFields) => Log;
}

/** Where the logs of one provider go; it may become known after they were made. */
export interface LogPort {
  sink: LogSink | undefined;
}

/** A log that writes to a port, with some fields in every message. */
export function logTo(port: LogPort, fields: LogFields = {}): Log {
  const say =
    (level: LogLevel) =>
    (message: string, more?: LogFields): void => {
      if (port.sink === undefined) return;
      const entry: LogEntry = { level, message, fields: { ...fields, ...more } };
      port.sink(entry);
    };
  return {
    trace: say('trace'),
    debug: say('debug'),
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
    with: (more) => logTo(port, { ...fields, ...more }),
  };
}
