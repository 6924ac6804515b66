import type { Clock } from '@terrane/host';
import type { ClientChannel } from 'ssh2';
import { brief } from '../brief.ts';
import { within } from '../within.ts';
import type { ScpStream } from './scp.ts';
import { ScpEnded } from './scp.ts';

const SIGNALS: Readonly<Record<string, number>> = {
  ABRT: 6,
  ALRM: 14,
  FPE: 8,
  HUP: 1,
  ILL: 4,
  INT: 2,
  KILL: 9,
  PIPE: 13,
  QUIT: 3,
  SEGV: 11,
  TERM: 15,
};

/** The result of a remote command: its exit status, and Terraform's error for a failed one. */
export interface Ending {
  readonly status: number | undefined;
  /** undefined if the command succeeded */
  readonly problem: string | undefined;
}

/** Waits until a remote command has exited and all its output has been received. */
export async function endingOf(channel: ClientChannel): Promise<Ending> {
  return await new Promise((resolve) => {
    let ending: Ending = {
      status: undefined,
      problem: 'wait: remote command exited without exit status or exit signal',
    };
    channel.once('exit', (code: number | null, signal?: string, _dump?: unknown, why?: string) => {
      ending = code === null ? killed(signal ?? '', why ?? '') : exited(code);
    });
    channel.once('close', () => resolve(ending));
  });
}

function exited(status: number): Ending {
  return { status, problem: status === 0 ? undefined : `Process exited with status ${status}` };
}

function killed(signal: string, why: string): Ending {
  const name = signal.replace(/^SIG/, '');
  const status = 128 + (SIGNALS[name] ?? 0);
  const reason = why === '' ? '' : `. Reason was: ${brief(why)}`;
  return { status, problem: `Process exited with status ${status} from signal ${name}${reason}` };
}

/** The maximum number of unread bytes from a receiving `scp`: an acknowledgement is one byte, an error one line. */
const MAX_UNREAD_BYTES = 64 * 1024;
/** The number of bytes of a file per write. Each chunk must be accepted within {@link SILENCE_MS}. */
const CHUNK_BYTES = 64 * 1024;
/** The time limit for a receiving `scp` without progress or messages. */
export const SILENCE_MS: number = 5 * 60_000;

/** Returns the stream of a receiving `scp` at the other end of a channel. Its output and its idle time are limited. */
export function scpStream(channel: ClientChannel, clock: Clock): ScpStream {
  const unread: Buffer[] = [];
  let length = 0;
  let problem: Error | undefined;
  let isClosed = false;
  let wake = (): void => {};
  const onClose = (): void => {
    isClosed = true;
    wake();
  };
  channel.on('data', (chunk: Buffer) => {
    if (problem !== undefined) return;
    unread.push(chunk);
    length += chunk.length;
    if (length > MAX_UNREAD_BYTES) {
      problem = new Error(`scp on the machine sent more than ${MAX_UNREAD_BYTES} unexpected bytes`);
      channel.close();
    }
    wake();
  });
  channel.once('end', onClose);
  channel.once('close', onClose);
  channel.on('error', onClose);
  // Its standard error contains debugging output.
  channel.stderr.resume();
  const withTimeLimit = async (work: Promise<void>): Promise<void> => {
    await within(clock, SILENCE_MS, NO_DATA_MESSAGE, undefined, () => work);
    if (problem !== undefined) throw problem;
  };
  const waitForData = async (): Promise<void> => {
    await withTimeLimit(
      new Promise<void>((resolve) => {
        wake = resolve;
      }),
    );
  };
  const unreadBytes = (): Buffer => {
    const joined = Buffer.concat(unread, length);
    unread.splice(0, unread.length, joined);
    return joined;
  };
  const replaceUnread = (rest: Buffer): void => {
    unread.splice(0, unread.length, rest);
    length = rest.length;
  };
  return {
    async write(data) {
      const bytes = Buffer.from(data);
      for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) {
        if (problem !== undefined) throw problem;
        if (isClosed) throw new ScpEnded();
        const chunk = bytes.subarray(at, at + CHUNK_BYTES);
        await withTimeLimit(
          new Promise<void>((resolve) => {
            channel.once('close', resolve);
            channel.write(chunk, () => {
              channel.off('close', resolve);
              resolve();
            });
          }),
        );
      }
    },
    async readByte() {
      for (;;) {
        if (problem !== undefined) throw problem;
        if (length > 0) {
          const bytes = unreadBytes();
          replaceUnread(bytes.subarray(1));
          return bytes[0];
        }
        if (isClosed) return undefined;
        await waitForData();
      }
    },
    async readLine() {
      for (;;) {
        if (problem !== undefined) throw problem;
        const bytes = unreadBytes();
        const end = bytes.indexOf('\n');
        if (end >= 0 || (isClosed && bytes.length > 0)) {
          const line = bytes.subarray(0, end < 0 ? undefined : end).toString('utf8');
          replaceUnread(end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1));
          return line.replace(/\r$/, '');
        }
        if (isClosed) return undefined;
        await waitForData();
      }
    },
  };
}

const NO_DATA_MESSAGE = `the machine accepted and sent no data for ${SILENCE_MS / 60_000} minutes`;
