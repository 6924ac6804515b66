import { PassThrough } from 'node:stream';
import { ManualClock } from '@terrane/testkit';
import type { ClientChannel } from 'ssh2';
import { expect, it } from 'vitest';
import { sendFile } from './scp.ts';
import { scpStream, SILENCE_MS } from './scp-stream.ts';

/** A channel that accepts all input and returns only the output of the test. */
function channel(): ClientChannel {
  const stream = new PassThrough();
  const clientChannel = Object.assign(stream, {
    stderr: new PassThrough(),
    close: () => stream.destroy(),
  });
  // Input of the machine is not its output.
  clientChannel.write = ((_data: unknown, done?: () => void) => {
    done?.();
    return true;
  }) as typeof clientChannel.write;
  return clientChannel as unknown as ClientChannel;
}

it('a machine that does not acknowledge a file times out after five minutes', async () => {
  const clock = new ManualClock();
  const sending = sendFile(scpStream(channel(), clock), 'a', Buffer.from('x'));
  const outcome = expect(sending).rejects.toThrow(
    'the machine accepted and sent no data for 5 minutes',
  );
  await clock.advance(SILENCE_MS);
  await outcome;
});

it('lines and acknowledgements are read in order, across pieces', async () => {
  const clientChannel = channel();
  const scp = scpStream(clientChannel, new ManualClock());
  clientChannel.emit('data', Buffer.from('\0\u0001no'));
  clientChannel.emit('data', Buffer.from(' room\nrest'));
  expect(await scp.readByte()).toBe(0);
  expect(await scp.readByte()).toBe(1);
  expect(await scp.readLine()).toBe('no room');
  clientChannel.emit('end');
  expect(await scp.readLine()).toBe('rest');
  expect(await scp.readByte()).toBeUndefined();
});
