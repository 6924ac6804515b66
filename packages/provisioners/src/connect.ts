import type { Value } from '@terrane/cty';
import type { Host } from '@terrane/host';
import type { Communicator } from './communicator.ts';
import { textOf } from './connection-arguments.ts';
import { retry } from './retry.ts';

/**
 * Returns the communicator for a connection; each type is loaded on first use. Throws for invalid arguments of the
 * connection.
 */
export async function communicatorFor(host: Host, connection: Value): Promise<Communicator> {
  if (connection.isNull) throw new Error('Missing connection configuration for provisioner.');
  const type = textOf(connection.attr('type'));
  switch (type) {
    case '':
    case 'ssh': {
      const { SshCommunicator } = await import('./ssh/communicator.ts');
      return await SshCommunicator.create(host, connection);
    }
    case 'winrm': {
      const { WinrmCommunicator } = await import('./winrm/communicator.ts');
      return new WinrmCommunicator(host, connection);
    }
    default:
      throw new Error(`connection type '${type}' not supported`);
  }
}

/** Connects, however often that takes, does the work, and ends the connection, at the latest on `signal`. */
export async function whileConnected(
  host: Host,
  machine: Communicator,
  signal: AbortSignal | undefined,
  output: ((text: string) => void) | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const stop = (): void => machine.disconnect();
  try {
    await retry(host.clock, machine.timeoutMs, signal, (attempt) =>
      machine.connect(attempt, output),
    );
    signal?.addEventListener('abort', stop, { once: true });
    await work();
  } finally {
    signal?.removeEventListener('abort', stop);
    machine.disconnect();
  }
}
