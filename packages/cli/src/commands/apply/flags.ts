import {
  JSON_FLAGS,
  OPERATION_FLAGS,
  POLICY_FLAGS,
  SENSITIVE_FLAGS,
  STATE_FLAGS,
  VARIABLE_FLAGS,
} from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'auto-approve': { kind: 'bool', initial: false },
  input: { kind: 'bool', initial: true },
  summary: { kind: 'bool', initial: false },
  'suppress-forget-errors': { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane apply`. */
export const APPLY_FLAGS: typeof JSON_FLAGS &
  typeof STATE_FLAGS &
  typeof OPERATION_FLAGS &
  typeof POLICY_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...STATE_FLAGS,
  ...OPERATION_FLAGS,
  ...POLICY_FLAGS,
  ...VARIABLE_FLAGS,
  ...SENSITIVE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane apply`. */
export type ApplyFlags = ParsedFlags<FlagValues<typeof APPLY_FLAGS>>;
