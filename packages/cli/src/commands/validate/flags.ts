import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'no-tests': { kind: 'bool', initial: false },
  query: { kind: 'bool', initial: false },
  'test-directory': { kind: 'text', initial: 'tests' },
} as const;

/** Flags of `terrane validate`. */
export const VALIDATE_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane validate`. */
export type ValidateFlags = ParsedFlags<FlagValues<typeof VALIDATE_FLAGS>>;
