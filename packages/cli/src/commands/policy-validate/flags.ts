import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane policy validate`. */
export const POLICY_VALIDATE_FLAGS = {
  json: { kind: 'bool', initial: false },
  policies: { kind: 'list', initial: [] },
} as const;

/** Parsed command line of `terrane policy validate`. */
export type PolicyValidateFlags = ParsedFlags<FlagValues<typeof POLICY_VALIDATE_FLAGS>>;
