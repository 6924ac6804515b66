import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane history`. */
export const HISTORY_FLAGS = {
  n: { kind: 'integer', initial: 20 },
  json: { kind: 'bool', initial: false },
  state: { kind: 'text', initial: '' },
} as const;

/** Parsed command line of `terrane history`. */
export type HistoryFlags = ParsedFlags<FlagValues<typeof HISTORY_FLAGS>>;
