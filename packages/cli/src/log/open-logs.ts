import { openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorText, type Log, type LogLevel, type Logs } from '@terrane/host';
import type { World } from '../world.ts';
import { jsonLogLine, textLogLine } from './log-line.ts';

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];
const VALID = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'];

/** Properties of logs that the environment does not set. */
export interface LogDefaults {
  /** the level of the program's own log */
  readonly level?: string;
  /** overrides the environment */
  readonly format?: 'json';
}

/** Opens the logs requested by `TF_LOG`, `TF_LOG_CORE` and `TF_LOG_PROVIDER`; undefined if none is. */
export function openLogs(
  world: World,
  now: () => Date,
  defaults: LogDefaults = {},
): Logs | undefined {
  const { environment, stderr } = world;
  const firstSet = (...names: readonly string[]): string =>
    names.map((name) => environment[name]?.toUpperCase() ?? '').find((text) => text !== '') ?? '';
  const requested = firstSet('TF_LOG', 'TF_LOG_CORE');
  const core = requested === '' ? (defaults.level ?? '') : requested;
  const provider = firstSet('TF_LOG_PROVIDER', 'TF_LOG');
  for (const text of new Set([core, provider])) {
    if (text === '' || text === 'JSON' || VALID.includes(text)) continue;
    stderr.write(
      `[WARN] Invalid log level: ${JSON.stringify(text)}. Defaulting to level: TRACE. Valid levels are: [${VALID.join(' ')}]\n`,
    );
  }
  const isSilent = [core, provider].every((text) => text === '' || text === 'OFF');
  if (isSilent) return undefined;
  const path = environment['TF_LOG_PATH'] ?? '';
  const append = path === '' ? undefined : appendTo(path, world);
  const out = append ?? ((line: string): void => stderr.write(line));
  const line = core === 'JSON' || defaults.format === 'json' ? jsonLogLine : textLogLine;
  const logOf = (text: string): Log => {
    const minLevel = leastOf(text);
    const enabled = (level: LogLevel): boolean => LEVELS.indexOf(level) >= minLevel;
    return {
      enabled,
      write: (level, module, message, fields = {}) => {
        if (enabled(level)) out(`${line({ at: now(), level, module, message, fields })}\n`);
      },
    };
  };
  return { core: logOf(core), provider: logOf(provider) };
}

/** Returns the minimum severity of a log level name. Unknown names log everything, as `JSON` does. */
function leastOf(text: string): number {
  if (text === '' || text === 'OFF') return LEVELS.length;
  const at = LEVELS.findIndex((level) => level.toUpperCase() === text);
  return Math.max(at, 0);
}

/**
 * Appends to a file, one entry at a time, so that several programs can share it. The file is open until this program
 * exits. A new file is readable by its owner only: traces of requests may contain secrets.
 */
function appendTo(
  displayPath: string,
  { directory, stderr }: World,
): ((line: string) => void) | undefined {
  let file: number;
  try {
    file = openSync(resolve(directory, displayPath), 'a', 0o600);
  } catch (error) {
    stderr.write(`Error opening log file: ${errorText(error, displayPath)}\n`);
    return undefined;
  }
  return (line) => {
    try {
      writeSync(file, line);
    } catch {
      // A full disk must not end the run.
    }
  };
}
