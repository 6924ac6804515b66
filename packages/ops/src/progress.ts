import type { InstanceAddr } from '@terrane/addresses';
import type { RunEvent } from '@terrane/engine';
import type { Clock } from '@terrane/host';

/** The interval of progress reports for running operations. */
const PERIOD_MS = 10_000;
const TICK_MS = 1000;

type ApplyStart = Extract<
  RunEvent,
  { kind: 'apply-start' | 'apply-progress' | 'apply-complete' | 'apply-errored' }
>;
type EphemeralStart = Extract<
  RunEvent,
  {
    kind: 'ephemeral-start' | 'ephemeral-progress' | 'ephemeral-complete' | 'ephemeral-errored';
  }
>;

interface Running {
  readonly event: ApplyStart | EphemeralStart;
  readonly since: number;
  lastReport: number;
  /** the reason for a delay; empty if there is none */
  note: string;
}

/** Adds an event for each operation in progress to a stream of events, every ten seconds. */
export class Progress {
  readonly #clock: Clock;
  readonly #emit: (event: RunEvent) => void;
  readonly #running: Map<RunningKey, Running> = new Map();
  readonly #stop: AbortController = new AbortController();

  constructor(clock: Clock, emit: (event: RunEvent) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  /** Passes an event on, and takes note. */
  readonly emit = (event: RunEvent): void => {
    switch (event.kind) {
      case 'apply-start':
      case 'ephemeral-start':
        this.#running.set(keyOf(event), {
          event,
          since: this.#clock.monotonicMs(),
          lastReport: 0,
          note: '',
        });
        break;
      case 'apply-note': {
        const running = this.#running.get(keyOf(event));
        if (running !== undefined) running.note = event.note;
        return;
      }
      case 'apply-complete':
      case 'apply-errored':
      case 'ephemeral-complete':
      case 'ephemeral-errored':
        this.#running.delete(keyOf(event));
        break;
      default:
        break;
    }
    this.#emit(event);
  };

  /** Reports progress until {@link stop} is called. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(TICK_MS, signal);
      } catch {
        return;
      }
      const now = this.#clock.monotonicMs();
      for (const running of this.#running.values()) {
        const periods = Math.floor((now - running.since) / PERIOD_MS);
        if (periods <= running.lastReport) continue;
        running.lastReport = periods;
        this.#emit(progressOf(running, periods * PERIOD_MS));
      }
    }
  }

  stop(): void {
    this.#stop.abort();
  }
}

function progressOf({ event, note }: Running, elapsedMs: number): RunEvent {
  return isEphemeral(event)
    ? { ...event, kind: 'ephemeral-progress', elapsedMs }
    : { ...event, kind: 'apply-progress', elapsedMs, ...(note !== '' && { note }) };
}

function isEphemeral(event: Running['event']): event is EphemeralStart {
  return event.kind.startsWith('ephemeral-');
}

/** The address, of which there is one object, or its text and the key of a deposed object. */
type RunningKey = InstanceAddr | string;

function keyOf({ addr, deposed }: Pick<ApplyStart, 'addr' | 'deposed'>): RunningKey {
  return deposed === undefined ? addr : `${addr.text} ${deposed}`;
}
