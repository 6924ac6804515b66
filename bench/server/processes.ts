// Memory and processor time of groups of processes, as Linux reports them.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const TICKS_PER_SECOND = 100;
/** Positions of fields in /proc/PID/stat after the name of the program. */
const FIELD = { group: 2, user: 11, system: 12 };

/** Memory and processor time of a group of processes. */
export interface GroupUsage {
  /** resident memory in MB, private pages and shared ones */
  readonly megabytes: number;
  /** user and system time in seconds since the start */
  readonly cpuSeconds: number;
}

/** Returns the usage of all processes of a group. */
export function usageOfGroup(group: number | undefined): GroupUsage {
  let [megabytes, ticks] = [0, 0];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[FIELD.group]) !== group) continue;
      ticks += Number(fields[FIELD.user]) + Number(fields[FIELD.system]);
      const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      megabytes += Number(resident ?? 0) / 1000;
    } catch {
      // The process has ended in the meantime.
    }
  }
  return { megabytes, cpuSeconds: ticks / TICKS_PER_SECOND };
}

/** Measures how busy all processors were. */
export class MachineLoad {
  #busy = busySeconds();
  #started = performance.now();

  /** Returns the busy share of all processors since the last call, from 0 to 1. */
  take(): number {
    const [busy, now] = [busySeconds(), performance.now()];
    const share = (busy - this.#busy) / (((now - this.#started) / 1000) * availableParallelism());
    [this.#busy, this.#started] = [busy, now];
    return share;
  }
}

function busySeconds(): number {
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, steal = 0] = line
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + soft + steal) / TICKS_PER_SECOND;
}
