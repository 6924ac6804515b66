import { JSON_FLAGS, SENSITIVE_FLAGS, STATE_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  parallelism: { kind: 'integer', initial: 10 },
  refresh: { kind: 'bool', initial: true },
  target: { kind: 'list', initial: [] },
  'target-file': { kind: 'list', initial: [] },
  exclude: { kind: 'list', initial: [] },
  'exclude-file': { kind: 'list', initial: [] },
  'minimal-refresh': { kind: 'bool', initial: false },
  'allow-deferral': { kind: 'bool', initial: false },
  'allow-lossy': { kind: 'list', initial: [] },
  input: { kind: 'bool', initial: true },
  out: { kind: 'text', initial: '' },
  'plan-only': { kind: 'bool', initial: false },
  summary: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane undo`. */
export const UNDO_FLAGS: typeof JSON_FLAGS &
  typeof STATE_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...STATE_FLAGS,
  ...VARIABLE_FLAGS,
  ...SENSITIVE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane undo`. */
export type UndoFlags = ParsedFlags<FlagValues<typeof UNDO_FLAGS>>;
