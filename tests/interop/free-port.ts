import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns a port of the loopback address that nobody listens at. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // It listens at an address, not at a file.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
