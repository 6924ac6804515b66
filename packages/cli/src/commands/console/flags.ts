import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  state: { kind: 'text', initial: '' },
  input: { kind: 'bool', initial: true },
  target: { kind: 'list', initial: [] },
  plan: { kind: 'bool', initial: false },
  scope: { kind: 'text', initial: '' },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  'json-into': { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane console`. */
export const CONSOLE_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane console`. */
export type ConsoleFlags = ParsedFlags<FlagValues<typeof CONSOLE_FLAGS>>;
