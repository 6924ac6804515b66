import { VARIABLE_FLAGS, JSON_FLAGS, SENSITIVE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  redacted: { kind: 'bool', initial: false },
  raw: { kind: 'bool', initial: false },
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane output`. */
export const OUTPUT_FLAGS: typeof VARIABLE_FLAGS &
  typeof JSON_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof OWN_FLAGS = { ...VARIABLE_FLAGS, ...JSON_FLAGS, ...SENSITIVE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane output`. */
export type OutputFlags = ParsedFlags<FlagValues<typeof OUTPUT_FLAGS>>;
