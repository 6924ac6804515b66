import { bool, duration, integer, list, text } from './flags/flag.ts';
import type { Flag } from './flags/flag.ts';

/** Options of commands that work with a state. */
export const STATE_FLAGS = {
  lock: bool(true),
  'lock-timeout': duration(),
  state: text(),
  'state-out': text(),
  backup: text(),
} as const;

/** Options of commands that plan. */
export const OPERATION_FLAGS = {
  parallelism: integer(10),
  refresh: bool(true),
  destroy: bool(false),
  'refresh-only': bool(false),
  target: list(),
  replace: list(),
} as const;

/** Options that give values to variables; their order counts. */
export const VARIABLE_FLAGS = { var: list(), 'var-file': list() } as const;

/** Options that only the remote backend of Terraform has a use for; accepted and without effect. */
export const IGNORED_FLAGS: { readonly 'ignore-remote-version': Flag<boolean> } = {
  'ignore-remote-version': bool(false),
};
