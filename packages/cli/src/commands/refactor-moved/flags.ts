import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  input: { kind: 'bool', initial: true },
  json: { kind: 'bool', initial: false },
  parallelism: { kind: 'integer', initial: 10 },
  write: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane refactor moved`. */
export const REFACTOR_MOVED_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane refactor moved`. */
export type RefactorMovedFlags = ParsedFlags<FlagValues<typeof REFACTOR_MOVED_FLAGS>>;
