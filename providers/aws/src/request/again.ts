import type { OperationRetry } from '@terrane/provider/sdk';
import { hasCode } from './aws-error.ts';

/**
 * Returns the options of an operation that is retried on errors with one of these codes, for two minutes or as long as
 * requested: `object.operation('deleting', …, again(['DependencyViolation'], timeout))`.
 */
export function again(codes: readonly string[], propagation?: number): OperationRetry {
  const isRetryable = (error: unknown): boolean => hasCode(error, ...codes);
  return { isRetryable, ...(propagation !== undefined && { propagation }) };
}

/**
 * Calls a function, and returns undefined if it fails with one of these codes: an object to delete may already be
 * deleted, an object to read may not exist.
 */
export async function unless<T>(
  call: () => Promise<T>,
  ...codes: readonly string[]
): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!hasCode(error, ...codes)) throw error;
    return undefined;
  }
}
