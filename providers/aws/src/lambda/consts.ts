/** Codes of errors that say that there is no such function or statement. */
export const NOT_FOUND: readonly string[] = ['ResourceNotFoundException'];
