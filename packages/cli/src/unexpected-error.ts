import { errorText, fileError, fileErrorAdvice } from '@terrane/host';

/**
 * Returns the message for an unexpected error. For a failed file operation, it names the operation and a remedy; for
 * anything else, it contains the details needed to report the defect.
 */
export function unexpectedError(error: unknown): string {
  const facts = fileError(error);
  if (facts !== undefined) {
    const path = facts.path === '' ? 'a file' : `"${facts.path}"`;
    return `\nError: Cannot go on without ${path}\n\n${errorText(error)}. What was done so far is recorded. ${fileErrorAdvice(facts)} Then run the command again.\n`;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `\nTerrane has a fault that it cannot go on from. What was done so far is recorded. Please report\nthis, with the command that you ran and what follows:\n\n${text}\n`;
}
