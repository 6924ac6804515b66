import { fileError } from './file-error.ts';

/**
 * Returns the message of any error. Errors of files are worded as Go words them (`open a/b: permission denied`), with
 * `path` in place of the path in the error, if given. An error without a message is described by its code, its first
 * cause or its class.
 */
export function errorText(error: unknown, path?: string): string {
  if (!(error instanceof Error)) return String(error);
  const facts = fileError(error);
  if (facts !== undefined) {
    const filePath = path ?? facts.path;
    return filePath === ''
      ? `${facts.action}: ${facts.reason}`
      : `${facts.action} ${filePath}: ${facts.reason}`;
  }
  if (error.message !== '') return error.message;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  const [cause]: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return cause === undefined ? error.name : errorText(cause);
}

/**
 * Returns the message of an error for a diagnostic; see `errorText`. Rethrows internal errors; see `expectUserError`.
 */
export function userErrorText(error: unknown, path?: string): string {
  expectUserError(error);
  return errorText(error, path);
}

/**
 * Rethrows an internal error, so that a defect of this program is not reported as a user error. Returns for errors that
 * input, a service or the system can cause. Call it in every handler that creates a diagnostic.
 */
export function expectUserError(error: unknown): void {
  if (isInternalError(error)) throw error;
}

/**
 * Returns true if an error is a defect of this program: a `Bug`, a failed assertion, or a ReferenceError, TypeError or
 * RangeError of the JavaScript engine. Errors of these classes that Node throws for its arguments have a code; they are
 * internal only if the code reports an argument of an invalid type, because values come from input. RangeErrors about
 * the stack and memory are limits that input can reach.
 */
export function isInternalError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // `Bug` is a class of `cty`, which this package cannot import.
  if (error.name === 'Bug' || error instanceof ReferenceError) return true;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return INTERNAL_CODES.has(code);
  if (error.constructor === TypeError) return error.message !== 'fetch failed';
  return error.constructor === RangeError && !RESOURCE_LIMIT.test(error.message);
}

const INTERNAL_CODES: ReadonlySet<string> = new Set([
  'ERR_ASSERTION',
  'ERR_INTERNAL_ASSERTION',
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_THIS',
  'ERR_MISSING_ARGS',
]);

const RESOURCE_LIMIT =
  /call stack|Invalid string length|allocation failed|Cannot create a string|too many/i;
