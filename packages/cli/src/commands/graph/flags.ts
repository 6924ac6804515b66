import { VARIABLE_FLAGS } from '../../arguments.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

const OWN_FLAGS = {
  type: { kind: 'text', initial: '' },
  plan: { kind: 'text', initial: '' },
  format: { kind: 'text', initial: 'dot' },
  html: { kind: 'bool', initial: false },
  svg: { kind: 'bool', initial: false },
  'draw-cycles': { kind: 'bool', initial: false },
  verbose: { kind: 'bool', initial: false },
  'module-depth': { kind: 'integer', initial: -1 },
} as const;

/** Flags of `terrane graph`. */
export const GRAPH_FLAGS: typeof VARIABLE_FLAGS & typeof OWN_FLAGS = {
  ...VARIABLE_FLAGS,
  ...OWN_FLAGS,
};

/** Parsed command line of `terrane graph`. */
export type GraphFlags = ParsedFlags<FlagValues<typeof GRAPH_FLAGS>>;
