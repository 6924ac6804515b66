import { REMOTE_VERSION_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  before: { kind: 'bool', initial: false },
  'auto-approve': { kind: 'bool', initial: false },
  'dry-run': { kind: 'bool', initial: false },
  force: { kind: 'bool', initial: false },
  json: { kind: 'bool', initial: false },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state restore`. */
export const STATE_RESTORE_FLAGS: typeof REMOTE_VERSION_FLAGS & typeof OWN_FLAGS = {
  ...REMOTE_VERSION_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane state restore`. */
export type StateRestoreFlags = ParsedFlags<FlagValues<typeof STATE_RESTORE_FLAGS>>;
