import {
  JSON_FLAGS,
  OPERATION_FLAGS,
  SENSITIVE_FLAGS,
  STATE_FLAGS,
  VARIABLE_FLAGS,
} from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  input: { kind: 'bool', initial: true },
} as const;

/** Flags of `terrane refresh`. */
export const REFRESH_FLAGS: typeof JSON_FLAGS &
  typeof STATE_FLAGS &
  typeof OPERATION_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...STATE_FLAGS,
  ...OPERATION_FLAGS,
  ...VARIABLE_FLAGS,
  ...SENSITIVE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane refresh`. */
export type RefreshFlags = ParsedFlags<FlagValues<typeof REFRESH_FLAGS>>;
