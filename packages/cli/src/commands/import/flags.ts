import { JSON_FLAGS, REMOTE_VERSION_FLAGS, STATE_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  config: { kind: 'text', initial: '' },
  input: { kind: 'bool', initial: true },
  parallelism: { kind: 'integer', initial: 10 },
  target: { kind: 'list', initial: [] },
} as const;

/** Flags of `terrane import`. */
export const IMPORT_FLAGS: typeof JSON_FLAGS &
  typeof REMOTE_VERSION_FLAGS &
  typeof STATE_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  ...STATE_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane import`. */
export type ImportFlags = ParsedFlags<FlagValues<typeof IMPORT_FLAGS>>;
