import { REMOTE_VERSION_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  write: { kind: 'bool', initial: false },
  forget: { kind: 'list', initial: [] },
  json: { kind: 'bool', initial: false },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane state recover`. */
export const STATE_RECOVER_FLAGS: typeof REMOTE_VERSION_FLAGS & typeof OWN_FLAGS = {
  ...REMOTE_VERSION_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane state recover`. */
export type StateRecoverFlags = ParsedFlags<FlagValues<typeof STATE_RECOVER_FLAGS>>;
