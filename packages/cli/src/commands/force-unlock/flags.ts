import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  force: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane force-unlock`. */
export const FORCE_UNLOCK_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane force-unlock`. */
export type ForceUnlockFlags = ParsedFlags<FlagValues<typeof FORCE_UNLOCK_FLAGS>>;
