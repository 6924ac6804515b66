import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane state lock`. */
export const STATE_LOCK_FLAGS = {
  json: { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane state lock`. */
export type StateLockFlags = ParsedFlags<FlagValues<typeof STATE_LOCK_FLAGS>>;
