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
  redacted: { kind: 'bool', initial: false },
  'detailed-exitcode': { kind: 'bool', initial: false },
  'generate-config-out': { kind: 'text', initial: '' },
  explain: { kind: 'bool', initial: false },
  input: { kind: 'bool', initial: true },
  out: { kind: 'text', initial: '' },
  'policy-report-only': { kind: 'bool', initial: false },
  summary: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane plan`. */
export const PLAN_FLAGS: typeof JSON_FLAGS &
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

/** Parsed command line of `terrane plan`. */
export type PlanFlags = ParsedFlags<FlagValues<typeof PLAN_FLAGS>>;
