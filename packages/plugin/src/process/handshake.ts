import type { ProtocolVersion } from '../wire/definitions.ts';
import { PluginError } from './plugin-error.ts';

/** The address and the protocol of a plugin. */
export interface Handshake {
  readonly version: ProtocolVersion;
  readonly network: 'unix' | 'tcp';
  readonly address: string;
  /** the plugin's certificate, DER, in base64 without padding; undefined: no TLS */
  readonly certificate: string | undefined;
}

/** A socket path may have 103 bytes, of which plugins use up to 20 in addition to the directory. */
const MAX_DIRECTORY_BYTES = 80;

/**
 * Returns the environment of a plugin: the magic cookie, the offered protocol versions, the port range for systems
 * without unix sockets, and the trusted certificate.
 */
export function handshakeEnvironment(
  certificate: string | undefined,
  temporary: string = '',
): Record<string, string> {
  return {
    TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
    PLUGIN_MIN_PORT: '10000',
    PLUGIN_MAX_PORT: '25000',
    PLUGIN_PROTOCOL_VERSIONS: '5,6',
    ...(certificate === undefined ? {} : { PLUGIN_CLIENT_CERT: certificate }),
    ...(temporary.length > MAX_DIRECTORY_BYTES ? { PLUGIN_UNIX_SOCKET_DIR: '/tmp' } : {}),
  };
}

/**
 * Parses the first line of a plugin: `1|6|unix|/path|grpc|certificate`.
 *
 * @throws PluginError for malformed lines and unsupported versions
 */
export function parseHandshake(line: string): Handshake {
  const [core = '', version = '', network = '', address, protocol = 'netrpc', certificate] = line
    .trim()
    .split('|');
  if (address === undefined) {
    throw new PluginError(
      `Unrecognized remote plugin message: ${line.trim()}\nA plugin begins with a line that says where it listens. The program may be for another machine, not a plugin at all, or print something of its own first`,
    );
  }
  if (!/^\d+$/.test(core)) {
    throw new PluginError(`error parsing core protocol version: ${JSON.stringify(core)}`);
  }
  if (core !== '1') {
    throw new PluginError(
      `incompatible core API version with plugin. Plugin version: ${core}, Core version: 1\n\nTo fix this, the plugin usually only needs to be recompiled.\nPlease report this to the plugin author`,
    );
  }
  if (version !== '5' && version !== '6') {
    throw new PluginError(
      `Incompatible API version with plugin. Plugin version: ${version}, Client versions: [5 6]`,
    );
  }
  if (network !== 'unix' && network !== 'tcp') {
    throw new PluginError(`unknown address type: ${network}`);
  }
  if (protocol !== 'grpc') {
    throw new PluginError(
      `unsupported plugin protocol ${JSON.stringify(protocol)}. Supported: [grpc]`,
    );
  }
  return {
    version: version === '5' ? 5 : 6,
    network,
    address,
    // Some old plugins send other, short data in this field.
    certificate: certificate !== undefined && certificate.length > 50 ? certificate : undefined,
  };
}

/** Returns whether an address can only be reached from this machine. */
export function isLocal({ network, address }: Pick<Handshake, 'network' | 'address'>): boolean {
  if (network === 'unix') return true;
  const host = address.slice(0, Math.max(0, address.lastIndexOf(':'))).replaceAll(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
