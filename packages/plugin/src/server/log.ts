import type { Clock, Environment } from '@terrane/host';

/** The severity of a log entry, from developer details to errors. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Structured fields of a log entry. Errors appear with their stack. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes log entries of a provider, which Terraform and Terrane put into their own logs. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  /** Returns true if entries of this level are written; use it to avoid preparing expensive entries. */
  enabled(level: LogLevel): boolean;
  /** Returns a logger with additional fields in every entry and, if set, a submodule name (`provider.http`). */
  with(fields: LogFields, module?: string): Logger;
}

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/**
 * Returns the lowest log level to write, from the most specific of `TF_LOG_PROVIDER_NAME`, `TF_LOG_PROVIDER` and
 * `TF_LOG` that is set. The host program filters the entries again, so the level only limits the volume. Warnings and
 * errors are always written.
 */
export function logLevel(environment: Pick<Environment, 'get'>, name: string): LogLevel {
  const variable = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  for (const each of [`TF_LOG_PROVIDER_${variable}`, 'TF_LOG_PROVIDER', 'TF_LOG']) {
    const text = environment.get(each)?.toLowerCase() ?? '';
    if (text === '') continue;
    if (text === 'off') return 'error';
    const level = LEVELS.find((candidate) => candidate === text);
    // As Terraform, which treats `JSON` and unknown levels as `trace`.
    return level ?? 'trace';
  }
  return 'warn';
}

/** The format of entries: hclog's JSON for programs, or a line of text. */
export type LogFormat = 'json' | 'text';

/** Creates the logger of a plugin. `write` receives complete lines. */
export function makeLogger(options: {
  readonly clock: Pick<Clock, 'now'>;
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly module: string;
  readonly write: (line: string) => void;
}): Logger {
  const { clock, format, write } = options;
  const minLevel = LEVELS.indexOf(options.level);
  const make = (module: string, common: LogFields): Logger => {
    const enabled = (level: LogLevel): boolean => LEVELS.indexOf(level) >= minLevel;
    return {
      enabled,
      log(level, message, fields = {}) {
        if (!enabled(level)) return;
        const entry = { ...common, ...fields };
        const at = clock.now().toISOString();
        write(
          `${format === 'json' ? jsonLine(at, level, module, message, entry) : textLine(at, level, module, message, entry)}\n`,
        );
      },
      with: (more, inner) =>
        make(inner === undefined ? module : `${module}.${inner}`, { ...common, ...more }),
    };
  };
  return make(options.module, {});
}

function jsonLine(
  at: string,
  level: LogLevel,
  module: string,
  message: string,
  fields: LogFields,
): string {
  // go-plugin parses only time stamps with exactly six fractional digits.
  const head = {
    '@level': level,
    '@message': message,
    '@module': module,
    '@timestamp': at.replace(/Z$/, '000Z'),
  };
  return JSON.stringify({ ...plain(fields), ...head });
}

function textLine(
  at: string,
  level: LogLevel,
  module: string,
  message: string,
  fields: LogFields,
): string {
  const rest = Object.entries(plain(fields)).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.includes('\n')) return `\n  ${name}=\n    ${text.replaceAll('\n', '\n    ')}`;
    return ` ${name}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`;
  });
  return `${at} [${level.toUpperCase()}]${level.length === 4 ? ' ' : ''} ${module}: ${message}${rest.length === 0 ? '' : `:${rest.join('')}`}`;
}

/** Converts fields to values that JSON can represent. */
function plain(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plainOf(value)]));
}

function plainOf(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? value.message;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol'
      ? String(value)
      : (value ?? null);
  }
  try {
    const text: unknown = JSON.parse(JSON.stringify(value));
    return text;
  } catch {
    return '(circular)';
  }
}
