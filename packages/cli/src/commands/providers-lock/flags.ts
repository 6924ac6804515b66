import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  platform: { kind: 'list', initial: [] },
  'fs-mirror': { kind: 'text', initial: '' },
  'net-mirror': { kind: 'text', initial: '' },
  'oci-mirror': { kind: 'text', initial: '' },
  'test-directory': { kind: 'text', initial: '' },
  'enable-plugin-cache': { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane providers lock`. */
export const PROVIDERS_LOCK_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane providers lock`. */
export type LockFlags = ParsedFlags<FlagValues<typeof PROVIDERS_LOCK_FLAGS>>;
