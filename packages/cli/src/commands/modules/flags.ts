import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  json: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane modules`. */
export const MODULES_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane modules`. */
export type ModulesFlags = ParsedFlags<FlagValues<typeof MODULES_FLAGS>>;
