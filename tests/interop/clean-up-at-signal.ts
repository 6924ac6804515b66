// Ends what a test or measurement has started, if the process itself is ended by a signal.

type CleanUp = () => Promise<void>;

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

const cleanUps = new Set<CleanUp>();
let isEnding = false;

/**
 * Calls a function before the process exits because of a signal; the newest function first. The returned function
 * withdraws it. Without any function, signals have their default effect.
 */
export function cleanUpAtSignal(cleanUp: CleanUp): () => void {
  if (cleanUps.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  cleanUps.add(cleanUp);
  return () => {
    cleanUps.delete(cleanUp);
    if (cleanUps.size === 0 && !isEnding) for (const signal of SIGNALS) process.off(signal, end);
  };
}

function end(signal: (typeof SIGNALS)[number]): void {
  // A second signal does not wait.
  if (isEnding) process.exit(EXIT_CODES[signal]);
  isEnding = true;
  // What is in progress fails because its servers end. That must not end the process earlier.
  process.on('uncaughtException', () => undefined);
  process.on('unhandledRejection', () => undefined);
  void (async () => {
    for (const cleanUp of [...cleanUps].toReversed()) {
      await cleanUp().catch((error: unknown) => console.error(error));
    }
    process.exit(EXIT_CODES[signal]);
  })();
}
