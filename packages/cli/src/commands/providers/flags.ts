import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'test-directory': { kind: 'text', initial: 'tests' },
} as const;

/** Flags of `terrane providers`. */
export const PROVIDERS_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane providers`. */
export type ProvidersFlags = ParsedFlags<FlagValues<typeof PROVIDERS_FLAGS>>;
