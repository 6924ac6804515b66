import { pathsOf, type Environment, type Host } from '@terrane/host';
import type { Wishes } from './negotiate.ts';
import type { Listening, PluginServer } from './plugin-server.ts';

/** The maximum length of a socket path. The limit of Linux is 108 bytes, that of macOS is 104. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Makes a server listen on the requested network; by default on a unix socket, on Windows and for long paths on TCP. */
export async function listen(
  server: PluginServer,
  network: 'unix' | 'tcp' | undefined,
  wishes: Wishes,
  { environment, random }: Pick<Host, 'environment' | 'random'>,
): Promise<Listening> {
  const tcp = network === 'tcp' || (network === undefined && environment.platform === 'win32');
  if (!tcp) {
    const directory = wishes.socketDirectory ?? temporaryDirectory(environment);
    const unique = Buffer.from(random.bytes(6)).toString('hex');
    const path = pathsOf(environment).join(directory, `plugin${unique}`);
    if (network === 'unix' || Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) {
      return await server.listenUnix(path);
    }
  }
  return await server.listenTcp(wishes.ports);
}

function temporaryDirectory(environment: Pick<Environment, 'get'>): string {
  const configured = environment.get('TMPDIR') ?? '';
  return configured === '' ? '/tmp' : configured;
}
