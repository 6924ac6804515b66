import { OPERATION_FLAGS, STATE_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  input: { kind: 'bool', initial: true },
  json: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane explain`. */
export const EXPLAIN_FLAGS: typeof STATE_FLAGS &
  typeof OPERATION_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof OWN_FLAGS = { ...STATE_FLAGS, ...OPERATION_FLAGS, ...VARIABLE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane explain`. */
export type ExplainFlags = ParsedFlags<FlagValues<typeof EXPLAIN_FLAGS>>;
