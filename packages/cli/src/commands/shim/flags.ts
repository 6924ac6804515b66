import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane shim`. */
export const SHIM_FLAGS = {
  tofu: { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane shim`. */
export type ShimFlags = ParsedFlags<FlagValues<typeof SHIM_FLAGS>>;
