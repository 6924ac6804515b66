/** The summary line of a Vitest report in JSON; of no report, a failure. */
export function summarize(text: string | undefined): string;
