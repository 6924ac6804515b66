import { JSON_FLAGS, VARIABLE_FLAGS, REMOTE_VERSION_FLAGS, STATE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'allow-missing': { kind: 'bool', initial: false },
  'dry-run': { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane taint`. */
export const TAINT_FLAGS: typeof JSON_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof REMOTE_VERSION_FLAGS &
  typeof STATE_FLAGS &
  typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...REMOTE_VERSION_FLAGS,
  ...STATE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane taint`. */
export type TaintFlags = ParsedFlags<FlagValues<typeof TAINT_FLAGS>>;
