/** The summary line of a Vitest report and of the outputs of samples; each that is missing is a failure. */
export function summarize(
  report: string | undefined,
  samples?: readonly (string | undefined)[],
): string;

/** Names the failed tests of Vitest reports with the beginnings of their messages, at most fifty. */
export function listFailures(texts: readonly (string | undefined)[]): string[];
