/** Codes of errors that say that there is no such cluster. */
export const NO_CLUSTER: readonly string[] = ['NotFoundException'];
