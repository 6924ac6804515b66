import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  force: { kind: 'bool', initial: false },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
} as const;

/** Flags of `terrane workspace delete`. */
export const WORKSPACE_DELETE_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS =
  { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane workspace delete`. */
export type WorkspaceDeleteFlags = ParsedFlags<FlagValues<typeof WORKSPACE_DELETE_FLAGS>>;
