import type { ClientChannel } from 'ssh2';
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

/** How a remote command ended: its exit status, and what Terraform says of one that failed. */
export interface Ending {
  readonly status: number | undefined;
  /** undefined when all went well */
  readonly problem: string | undefined;
}

/** Waits until a remote command has ended and all its output is there. */
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
  const reason = why === '' ? '' : `. Reason was: ${why}`;
  return { status, problem: `Process exited with status ${status} from signal ${name}${reason}` };
}

/** Talks to an `scp` at the other end of a channel. */
export function scpStream(channel: ClientChannel): ScpStream {
  let buffered = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  const over = (): void => {
    isOver = true;
    wake();
  };
  channel.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    wake();
  });
  channel.once('end', over);
  channel.once('close', over);
  channel.on('error', over);
  // What it says there is for people who debug it.
  channel.stderr.resume();
  const more = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  return {
    async write(data) {
      if (isOver) throw new ScpEnded();
      await new Promise<void>((resolve) => {
        channel.once('close', resolve);
        channel.write(data, () => {
          channel.off('close', resolve);
          resolve();
        });
      });
    },
    async readByte() {
      while (buffered.length === 0) {
        if (isOver) return undefined;
        await more();
      }
      const [byte] = buffered;
      buffered = buffered.subarray(1);
      return byte;
    },
    async readLine() {
      for (;;) {
        const end = buffered.indexOf('\n');
        if (end >= 0 || (isOver && buffered.length > 0)) {
          const line = buffered.subarray(0, end < 0 ? undefined : end).toString('utf8');
          buffered = end < 0 ? Buffer.alloc(0) : buffered.subarray(end + 1);
          return line.replace(/\r$/, '');
        }
        if (isOver) return undefined;
        await more();
      }
    },
  };
}
