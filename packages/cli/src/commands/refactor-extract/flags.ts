import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  input: { kind: 'bool', initial: true },
  json: { kind: 'bool', initial: false },
  name: { kind: 'text', initial: '' },
  parallelism: { kind: 'integer', initial: 10 },
  to: { kind: 'text', initial: '' },
  write: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane refactor extract`. */
export const REFACTOR_EXTRACT_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane refactor extract`. */
export type RefactorExtractFlags = ParsedFlags<FlagValues<typeof REFACTOR_EXTRACT_FLAGS>>;
