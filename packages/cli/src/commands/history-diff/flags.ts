import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane history diff`. */
export const HISTORY_DIFF_FLAGS = {
  json: { kind: 'bool', initial: false },
  state: { kind: 'text', initial: '' },
} as const;

/** Parsed command line of `terrane history diff`. */
export type HistoryDiffFlags = ParsedFlags<FlagValues<typeof HISTORY_DIFF_FLAGS>>;
