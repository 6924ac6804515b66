/** What an error says, and what caused it where it says nothing itself. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string') return code;
  const [first]: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return first === undefined ? error.name : errorText(first);
}
