import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'or-create': { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane workspace select`. */
export const WORKSPACE_SELECT_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS =
  { ...JSON_FLAGS, ...VARIABLE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane workspace select`. */
export type WorkspaceSelectFlags = ParsedFlags<FlagValues<typeof WORKSPACE_SELECT_FLAGS>>;
