/** Codes of errors that say that there is no such function or statement. */
export const NOT_FOUND: readonly string[] = ['ResourceNotFoundException'];

/** Codes of errors that say that something else is just being changed. */
export const BUSY: readonly string[] = ['ResourceConflictException', 'PreconditionFailedException'];
