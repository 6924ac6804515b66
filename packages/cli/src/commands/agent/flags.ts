import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane agent`. */
export const AGENT_FLAGS = {
  server: { kind: 'text', initial: '' },
  name: { kind: 'text', initial: '' },
  data: { kind: 'text', initial: '' },
  concurrency: { kind: 'integer', initial: 1 },
  'pass-env': { kind: 'list', initial: [] },
  programs: { kind: 'text', initial: '' },
  insecure: { kind: 'bool', initial: false },
  single: { kind: 'bool', initial: false },
  'idle-seconds': { kind: 'integer', initial: 0 },
  'log-format': { kind: 'text', initial: 'text' },
  'kubernetes-job': { kind: 'text', initial: '' },
  'kubernetes-namespace': { kind: 'text', initial: '' },
} as const;

/** Parsed command line of `terrane agent`. */
export type AgentFlags = ParsedFlags<FlagValues<typeof AGENT_FLAGS>>;
