import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane history show`. */
export const HISTORY_SHOW_FLAGS = {
  json: { kind: 'bool', initial: false },
  state: { kind: 'text', initial: '' },
} as const;

/** Parsed command line of `terrane history show`. */
export type HistoryShowFlags = ParsedFlags<FlagValues<typeof HISTORY_SHOW_FLAGS>>;
