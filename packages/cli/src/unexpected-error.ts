import { errorText, fileError, fileErrorAdvice } from '@terrane/host';

/** What to tell of an error that nobody has expected: of files what failed and what to do, of anything else all that helps to find the fault. */
export function unexpectedError(error: unknown): string {
  const facts = fileError(error);
  if (facts !== undefined) {
    const path = facts.path === '' ? 'a file' : `"${facts.path}"`;
    return `\nError: Cannot go on without ${path}\n\n${errorText(error)}. What was done so far is recorded. ${fileErrorAdvice(facts)} Then run the command again.\n`;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `\nTerrane has a fault that it cannot go on from. What was done so far is recorded. Please report\nthis, with the command that you ran and what follows:\n\n${text}\n`;
}
