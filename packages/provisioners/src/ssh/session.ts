import type { ClientChannel } from 'ssh2';
import { brief } from '../brief.ts';

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
