import type { Environment } from '@terrane/host';

/** Settings of the history, from the environment variable `TERRANE_HISTORY`. */
export interface HistorySettings {
  readonly enabled: boolean;
  /** number of runs that are kept */
  readonly runs: number;
  /** age in days up to which runs are kept; undefined: any age */
  readonly days?: number;
}

/** Name of the environment variable with the settings. */
export const SETTINGS_VARIABLE = 'TERRANE_HISTORY';
/** Name of the environment variable with the identity that runs are recorded with. */
export const ACTOR_VARIABLE = 'TERRANE_ACTOR';

const DEFAULT_RUNS = 1000;
const MAX_ACTOR = 200;

/**
 * Parses the settings: `off`, `on`, or a list such as `runs=500,days=90`. Unset and empty mean `on`.
 *
 * @returns the settings, or the error of an invalid value
 */
export function historySettings(
  environment: Pick<Environment, 'get'>,
): HistorySettings | { readonly error: string } {
  const text = (environment.get(SETTINGS_VARIABLE) ?? '').trim();
  if (text === '' || text === 'on') return { enabled: true, runs: DEFAULT_RUNS };
  if (text === 'off') return { enabled: false, runs: DEFAULT_RUNS };
  let settings: HistorySettings = { enabled: true, runs: DEFAULT_RUNS };
  for (const part of text.split(',')) {
    const match = /^\s*(runs|days)\s*=\s*(\d{1,7})\s*$/.exec(part);
    const [, name, digits = ''] = match ?? [];
    const number = Number(digits);
    if (name === undefined || number === 0)
      return {
        error: `The value ${JSON.stringify(text)} of ${SETTINGS_VARIABLE} is invalid. Use "off", "on" or limits such as "runs=500,days=90".`,
      };
    settings = name === 'runs' ? { ...settings, runs: number } : { ...settings, days: number };
  }
  return settings;
}

/** Returns the identity that runs are recorded with: the caller's, that of the environment, or user and host. */
export function actorOf(
  environment: Pick<Environment, 'get' | 'userName' | 'hostName'>,
  actor: string | undefined,
): string {
  const configuredActor = actor ?? environment.get(ACTOR_VARIABLE) ?? '';
  const who =
    configuredActor === '' ? `${environment.userName}@${environment.hostName}` : configuredActor;
  // The name of an agent is its own choice.
  return who.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_ACTOR);
}
