import { JSON_FLAGS, SENSITIVE_FLAGS, VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  redacted: { kind: 'bool', initial: false },
  config: { kind: 'bool', initial: false },
  module: { kind: 'text', initial: '' },
  plan: { kind: 'text', initial: '' },
  state: { kind: 'bool', initial: false },
  html: { kind: 'bool', initial: false },
  svg: { kind: 'bool', initial: false },
  summary: { kind: 'bool', initial: false },
} as const;

/** Flags of `terrane show`. */
export const SHOW_FLAGS: typeof JSON_FLAGS &
  typeof SENSITIVE_FLAGS &
  typeof VARIABLE_FLAGS &
  typeof OWN_FLAGS = { ...JSON_FLAGS, ...SENSITIVE_FLAGS, ...VARIABLE_FLAGS, ...OWN_FLAGS };

/** Parsed command line of `terrane show`. */
export type ShowFlags = ParsedFlags<FlagValues<typeof SHOW_FLAGS>>;
