/** Running work: its events while they are read, and its result. */
export interface Running<Event, Result> extends AsyncIterable<Event> {
  /** Settles when the operation has ended, whether or not its events were read. */
  readonly result: Promise<Result>;
  /** Stops softly: running operations are awaited, no new ones start. */
  stop(): void;
}

/** The options of running work. */
export interface RunningOptions<Event> {
  /** aborted to end softly */
  readonly signal?: AbortSignal;
  /** An event replaces an unread older event with the same name; events named `undefined` are all kept. */
  readonly nameOf?: (event: Event) => string | undefined;
}

/**
 * Starts work that reports events by a callback, and returns them for `for await`. Events are queued in order: a slow
 * reader never delays the work. Leaving the loop stops the work softly and waits for its end. An error of the work
 * rejects `result`, and is thrown to the reader after the last event. There is one queue, so events go to one reader.
 */
export function running<Event, Result>(
  start: (emit: (event: Event) => void, signal: AbortSignal) => Promise<Result>,
  { signal, nameOf }: RunningOptions<Event> = {},
): Running<Event, Result> {
  const stopper = new AbortController();
  const stop = (): void => stopper.abort();
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const queue = new EventQueue<Event>(nameOf);
  const result = start((event) => queue.add(event), stopper.signal).finally(() => {
    signal?.removeEventListener('abort', stop);
    queue.end();
  });
  // A caller that reads only events receives the error from them.
  result.catch(() => undefined);
  return {
    result,
    stop,
    async *[Symbol.asyncIterator]() {
      let isDone = false;
      try {
        for (;;) {
          const next = await queue.next();
          if (next === undefined) break;
          yield next.event;
        }
        isDone = true;
        await result;
      } finally {
        if (!isDone) {
          stop();
          await result.catch(() => undefined);
        }
      }
    },
  };
}

interface Queued<Event> {
  event: Event;
  readonly name: string | undefined;
}

class EventQueue<Event> {
  readonly #nameOf: (event: Event) => string | undefined;
  #waiting: Queued<Event>[] = [];
  #read = 0;
  readonly #named = new Map<string, Queued<Event>>();
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(nameOf: (event: Event) => string | undefined = () => undefined) {
    this.#nameOf = nameOf;
  }

  add(event: Event): void {
    const name = this.#nameOf(event);
    const older = name === undefined ? undefined : this.#named.get(name);
    if (older !== undefined) {
      older.event = event;
      return;
    }
    const queued = { event, name };
    this.#waiting.push(queued);
    if (name !== undefined) this.#named.set(name, queued);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The oldest event that was not read, when there is one; undefined after the last one. */
  async next(): Promise<Queued<Event> | undefined> {
    for (;;) {
      const queued = this.#waiting[this.#read];
      if (queued !== undefined) {
        this.#read += 1;
        if (queued.name !== undefined) this.#named.delete(queued.name);
        // Remove consumed events in large blocks: removing the first element of an array moves all others.
        if (this.#read >= 1_024) {
          this.#waiting = this.#waiting.slice(this.#read);
          this.#read = 0;
        }
        return queued;
      }
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
