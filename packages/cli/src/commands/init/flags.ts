import { JSON_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  target: { kind: 'list', initial: [] },
  input: { kind: 'bool', initial: true },
  backend: { kind: 'bool', initial: true },
  cloud: { kind: 'bool', initial: true },
  'from-module': { kind: 'text', initial: '' },
  get: { kind: 'bool', initial: true },
  'force-copy': { kind: 'bool', initial: false },
  lock: { kind: 'bool', initial: true },
  'lock-timeout': { kind: 'duration', initial: 0 },
  reconfigure: { kind: 'bool', initial: false },
  'migrate-state': { kind: 'bool', initial: false },
  upgrade: { kind: 'bool', initial: false },
  lockfile: { kind: 'text', initial: '' },
  'ignore-remote-version': { kind: 'bool', initial: false },
  'test-directory': { kind: 'text', initial: 'tests' },
  'backend-config': { kind: 'list', initial: [] },
  'plugin-dir': { kind: 'list', initial: [] },
} as const;

/** Flags of `terrane init`. */
export const INIT_FLAGS: typeof JSON_FLAGS & typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...JSON_FLAGS,
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane init`. */
export type InitFlags = ParsedFlags<FlagValues<typeof INIT_FLAGS>>;
