import { bool, duration, integer, list, text } from './flags/flag.ts';
import type { FlagTable } from './flags/parse-flags.ts';

/** What options of commands that work with a state say. */
export interface StateValues {
  readonly lock: boolean;
  /** milliseconds */
  readonly 'lock-timeout': number;
  readonly state: string;
  readonly 'state-out': string;
  readonly backup: string;
}

/** Options of commands that work with a state. */
export const STATE_FLAGS: FlagTable<StateValues> = {
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
  'state-out': text(),
  backup: text(),
};

/** What options of commands that plan say. */
export interface OperationValues {
  readonly parallelism: number;
  readonly refresh: boolean;
  readonly destroy: boolean;
  readonly 'refresh-only': boolean;
  readonly target: readonly string[];
  readonly 'target-file': readonly string[];
  readonly exclude: readonly string[];
  readonly 'exclude-file': readonly string[];
  readonly 'minimal-refresh': boolean;
  readonly 'allow-deferral': boolean;
  readonly replace: readonly string[];
  readonly invoke: readonly string[];
}

/** Options of commands that plan. */
export const OPERATION_FLAGS: FlagTable<OperationValues> = {
  parallelism: integer(10),
  refresh: bool(true),
  destroy: bool(false),
  'refresh-only': bool(false),
  target: list(),
  'target-file': list(),
  exclude: list(),
  'exclude-file': list(),
  'minimal-refresh': bool(false),
  'allow-deferral': bool(false),
  replace: list(),
  invoke: list(),
};

/** What options say of what is shown of secrets. */
export interface SensitiveValues {
  readonly 'show-sensitive': boolean;
}

/** Options of commands that show values. They may stand anywhere, and are taken out before the others are read. */
export const SENSITIVE_FLAGS: FlagTable<SensitiveValues> = { 'show-sensitive': bool(false) };

/** What options say of what is put out for programs. */
export interface JsonValues {
  readonly json: boolean;
  readonly 'json-into': string;
}

/** Options of commands that tell programs what they tell people: instead of that, or besides in a file. */
export const JSON_FLAGS: FlagTable<JsonValues> = { json: bool(false), 'json-into': text() };

/** What options give to variables. */
export interface VariableValues {
  readonly var: readonly string[];
  readonly 'var-file': readonly string[];
}

/** Options that give values to variables; their order counts. */
export const VARIABLE_FLAGS: FlagTable<VariableValues> = { var: list(), 'var-file': list() };

/** What options say of servers that run plans and applies by themselves. */
export interface RemoteVersionValues {
  readonly 'ignore-remote-version': boolean;
}

/** Options for workspaces that a server runs. */
export const REMOTE_VERSION_FLAGS: FlagTable<RemoteVersionValues> = {
  'ignore-remote-version': bool(false),
};
