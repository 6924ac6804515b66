import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  state: { kind: 'text', initial: '' },
} as const;

/** Flags of `terrane workspace new`. */
export const WORKSPACE_NEW_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane workspace new`. */
export type WorkspaceNewFlags = ParsedFlags<FlagValues<typeof WORKSPACE_NEW_FLAGS>>;
