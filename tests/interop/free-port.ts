import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems choose for connections and for servers without a port of their own (32768 on Linux,
 * 49152 elsewhere), so that nobody else receives one between this check and the start of its server, nor while a server
 * that a test ends is away.
 */
const FIRST = 12_000;
const LAST = 32_000;

/** Returns a port of the loopback address that nobody listens at. */
export async function freePort(): Promise<number> {
  for (let tries = 0; ; tries++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const probe = createServer();
    try {
      probe.listen(port, '127.0.0.1');
      await once(probe, 'listening');
    } catch (error) {
      if (tries > 100) throw error;
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
