import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane server import`. */
export const SERVER_IMPORT_FLAGS = {
  from: { kind: 'text', initial: '' },
  to: { kind: 'text', initial: '' },
  'dry-run': { kind: 'bool', initial: false },
  'lock-source': { kind: 'bool', initial: false },
} as const;

/** Parsed command line of `terrane server import`. */
export type ServerImportFlags = ParsedFlags<FlagValues<typeof SERVER_IMPORT_FLAGS>>;
