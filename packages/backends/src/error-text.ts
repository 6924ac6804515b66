/** Returns the message of an error, or that of its cause if it has none. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return first === undefined ? error.name : errorText(first);
}
