import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  state: { kind: 'text', initial: '' },
  id: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state list`. */
export const STATE_LIST_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane state list`. */
export type StateListFlags = ParsedFlags<FlagValues<typeof STATE_LIST_FLAGS>>;
