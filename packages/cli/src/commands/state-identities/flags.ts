import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane state identities`. */
export const STATE_IDENTITIES_FLAGS = {
  state: { kind: 'text', initial: '' },
  id: { kind: 'text', initial: '' },
  json: { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane state identities`. */
export type StateIdentitiesFlags = ParsedFlags<FlagValues<typeof STATE_IDENTITIES_FLAGS>>;
