import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane fmt`. */
export const FMT_FLAGS = {
  list: { kind: 'bool', initial: true },
  write: { kind: 'bool', initial: true },
  diff: { kind: 'bool', initial: false },
  check: { kind: 'bool', initial: false },
  recursive: { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane fmt`. */
export type FmtFlags = ParsedFlags<FlagValues<typeof FMT_FLAGS>>;
