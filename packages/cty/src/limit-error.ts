import { CtyError } from './cty-error.ts';

/**
 * Returns the CtyError for an error of the JavaScript runtime about a value that is too large or nested too deeply: a
 * RangeError about strings, arrays, integers or the stack. Undefined for all other errors.
 */
export function limitError(error: unknown): CtyError | undefined {
  if (!(error instanceof RangeError)) return undefined;
  return new CtyError(
    error.message.includes('call stack')
      ? 'the value is nested too deeply'
      : 'the result is too large',
  );
}
