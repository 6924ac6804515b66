import ssh2, { type ServerHostKeyAlgorithm } from 'ssh2';

/** The key that a machine must show. */
export interface PinnedKey {
  readonly blob: Buffer;
  /** host key algorithms to request, beginning with the algorithm of this key */
  readonly algorithms: ServerHostKeyAlgorithm[];
}

const ALGORITHMS: readonly ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];

/**
 * Parses a public key in the format of `authorized_keys`: type, base64, optional comment. The type is negotiated first,
 * so that a machine with keys of several types presents the known one.
 */
export function pinnedKey(text: string): PinnedKey {
  const [kind = '', base64 = ''] = text.trim().split(/\s+/);
  if (kind === '') throw new Error('knownhosts: host_key: missing key type pattern');
  if (base64 === '') throw new Error('knownhosts: host_key: missing key');
  const key = ssh2.utils.parseKey(`${kind} ${base64}`);
  if (key instanceof Error) throw new Error(`knownhosts: host_key: ${key.message}`);
  const isPreferred = (name: string): boolean =>
    kind === 'ssh-rsa' ? name.includes('rsa') && !name.startsWith('ecdsa') : name === kind;
  return {
    blob: key.getPublicSSH(),
    algorithms: [
      ...ALGORITHMS.filter((name) => isPreferred(name)),
      ...ALGORITHMS.filter((name) => !isPreferred(name)),
    ],
  };
}
