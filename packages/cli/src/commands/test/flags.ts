import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  'allow-deferral': { kind: 'bool', initial: false },
  'cloud-run': { kind: 'text', initial: '' },
  coverage: { kind: 'bool', initial: false },
  filter: { kind: 'list', initial: [] },
  'junit-xml': { kind: 'text', initial: '' },
  parallelism: { kind: 'integer', initial: 10 },
  'run-parallelism': { kind: 'integer', initial: 10 },
  'test-directory': { kind: 'text', initial: 'tests' },
  verbose: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane test`. */
export const TEST_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane test`. */
export type TestFlags = ParsedFlags<FlagValues<typeof TEST_FLAGS>>;
