import type { FlagValues } from '../../flags/flag.ts';
import type { ParsedFlags } from '../../flags/parse-flags.ts';

/** Flags of `terrane server`. */
export const SERVER_FLAGS = {
  dev: { kind: 'bool', initial: false },
  listen: { kind: 'text', initial: '' },
  url: { kind: 'text', initial: '' },
  data: { kind: 'text', initial: '' },
  'tls-cert': { kind: 'text', initial: '' },
  'tls-key': { kind: 'text', initial: '' },
  'behind-proxy': { kind: 'bool', initial: false },
  'encryption-config': { kind: 'text', initial: '' },
  'create-user': { kind: 'text', initial: '' },
  'create-organization': { kind: 'text', initial: '' },
  'create-agent-token': { kind: 'bool', initial: false },
  'allow-destination': { kind: 'list', initial: [] },
  'create-metrics-token': { kind: 'bool', initial: false },
  'oidc-issuer': { kind: 'text', initial: '' },
  'oidc-client-id': { kind: 'text', initial: '' },
  'oidc-groups-claim': { kind: 'text', initial: 'groups' },
  smtp: { kind: 'text', initial: '' },
  'mail-from': { kind: 'text', initial: '' },
  'blob-storage': { kind: 'text', initial: '' },
  'blob-storage-from': { kind: 'integer', initial: 1_048_576 },
  'blob-storage-limit': { kind: 'integer', initial: 268_435_456 },
  'move-blobs': { kind: 'text', initial: '' },
  'log-format': { kind: 'text', initial: 'text' },
  'rate-limit': { kind: 'integer', initial: 30 },
  'pass-env': { kind: 'list', initial: [] },
} as const;

/** Parsed command line of `terrane server`. */
export type ServerFlags = ParsedFlags<FlagValues<typeof SERVER_FLAGS>>;
