import type { Log, LogFields, LogLevel } from '@terrane/host';

const LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error']);

/**
 * Forwards the standard error of a plugin to the log: structured entries at their level, other lines at the level of
 * their prefix, or as debug entries.
 *
 * @param program the name of its executable
 */
export function forwardLog(log: Log, program: string): (line: string) => void {
  const module = `provider.${program}`;
  return (line) => {
    const entry = line.startsWith('{') ? entryOf(line) : undefined;
    if (entry !== undefined) {
      log.write(entry.level, module, entry.message, entry.fields);
      return;
    }
    const prefix = /^\[(TRACE|DEBUG|INFO|WARN|ERROR)\]/.exec(line)?.[1]?.toLowerCase() ?? 'debug';
    if (isLevel(prefix)) log.write(prefix, module, line);
  };
}

interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** Parses an entry in hclog's format; undefined for other lines. */
function entryOf(line: string): Entry | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const {
    '@level': level,
    '@message': message,
    '@timestamp': at,
    ...rest
  } = { ...parsed } as {
    readonly [name: string]: unknown;
  };
  if (typeof level !== 'string' || !isLevel(level)) return undefined;
  const time = typeof at === 'string' ? at : '';
  const { '@module': module, '@caller': caller, ...others } = rest;
  return {
    level,
    message: typeof message === 'string' ? message : '',
    fields: {
      ...(module === undefined ? {} : { '@module': module }),
      ...(caller === undefined ? {} : { '@caller': caller }),
      ...others,
      // In milliseconds, as Terraform has it.
      ...(time === '' ? {} : { timestamp: time.replace(/(\.\d{3})\d*/, '$1') }),
    },
  };
}

function isLevel(text: string): text is LogLevel {
  return LEVELS.has(text);
}
