import { running } from '../running.ts';

/**
 * A run of a working directory: a promise of its result, and its events for `for await`. Events are queued from the
 * start, so a slow reader does not delay the run. Leaving the loop stops the run gracefully and waits for its end. A
 * failed run rejects the promise, and throws to the reader of its events after the last one.
 */
export interface LibraryRun<Event, Result> extends Promise<Result>, AsyncIterable<Event> {
  /** Stops gracefully: operations in flight are awaited, no new ones start. */
  stop(): void;
}

/** The start of a run, and the conversion of its events. */
export interface LibraryRunOptions<Raw, Event, Result> {
  readonly start: (emit: (event: Raw) => void, signal: AbortSignal) => Promise<Result>;
  /** converts an event when it is read */
  readonly convert: (event: Raw) => readonly Event[];
  /** aborted to stop gracefully */
  readonly signal?: AbortSignal | undefined;
  /** of unread events with the same name, only the newest is kept */
  readonly nameOf?: (event: Raw) => string | undefined;
}

/** Starts a run. */
export function libraryRun<Raw, Event, Result>({
  start,
  convert,
  signal,
  nameOf = () => undefined,
}: LibraryRunOptions<Raw, Event, Result>): LibraryRun<Event, Result> {
  const work = running(start, signal === undefined ? { nameOf } : { nameOf, signal });
  // A promise of its own: if neither it nor the events are read, a failure is an unhandled rejection.
  const promise = work.result.then((result) => result);
  return Object.assign(promise, {
    stop: () => work.stop(),
    async *[Symbol.asyncIterator]() {
      promise.catch(() => undefined);
      for await (const event of work) yield* convert(event);
    },
  });
}
