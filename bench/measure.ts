import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The measured cost of one run of a program. */
export interface Measured {
  readonly seconds: number;
  /** Peak resident memory in MiB; undefined where the system does not tell. */
  readonly peak: number | undefined;
}

/** Runs a program to its end and measures it. Throws with what it printed when it fails. */
export async function measure(
  program: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<Measured> {
  const [command = '', ...args] = program;
  const output: Buffer[] = [];
  const started = process.hrtime.bigint();
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  let peak: number | undefined;
  const watch = setInterval(() => {
    peak = Math.max(peak ?? 0, peakOf(child.pid) ?? 0) || peak;
  }, 5);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(watch);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  if (code !== 0) {
    throw new Error(
      `${program.join(' ')} ended with ${code}:\n${Buffer.concat(output).toString().slice(-2000)}`,
    );
  }
  return { seconds, peak };
}

/** The high-water mark of a process' memory, in MiB, where /proc has it. */
function peakOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  try {
    const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return match?.[1] === undefined ? undefined : Number(match[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** The middle of a list of numbers; the mean of the two middle ones where there are two. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
