import { quoteText, type Value } from '@terrane/cty';
import type { Host } from '@terrane/host';
import { retry } from './retry.ts';
import { SshCommunicator } from './ssh/communicator.ts';

/** What to reach a machine with. Throws what is wrong with the arguments of the connection. */
export async function communicatorFor(host: Host, connection: Value): Promise<SshCommunicator> {
  if (connection.isNull) throw new Error('Missing connection configuration for provisioner.');
  const type = connection.attr('type');
  const kind = type.isNull ? '' : type.asString();
  if (kind === 'winrm') {
    throw new Error(
      `Connections of type ${quoteText(kind)} are not supported yet. Use an SSH server on the machine, with type = "ssh" and target_platform = "windows".`,
    );
  }
  if (kind !== '' && kind !== 'ssh') throw new Error(`connection type '${kind}' not supported`);
  return await SshCommunicator.create(host, connection);
}

/** Connects, however often that takes, does the work, and ends the connection, at the latest on `signal`. */
export async function whileConnected(
  host: Host,
  machine: SshCommunicator,
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
