import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  accept: { kind: 'bool', initial: false },
  annotations: { kind: 'text', initial: '' },
  'code-quality': { kind: 'text', initial: '' },
  exclude: { kind: 'list', initial: [] },
  'exclude-file': { kind: 'list', initial: [] },
  'exit-ignored': { kind: 'bool', initial: false },
  input: { kind: 'bool', initial: true },
  'junit-xml': { kind: 'text', initial: '' },
  level: { kind: 'text', initial: 'referenced' },
  parallelism: { kind: 'integer', initial: 10 },
  plan: { kind: 'bool', initial: false },
  rules: { kind: 'text', initial: '' },
  sarif: { kind: 'text', initial: '' },
  state: { kind: 'text', initial: '' },
  target: { kind: 'list', initial: [] },
  'target-file': { kind: 'list', initial: [] },
  verbose: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane drift`. */
export const DRIFT_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane drift`. */
export type DriftFlags = ParsedFlags<FlagValues<typeof DRIFT_FLAGS>>;
