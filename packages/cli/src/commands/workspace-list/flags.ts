import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane workspace list`. */
export const WORKSPACE_LIST_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
};

/** Parsed command line of `terrane workspace list`. */
export type WorkspaceListFlags = ParsedFlags<FlagValues<typeof WORKSPACE_LIST_FLAGS>>;
