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
export interface CommandExit {
  readonly status: number | undefined;
  /** undefined if the command succeeded */
  readonly problem: string | undefined;
}

/** Waits until a remote command has exited and all its output has been received. */
export async function exitOf(channel: ClientChannel): Promise<CommandExit> {
  return await new Promise((resolve) => {
    let exit: CommandExit = {
      status: undefined,
      problem: 'wait: remote command exited without exit status or exit signal',
    };
    channel.once(
      'exit',
      (code: number | null, signal?: string, _dump?: unknown, message?: string) => {
        exit = code === null ? exitBySignal(signal ?? '', message ?? '') : exitWithStatus(code);
      },
    );
    channel.once('close', () => resolve(exit));
  });
}

function exitWithStatus(status: number): CommandExit {
  return { status, problem: status === 0 ? undefined : `Process exited with status ${status}` };
}

function exitBySignal(signal: string, message: string): CommandExit {
  const name = signal.replace(/^SIG/, '');
  const status = 128 + (SIGNALS[name] ?? 0);
  const reason = message === '' ? '' : `. Reason was: ${brief(message)}`;
  return { status, problem: `Process exited with status ${status} from signal ${name}${reason}` };
}
