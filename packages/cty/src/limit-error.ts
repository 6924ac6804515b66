import { CtyError } from './cty-error.ts';

/**
 * The CtyError for an error of the JavaScript runtime that says that a value is too large or nested too deeply:
 * RangeErrors of strings, arrays, integers and the stack. Undefined for all other errors.
 */
export function limitError(error: unknown): CtyError | undefined {
  if (!(error instanceof RangeError)) return undefined;
  return new CtyError(
    error.message.includes('call stack')
      ? 'the value is nested too deeply'
      : 'the result is too large',
  );
}
