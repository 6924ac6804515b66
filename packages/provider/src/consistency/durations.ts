import { parseDuration } from '@terrane/host';

/** Converts seconds to milliseconds. */
export function seconds(count: number): number {
  return count * 1000;
}

/** Converts minutes to milliseconds. */
export function minutes(count: number): number {
  return count * 60_000;
}

/** Converts hours to milliseconds. */
export function hours(count: number): number {
  return count * 3_600_000;
}

/** The default time-out of an operation: 20 minutes, as in Terraform's SDK. */
export const DEFAULT_OPERATION_TIMEOUT: number = minutes(20);

/** The default time-out for a change to propagate through a remote system: 2 minutes. */
export const DEFAULT_PROPAGATION_TIMEOUT: number = minutes(2);

/** The default time-out for a deletion: 5 minutes. */
export const DEFAULT_DELETION_TIMEOUT: number = minutes(5);

/**
 * Returns the milliseconds of a value in a `timeouts` block ("30m", "1h15m"), or `fallback` if it is null. Throws a
 * `RangeError` for invalid or negative durations.
 */
export function operationTimeout(
  written: string | undefined,
  fallback: number = DEFAULT_OPERATION_TIMEOUT,
): number {
  if (written === undefined) return fallback;
  const ms = parseDuration(written);
  if (ms === undefined)
    throw new RangeError(`${JSON.stringify(written)} is no duration like "30m"`);
  if (ms < 0) throw new RangeError(`${JSON.stringify(written)} is a negative duration`);
  return ms;
}

/** Formats a duration as Go does: "2m0s", "1.5s", "300ms". Parts below a microsecond are omitted. */
export function durationText(ms: number): string {
  const micros = Math.round(Math.abs(ms) * 1000);
  const sign = ms < 0 && micros > 0 ? '-' : '';
  if (micros === 0) return '0s';
  if (micros < 1000) return `${sign}${micros}µs`;
  if (micros < 1_000_000) return `${sign}${micros / 1000}ms`;
  const h = Math.floor(micros / 3_600_000_000);
  const m = Math.floor(micros / 60_000_000) % 60;
  const s = (micros % 60_000_000) / 1_000_000;
  const hoursText = h > 0 ? `${h}h` : '';
  const minutesText = h > 0 || m > 0 ? `${m}m` : '';
  return `${sign}${hoursText}${minutesText}${s}s`;
}
