// The peak memory of a process, as Linux counts it.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Follows the resident memory of a process until it ends. Returns a function that gives its peak so far, in KiB. */
export function watchMemory(child: ChildProcess): () => number {
  let peakKiB = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKiB = Math.max(peakKiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      clearInterval(watch); // It has ended.
    }
  }, 50);
  onTestFinished(() => clearInterval(watch));
  return () => peakKiB;
}
