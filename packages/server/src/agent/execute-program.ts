import type { Host } from '@terrane/host';
import type { Execute } from './execute.ts';

/** How long a program may go on after the first and second interrupt, if nobody records what it does. */
const GRACE_MS = { first: 30_000, second: 10_000 };

/**
 * Executes commands of another program, such as `terraform`, as a child process in a group of its own. An interrupt is a
 * SIGINT, as of Ctrl-C: the program ends the operations in progress and stores its state. After the job was taken from
 * the agent, a second SIGINT and a SIGKILL of the group follow if the program does not end.
 */
export function programExecutor(
  { spawn, clock }: Pick<Host, 'spawn' | 'clock'>,
  path: string,
): Execute {
  return async (args, options) => {
    const { directory, environment, onOutput, onErrorOutput = onOutput, onInterrupt } = options;
    const program = await spawn.start(path, args, {
      cwd: directory,
      env: environment,
      isGroup: true,
      isRaw: true,
      onStdout: onOutput,
      onStderr: onErrorOutput,
    });
    const ended = new AbortController();
    let isInterrupted = false;
    let escalation: Promise<void> | undefined;
    const escalate = async (firstMs: number): Promise<void> => {
      await clock.sleep(firstMs, ended.signal);
      program.interrupt();
      await clock.sleep(GRACE_MS.second, ended.signal);
      program.kill();
    };
    const removeListener = onInterrupt((isLost) => {
      const wasInterrupted = isInterrupted;
      isInterrupted = true;
      if (!wasInterrupted) program.interrupt();
      if (isLost) {
        escalation ??= escalate(wasInterrupted ? 0 : GRACE_MS.first).catch(() => undefined);
      }
    });
    try {
      return await program.ended;
    } finally {
      removeListener();
      ended.abort();
      await escalation;
    }
  };
}
