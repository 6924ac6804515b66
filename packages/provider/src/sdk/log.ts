import type { LogEntry, LogLevel, LogSink } from '../contract.ts';

/** Structured fields of a log message. They must not contain secrets. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured messages for troubleshooting. They are written to the log of Terrane, or of the program that started the
 * provider as a plugin.
 */
export interface Log {
  readonly trace: (message: string, fields?: LogFields) => void;
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  /** returns a log that adds these fields to all messages */
  readonly with: (fields: LogFields) => Log;
}

/** Receives the logs of one provider; it may be attached after the first messages. */
export interface LogPort {
  sink: LogSink | undefined;
}

/** A log that writes to a port, with some fields in every message. */
export function logTo(port: LogPort, fields: LogFields = {}): Log {
  return new PortLog(port, fields);
}

class PortLog implements Log {
  readonly #port: LogPort;
  readonly #fields: LogFields;

  constructor(port: LogPort, fields: LogFields) {
    this.#port = port;
    this.#fields = fields;
  }

  trace(message: string, fields?: LogFields): void {
    this.#say('trace', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#say('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#say('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#say('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#say('error', message, fields);
  }

  with(fields: LogFields): Log {
    return new PortLog(this.#port, { ...this.#fields, ...fields });
  }

  #say(level: LogLevel, message: string, more?: LogFields): void {
    const entry: LogEntry = { level, message, fields: { ...this.#fields, ...more } };
    this.#port.sink?.(entry);
  }
}
