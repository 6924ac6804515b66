import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  update: { kind: 'bool', initial: false },
  'test-directory': { kind: 'text', initial: 'tests' },
} as const;

/** Flags of `terrane get`. */
export const GET_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** The parsed command line of `terrane get`. */
export type GetFlags = ParsedFlags<FlagValues<typeof GET_FLAGS>>;
