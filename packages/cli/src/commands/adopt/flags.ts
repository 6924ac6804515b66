import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'for-each': { kind: 'bool', initial: false },
  input: { kind: 'bool', initial: true },
  json: { kind: 'bool', initial: false },
  parallelism: { kind: 'integer', initial: 10 },
  write: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane adopt`. */
export const ADOPT_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane adopt`. */
export type AdoptFlags = ParsedFlags<FlagValues<typeof ADOPT_FLAGS>>;
