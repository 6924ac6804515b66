import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The cost of one run of a program. */
export interface Usage {
  /** wall time in seconds */
  readonly wall: number;
  /** user and system time in seconds */
  readonly cpu: number;
  /** peak resident memory in MiB; undefined if the system does not report it */
  readonly peak: number | undefined;
  /** other programs used more than a tenth of the machine meanwhile */
  readonly isUnderLoad: boolean;
}

const TICKS_PER_SECOND = 100;

/**
 * Runs a program through the `time` of bash, which reports the times of exactly this process and its children with
 * millisecond precision. Throws if the exit code is not the expected one.
 */
export async function usageOf(
  program: readonly string[],
  directory: string,
  environment: Readonly<Record<string, string>>,
  exitCode = 0,
): Promise<Usage> {
  const before = busySeconds();
  const start = performance.now();
  const child = spawn(
    'bash',
    ['-c', `TIMEFORMAT=$'\\n%3R %3U %3S'; time "$@"`, 'time', ...program],
    {
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-4_000)));
  let peak: number | undefined;
  const poll = setInterval(() => {
    const current = peakOf(child.pid);
    if (current !== undefined && current > (peak ?? 0)) peak = current;
  }, 5);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(poll);
  const times = /(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)\n$/.exec(errors);
  if (code !== exitCode || times === null) {
    throw new Error(`${program.join(' ')} ended with ${code}:\n${errors}`);
  }
  const [wall, user, system] = times.slice(1).map(Number) as [number, number, number];
  const elapsed = (performance.now() - start) / 1_000;
  const others = busySeconds() - before - user - system;
  return {
    wall,
    cpu: user + system,
    peak,
    isUnderLoad: others > 0.1 * elapsed * availableParallelism() + 0.05,
  };
}

/** The seconds that all processors together were busy since the system started; 0 if it does not report them. */
function busySeconds(): number {
  try {
    const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = (
      /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
    )
      .split(' ')
      .map(Number);
    return (user + nice + system + irq + soft + steal) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** The largest peak of the resident memory of the shell's children so far, in MiB. */
function peakOf(shell: number | undefined): number | undefined {
  try {
    const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim();
    const peaks = children.split(' ').map((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
    });
    const peak = Math.max(...peaks);
    return peak > 0 ? peak : undefined;
  } catch {
    return undefined;
  }
}
