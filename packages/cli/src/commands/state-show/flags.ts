import { JSON_FLAGS, VARIABLE_FLAGS, SENSITIVE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state show`. */
export const STATE_SHOW_FLAGS: typeof JSON_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof OWN_FLAGS = { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...SENSITIVE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane state show`. */
export type StateShowFlags = ParsedFlags<FlagValues<typeof STATE_SHOW_FLAGS>>;
