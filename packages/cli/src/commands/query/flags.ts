import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'generate-config-out': { kind: 'text', initial: '' },
  json: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane query`. */
export const QUERY_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane query`. */
export type QueryFlags = ParsedFlags<FlagValues<typeof QUERY_FLAGS>>;
