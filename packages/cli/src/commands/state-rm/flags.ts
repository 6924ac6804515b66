import { JSON_FLAGS, VARIABLE_FLAGS, REMOTE_VERSION_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'dry-run': { kind: 'bool', initial: false },
  backup: { kind: 'text', initial: '-' },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state rm`. */
export const STATE_RM_FLAGS: typeof JSON_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof REMOTE_VERSION_FLAGS &
  typeof OWN_FLAGS = { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...REMOTE_VERSION_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane state rm`. */
export type StateRmFlags = ParsedFlags<FlagValues<typeof STATE_RM_FLAGS>>;
