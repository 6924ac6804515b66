import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  platform: { kind: 'list', initial: [] },
  'lock-file': { kind: 'bool', initial: true },
} as const;

/** Flags of `terrane providers mirror`. */
export const PROVIDERS_MIRROR_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS =
  { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane providers mirror`. */
export type MirrorFlags = ParsedFlags<FlagValues<typeof PROVIDERS_MIRROR_FLAGS>>;
