import { JSON_FLAGS, VARIABLE_FLAGS, REMOTE_VERSION_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'dry-run': { kind: 'bool', initial: false },
  backup: { kind: 'text', initial: '-' },
  'backup-out': { kind: 'text', initial: '-' },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
  'state-out': { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state mv`. */
export const STATE_MV_FLAGS: typeof JSON_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof REMOTE_VERSION_FLAGS &
  typeof OWN_FLAGS = { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...REMOTE_VERSION_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane state mv`. */
export type StateMvFlags = ParsedFlags<FlagValues<typeof STATE_MV_FLAGS>>;
