import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane policy test`. */
export const POLICY_TEST_FLAGS = {
  coverage: { kind: 'bool', initial: false },
  filter: { kind: 'list', initial: [] },
  json: { kind: 'bool', initial: false },
  'junit-xml': { kind: 'text', initial: '' },
  policies: { kind: 'list', initial: [] },
  tests: { kind: 'list', initial: [] },
  verbose: { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane policy test`. */
export type PolicyTestFlags = ParsedFlags<FlagValues<typeof POLICY_TEST_FLAGS>>;
