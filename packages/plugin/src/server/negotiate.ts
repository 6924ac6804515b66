import type { Environment } from '@terrane/host';
import type { ProtocolVersion } from '../wire/definitions.ts';
import { PROGRESS_CHANNEL } from '../wire/progress.ts';
import type { StdioChannel } from './stdio-buffer.ts';

/** The cookie with which the host identifies itself to a plugin. */
export const COOKIE = {
  name: 'TF_PLUGIN_MAGIC_COOKIE',
  value: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
} as const;

/** The message for users who start a plugin by hand. */
export const BY_HAND =
  'This binary is a plugin. These are not meant to be executed directly.\nPlease execute the program that consumes these plugins, which will\nload any plugins automatically\n';

/** The protocol and transport that the host requests in the environment of a plugin. */
export interface Wishes {
  readonly version: ProtocolVersion;
  /** the certificate to trust, PEM; undefined: no TLS */
  readonly clientCertificate: string | undefined;
  /** the directory of sockets; undefined: the directory for temporary files */
  readonly socketDirectory: string | undefined;
  /** ports to try, for TCP; 0: any that is free */
  readonly ports: { readonly min: number; readonly max: number };
}

/**
 * Parses the requested protocol and transport. The version is the highest common one; without a common version, the
 * lowest supported one, so that the host can report the mismatch.
 *
 * @throws Error for malformed ports
 */
export function readWishes(
  environment: Pick<Environment, 'get'>,
  served: readonly ProtocolVersion[],
): Wishes {
  const requestedVersions = (environment.get('PLUGIN_PROTOCOL_VERSIONS') ?? '')
    .split(',')
    .map(Number);
  const common = served.filter((version) => requestedVersions.includes(version));
  const certificate = environment.get('PLUGIN_CLIENT_CERT') ?? '';
  const directory = environment.get('PLUGIN_UNIX_SOCKET_DIR') ?? '';
  const min = portOf(environment, 'PLUGIN_MIN_PORT');
  const max = portOf(environment, 'PLUGIN_MAX_PORT');
  if (min > max) {
    throw new Error(
      `PLUGIN_MIN_PORT value of ${min} is greater than PLUGIN_MAX_PORT value of ${max}`,
    );
  }
  return {
    version: common.length > 0 ? highest(common) : served.includes(5) ? 5 : 6,
    clientCertificate: certificate === '' ? undefined : certificate,
    socketDirectory: directory === '' ? undefined : directory,
    ports: { min, max },
  };
}

/** The highest of some versions. */
export function highest(versions: readonly ProtocolVersion[]): ProtocolVersion {
  return versions.includes(6) ? 6 : 5;
}

function portOf(environment: Pick<Environment, 'get'>, name: string): number {
  const text = environment.get(name) ?? '';
  if (text === '') return 0;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Error(`couldn't get value from ${name}: ${JSON.stringify(text)} is no port`);
  }
  return Number(text);
}

/** Channel numbers of the stdio service. */
export const CHANNELS: Readonly<Record<StdioChannel, number>> = {
  stdout: 1,
  stderr: 2,
  progress: PROGRESS_CHANNEL,
};
